//! Kernel nodes: converts their parameters to types of the device, and back.

use super::launch::arguments;
use super::launch_attribute;
use crate::abi::ptr::InMut;
use crate::abi::types::{
    CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, CUDA_KERNEL_NODE_PARAMS_v3, CUcontext, CUfunction, CUkernel,
    CUkernelNodeAttrID, CUkernelNodeAttrValue,
};
use device::graph::{Node, Operation};
use device::kernel::launch::{Arguments, Kernel, LaunchRequest};
use device::kernel::library;
use device::kernel::library::KERNELS;
use device::stream::context::{self, Current};
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse};
use std::sync::Arc;

/// The forms of the parameters have these members in common; the first one lacks those named last.
macro_rules! convert {
    ($from:ident => $to:ident, $p:ident: $($member:ident = $value:expr),*) => {
        impl From<$from> for $to {
            fn from($p: $from) -> $to {
                $to {
                    func: $p.func,
                    gridDimX: $p.gridDimX,
                    gridDimY: $p.gridDimY,
                    gridDimZ: $p.gridDimZ,
                    blockDimX: $p.blockDimX,
                    blockDimY: $p.blockDimY,
                    blockDimZ: $p.blockDimZ,
                    sharedMemBytes: $p.sharedMemBytes,
                    kernelParams: $p.kernelParams,
                    extra: $p.extra,
                    $($member: $value,)*
                }
            }
        }
    };
}
convert!(CUDA_KERNEL_NODE_PARAMS_v1 => CUDA_KERNEL_NODE_PARAMS, p: kern = CUkernel::NULL, ctx = CUcontext::NULL);
convert!(CUDA_KERNEL_NODE_PARAMS_v3 => CUDA_KERNEL_NODE_PARAMS, p: kern = p.kern, ctx = p.ctx);
convert!(CUDA_KERNEL_NODE_PARAMS => CUDA_KERNEL_NODE_PARAMS_v1, p:);
convert!(CUDA_KERNEL_NODE_PARAMS => CUDA_KERNEL_NODE_PARAMS_v3, p: kern = p.kern, ctx = p.ctx);

/// A kernel node: of a function, or of a library's kernel in a context, the current one for `NULL`.
pub fn kernel_of(params: &CUDA_KERNEL_NODE_PARAMS) -> Result<Operation> {
    let named = if params.func.is_null() { params.kern.0 } else { params.func.0 };
    let home = if params.ctx.is_null() { None } else { Some(Current::find(params.ctx.0)?) };
    let function = library::function_of(named, home.as_ref().map(|home| &home.context))?;
    function.check_context()?;
    let shape = LaunchShape {
        grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
        block: [params.blockDimX, params.blockDimY, params.blockDimZ],
    };
    let request = LaunchRequest { in_graph: true, ..LaunchRequest::plain(shape, params.sharedMemBytes) };
    let arguments = arguments(InMut(params.kernelParams), InMut(params.extra))?;
    let share = match home {
        // With a function, the context that is named says nothing.
        Some(home) => home.share().filter(|_| params.func.is_null()),
        None => context::green().map(|green| green.share.clone()),
    };
    let context = function.owner()?;
    Ok(Operation::Kernel(Kernel::prepare(&context, named, function, request, arguments, share)?))
}

/// The same for a node that has attributes already, which it keeps.
pub fn changed_kernel(old: &Operation, params: &CUDA_KERNEL_NODE_PARAMS) -> Result<Operation> {
    match (old, kernel_of(params)?) {
        (Operation::Kernel(old), Operation::Kernel(new)) => {
            let LaunchRequest { shape, dynamic_shared, .. } = new.request;
            let changed = LaunchRequest { shape, dynamic_shared, ..old.request };
            Ok(Operation::Kernel(new.with(changed)?))
        }
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode is not a kernel node")),
    }
}

/// The kernel of a node.
pub fn kernel_at(node: usize) -> Result<Arc<Kernel>> {
    match Node::find(node)?.operation() {
        Operation::Kernel(kernel) => Ok(kernel),
        _ => Err(refuse!(Error::INVALID_VALUE, "hNode {:#x} is not a kernel node", node)),
    }
}

/// The parameters of a kernel node. The addresses in them are good until the node changes.
pub fn describe_kernel(kernel: &Kernel) -> CUDA_KERNEL_NODE_PARAMS {
    let LaunchShape { grid, block } = kernel.request.shape;
    /// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE`, `CU_LAUNCH_PARAM_END`.
    const EXTRA: ([usize; 2], usize) = ([1, 2], 0);
    let (parameters, extra) = match kernel.arguments() {
        Arguments::Pointers(list) => (list, 0),
        Arguments::Packed(..) => (0, kernel.extra(EXTRA.0, EXTRA.1)),
    };
    let of_library = KERNELS.get(kernel.named).is_some();
    CUDA_KERNEL_NODE_PARAMS {
        func: CUfunction(kernel.function.handle),
        gridDimX: grid[0],
        gridDimY: grid[1],
        gridDimZ: grid[2],
        blockDimX: block[0],
        blockDimY: block[1],
        blockDimZ: block[2],
        sharedMemBytes: kernel.request.dynamic_shared,
        kernelParams: parameters as *mut *mut core::ffi::c_void,
        extra: extra as *mut *mut core::ffi::c_void,
        kern: if of_library { CUkernel(kernel.named) } else { CUkernel::NULL },
        ctx: CUcontext(match &kernel.share {
            Some(share) => share.handle,
            None => kernel.function.context.upgrade().map_or(0, |c| c.handle),
        }),
    }
}

/// A kernel node with another attribute.
pub fn with_attribute(old: &Operation, which: CUkernelNodeAttrID, value: &CUkernelNodeAttrValue) -> Result<Operation> {
    let Operation::Kernel(kernel) = old else {
        return Err(refuse!(Error::INVALID_VALUE, "hNode is not a kernel node"));
    };
    let context = kernel
        .function
        .context
        .upgrade()
        .ok_or_else(|| refuse!(Error::CONTEXT_IS_DESTROYED, "hNode is a kernel of a context that was destroyed"))?;
    let mut request = kernel.request;
    launch_attribute::set(&mut request, which, value, &context.device)?;
    Ok(Operation::Kernel(kernel.with(request)?))
}

/// A kernel node with the attributes of another one.
pub fn with_attributes_of(old: &Operation, from: &Kernel) -> Result<Operation> {
    let Operation::Kernel(kernel) = old else { return Err(refuse!(Error::INVALID_VALUE, "dst is not a kernel node")) };
    let LaunchRequest { shape, dynamic_shared, .. } = kernel.request;
    let changed = LaunchRequest { shape, dynamic_shared, ..from.request };
    Ok(Operation::Kernel(kernel.with(changed)?))
}
