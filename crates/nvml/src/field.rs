//! Many values in one call, each with a result of its own.

use crate::api::Out;
use crate::code::{Code, Result};
use crate::devices::{Device, Managed};
use crate::types::FieldValue;
use profiles::attribute::DeviceAttribute;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// `NVML_VALUE_TYPE_UNSIGNED_INT`
const NUMBER: u32 = 1;

/// The value of a field (`NVML_FI_DEV_...`).
///
/// Errors: `NVML_ERROR_NOT_SUPPORTED` for what would have to be measured, what an emulated device has not, and what is no field.
fn value(device: &Managed, field: u32) -> Result<u32> {
    match field {
        // ECC_CURRENT, ECC_PENDING
        1 | 2 => device.count(DeviceAttribute::ECC_ENABLED),
        // NVLINK_LINK_COUNT, NVSWITCH_CONNECTED_LINK_COUNT, C2C_LINK_COUNT: no device has links.
        91 | 147 | 170 => Ok(0),
        // IS_RESETLESS_MIG_SUPPORTED, IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE: none can be divided.
        184 | 199 => Ok(0),
        _ => Err(Code::NOT_SUPPORTED),
    }
}

api! {
    /// Many values in one call, each with its result, when it was asked for, and how long that took.
    ///
    /// - `valuesCount`: how many, at least 1.
    /// - `values`: which fields (`fieldId`); receives the value, its type, the time in microseconds since 1970, the
    ///   microseconds
    ///   that it took, and a result for each: `NVML_ERROR_NOT_SUPPORTED` for what the device does not have or measure.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` if the number is less than 1.
    fn nvmlDeviceGetFieldValues(device: Device, valuesCount: i32, values: Out<FieldValue>) {
        let count = usize::try_from(valuesCount).ok().filter(|&count| count > 0).ok_or(Code::INVALID_ARGUMENT)?;
        let device = device.get()?;
        for index in 0..count {
            let began = Instant::now();
            let asked = values.get_at(index)?;
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let about = FieldValue { timestamp: since.as_micros() as i64, ..asked };
            let filled = match value(device, asked.fieldId) {
                Ok(number) => FieldValue {
                    latencyUsec: began.elapsed().as_micros() as i64,
                    valueType: NUMBER,
                    nvmlReturn: crate::code::SUCCESS,
                    value: number.into(),
                    ..about
                },
                Err(code) => FieldValue { nvmlReturn: code.0, ..asked },
            };
            values.set_at(index, filled)?;
        }
        Ok(())
    }

    /// Sets counters back.
    fn nvmlDeviceClearFieldValues(device: Device, valuesCount: i32, values: Out<FieldValue>);
}
