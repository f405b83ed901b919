//! The launch calls before `cuLaunchKernel`: a function has a block shape, dynamic shared memory and parameters of its own, and a
//! launch gives only the grid.

use crate::kernel::function::Function;
use crate::kernel::launch;
use crate::kernel::launch::{Arguments, LaunchEvents, LaunchRequest};
use crate::stream::Stream;
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Sets the shape of blocks.
pub fn set_block(function: &Function, block: [u32; 3]) -> Result<()> {
    let context = function
        .context
        .upgrade()
        .ok_or_else(|| refuse!(Error::CONTEXT_IS_DESTROYED, "hfunc is a function of a context that was destroyed"))?;
    launch::check_block(&context.device, function, block)?;
    refuse_if!(
        Error::INVALID_VALUE,
        launch::required(function).is_some_and(|shape| shape != block),
        "x {}, y {}, z {} is not the shape of blocks that the kernel requires",
        block[0],
        block[1],
        block[2]
    );
    function.legacy().block = block;
    Ok(())
}

/// Sets the dynamic shared memory of blocks.
pub fn set_shared(function: &Function, bytes: u32) -> Result<()> {
    refuse_if!(
        Error::INVALID_VALUE,
        i64::from(bytes) > i64::from(function.settings().dynamic_shared),
        "bytes {} is more than the function's CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES {}",
        bytes,
        function.settings().dynamic_shared
    );
    function.legacy().shared = bytes;
    Ok(())
}

/// Launches with what is set. Bytes of parameters that were not set are zero.
pub fn launch(stream: &Arc<Stream>, function: Arc<Function>, grid: [u32; 2]) -> Result<()> {
    if stream.admit()? {
        return Err(crate::stream::capture::refuse(stream));
    }
    let (request, bytes) = {
        let legacy = function.legacy();
        let whole = function.code().parameter_bytes;
        refuse_if!(
            Error::LAUNCH_OUT_OF_RESOURCES,
            legacy.size > whole.next_multiple_of(4),
            "f: the size of the parameters, {}, is more than the kernel has, {}",
            legacy.size,
            whole
        );
        let mut bytes = legacy.parameters.clone();
        bytes.truncate(legacy.size);
        bytes.resize(whole, 0);
        let shape = LaunchShape { grid: [grid[0], grid[1], 1], block: legacy.block };
        (LaunchRequest::plain(shape, legacy.shared), bytes)
    };
    let arguments = match bytes.is_empty() {
        true => Arguments::Pointers(0),
        false => Arguments::Packed(bytes.as_ptr() as usize, bytes.len()),
    };
    let context = stream.owner()?;
    launch::launch(&context, stream, function.handle, function, request, arguments, &LaunchEvents::default())
}
