//! Cooperative launches on several devices at once.

use crate::kernel::launch::{Arguments, Function, Kernel, LaunchRequest};
use crate::stream::capture;
use crate::stream::{Fence, Stream, Work};
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// The launch on one of the devices.
pub struct DeviceLaunch {
    pub stream: Arc<Stream>,
    /// The handle that the program named the function by.
    pub named: usize,
    pub function: Arc<Function>,
    pub request: LaunchRequest,
    pub arguments: Arguments,
}

/// Launches all of them. `together`: none begins before all streams have come that far; `joined`: no stream goes on before
/// all have ended.
pub fn launch(parts: Vec<DeviceLaunch>, together: bool, joined: bool) -> Result<()> {
    let mut kernels: Vec<(Arc<Stream>, Arc<Kernel>)> = Vec::new();
    for DeviceLaunch { stream, named, function, request, arguments } in parts {
        let context = stream.context.upgrade().ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "launchParamsList: hStream is of a context that was destroyed")
        })?;
        let own = function.context.upgrade().ok_or_else(|| {
            refuse!(Error::CONTEXT_IS_DESTROYED, "launchParamsList: function is of a context that was destroyed")
        })?;
        refuse_if!(
            Error::INVALID_HANDLE,
            !Arc::ptr_eq(&context, &own),
            "launchParamsList: function is of another context than that of hStream"
        );
        let device = |kernel: &Kernel| kernel.function.context.upgrade().map(|context| context.device.ordinal);
        let taken = |(_, other): &(_, Arc<Kernel>)| device(other) == Some(context.device.ordinal);
        refuse_if!(
            Error::INVALID_DEVICE,
            kernels.iter().any(taken),
            "launchParamsList has device {} twice",
            context.device.ordinal
        );
        let differs = |(_, other): &(_, Arc<Kernel>)| {
            let (a, b) = (&other.request, &request);
            (a.shape, a.dynamic_shared) != (b.shape, b.dynamic_shared) || other.function.name() != function.name()
        };
        refuse_if!(Error::INVALID_VALUE, kernels.iter().any(differs), "launchParamsList has launches that differ");
        if stream.admit()? {
            return Err(capture::refuse(&stream));
        }
        let share = stream.share.clone();
        kernels.push((stream, Kernel::prepare(&context, named, function, request, arguments, share)?));
    }
    let wait_for_each_other = |fences: &[Fence]| {
        for (stream, _) in &kernels {
            let others = fences.iter().filter(|fence| !Arc::ptr_eq(fence.stream(), stream));
            others.for_each(|fence| drop(stream.submit(Work::Wait(fence.clone()))));
        }
    };
    if together {
        wait_for_each_other(&kernels.iter().map(|(stream, _)| stream.tail()).collect::<Vec<_>>());
    }
    // No module may be unloaded before the streams have all launches.
    let gone: Vec<_> = kernels.iter().map(|(_, kernel)| kernel.function.common.gone.read()).collect();
    refuse_if!(
        Error::INVALID_HANDLE,
        gone.iter().any(|gone| **gone),
        "launchParamsList: function is of a module that was unloaded"
    );
    let ends: Vec<Fence> =
        kernels.iter().map(|(stream, kernel)| stream.submit(Work::Command(kernel.clone()))).collect();
    drop(gone);
    if joined {
        wait_for_each_other(&ends);
    }
    Ok(())
}
