//! Memory.

use crate::api::Out;
use crate::code::Code;
use crate::devices::Device;
use crate::node;
use crate::types::{BAR1Memory, Memory, Memory_v2, version};
use profiles::attribute::DeviceAttribute;

/// The only version of `nvmlMemory_v2_t`. Another one is another function for the library.
const MEMORY_VERSION: u32 = version(2, size_of::<Memory_v2>());

api! {
    /// Memory of the device: what `cuDeviceTotalMem` says and what the driver keeps beside it, which counts as used.
    ///
    /// - `memory`: receives bytes in all, free and used; what all processes of the node use counts.
    fn nvmlDeviceGetMemoryInfo(device: Device, memory: Out<Memory>) {
        let device = device.get()?;
        let used = node::memory_used(device).min(device.memory());
        memory.set(Memory {
            total: device.memory() + device.kept(),
            free: device.memory() - used,
            used: used + device.kept(),
        })
    }

    /// The same, with what the driver keeps apart from what programs use.
    ///
    /// - `memory`: its `version` is given; receives bytes in all, kept by the driver (`reserved`), free and used.
    ///
    /// Errors: `NVML_ERROR_FUNCTION_NOT_FOUND` for another version.
    fn nvmlDeviceGetMemoryInfo_v2(device: Device, memory: Out<Memory_v2>) {
        let device = device.get()?;
        let version = memory.get()?.version;
        if version != MEMORY_VERSION {
            return Err(Code::FUNCTION_NOT_FOUND);
        }
        let used = node::memory_used(device).min(device.memory());
        memory.set(Memory_v2 {
            version,
            total: device.memory() + device.kept(),
            reserved: device.kept(),
            free: device.memory() - used,
            used,
        })
    }

    /// Width of the bus to the memory in bits.
    ///
    /// - `busWidth`: receives it.
    fn nvmlDeviceGetMemoryBusWidth(device: Device, busWidth: Out<u32>) {
        busWidth.set(device.get()?.count(DeviceAttribute::GLOBAL_MEMORY_BUS_WIDTH)?)
    }

    /// BAR1 memory information.
    fn nvmlDeviceGetBAR1MemoryInfo(device: Device, bar1Memory: Out<BAR1Memory>);
}
