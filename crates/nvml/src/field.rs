//! Many values in one call, each with a result of its own.

use crate::api::Out;
use crate::code::Code;
use crate::devices::Device;
use crate::types::FieldValue;

api! {
    /// Many values in one call: those that other functions give too are not given here.
    fn nvmlDeviceGetFieldValues(device: Device, valuesCount: i32, values: Out<FieldValue>) {
        let count = usize::try_from(valuesCount).ok().filter(|&count| count > 0).ok_or(Code::INVALID_ARGUMENT)?;
        for index in 0..count {
            let value = FieldValue { nvmlReturn: Code::NOT_SUPPORTED.0, ..values.get_at(index)? };
            values.set_at(index, value)?;
        }
        Ok(())
    }

    /// Sets counters back.
    fn nvmlDeviceClearFieldValues(device: Device, valuesCount: i32, values: Out<FieldValue>);
}
