//! Initialization.

#![allow(non_snake_case)]
use api_macro::entry;
use core::ffi::c_uint;
use device::base::error_log;
use device::base::profile::Profile;
use device::kernel::{launch, module};
use device::stream::executor;
use device::{Setup, check, stream};
use error::{Error, Result, refuse, refuse_if};
use settings::{config, log};

/// Starts the driver; nearly every other function refuses to work before this has succeeded.
///
/// Further calls, from any thread, succeed and do nothing.
///
/// - `Flags`: 0.
///
/// Errors: `CUDA_ERROR_INVALID_VALUE` if `Flags` is not 0, and for a malformed environment variable, which the log
/// names; `CUDA_ERROR_NO_DEVICE` when `CUDA_VISIBLE_DEVICES` leaves none; `CUDA_ERROR_INVALID_DEVICE` when it names one
/// twice, or when `CUDA_DEVICE_ORDER` is neither `FASTEST_FIRST` nor `PCI_BUS_ID`; `CUDA_ERROR_NOT_INITIALIZED` in a
/// child of fork whose parent had started the driver.
///
/// Manual: Initialization.
#[entry(since = 2000, needs = nothing, absent = "no_device")]
pub fn cuInit(Flags: c_uint) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, Flags != 0, "Flags {:#x} is not 0", Flags);
    device::initialize(|| {
        let settings = config::settings()
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "a variable of the environment is malformed"))?;
        if settings.order.is_none() {
            return Err(refuse!(Error::INVALID_DEVICE, "CUDA_DEVICE_ORDER is neither FASTEST_FIRST nor PCI_BUS_ID"));
        }
        let spec = settings.devices.as_deref().unwrap_or(device::DEFAULT_DEVICES);
        let installed = Profile::list(spec, !settings.secure).map_err(|why| {
            log::error!("DOPPEL_DEVICES: {why}");
            refuse!(Error::INVALID_VALUE, "DOPPEL_DEVICES: {}", why)
        })?;
        let visible = match &settings.visible {
            None => (0..installed.len()).collect(),
            Some(list) => {
                let uuids: Vec<String> =
                    (0..installed.len()).map(|slot| device::uuid_text(&device::uuid(slot as u32))).collect();
                config::select_visible(list, &uuids)
                    .ok_or_else(|| refuse!(Error::INVALID_DEVICE, "CUDA_VISIBLE_DEVICES names a device twice"))?
            }
        };
        match settings.schedule {
            config::Schedule::Eager => {}
            config::Schedule::Lazy => stream::set_schedule(stream::Schedule::Lazy),
            config::Schedule::Random(seed) => {
                executor::randomise(seed);
                stream::set_schedule(stream::Schedule::Random);
            }
        }
        error::keep_reasons();
        if let Some(file) = &settings.log_file {
            error_log::write_to(file);
        }
        check::start(&settings.check);
        if settings.contexts_recover {
            device::let_contexts_recover();
        }
        if let Some(limit) = settings.kernel_limit {
            launch::set_kernel_limit(limit);
        }
        if settings.unsupported == config::Unsupported::Load {
            module::set_strict();
        }
        if settings.launch_blocking {
            launch::set_blocking();
        }
        let node = settings.node.name().map(str::to_owned);
        let limit = |ordinal: u32| config::start().limits.of(ordinal as usize);
        Ok(Setup { installed, visible, memory: settings.device_memory, limit, node })
    })
}
