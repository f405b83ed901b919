//! Kernel nodes: what their parameters say, in the words of the device, and back.

use super::execution::arguments;
use super::ptr::InMut;
use super::types::{
    CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_PRIORITY, CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1,
    CUDA_KERNEL_NODE_PARAMS_v3, CUcontext, CUfunction, CUkernel, CUkernelNodeAttrID, CUkernelNodeAttrValue,
};
use crate::device::context::{self, Context};
use crate::device::function::Function;
use crate::device::graph::{Node, Operation};
use crate::device::launch::{Arguments, Kernel, Request};
use crate::device::library::KERNELS;
use crate::engine::block::Shape;
use crate::error::{Error, Result};
use std::sync::Arc;

impl From<CUDA_KERNEL_NODE_PARAMS_v1> for CUDA_KERNEL_NODE_PARAMS {
    fn from(p: CUDA_KERNEL_NODE_PARAMS_v1) -> Self {
        let CUDA_KERNEL_NODE_PARAMS_v1 { func, sharedMemBytes, kernelParams, extra, .. } = p;
        CUDA_KERNEL_NODE_PARAMS {
            func,
            gridDimX: p.gridDimX,
            gridDimY: p.gridDimY,
            gridDimZ: p.gridDimZ,
            blockDimX: p.blockDimX,
            blockDimY: p.blockDimY,
            blockDimZ: p.blockDimZ,
            sharedMemBytes,
            kernelParams,
            extra,
            kern: CUkernel::NULL,
            ctx: CUcontext::NULL,
        }
    }
}

impl From<CUDA_KERNEL_NODE_PARAMS_v3> for CUDA_KERNEL_NODE_PARAMS {
    fn from(p: CUDA_KERNEL_NODE_PARAMS_v3) -> Self {
        let CUDA_KERNEL_NODE_PARAMS_v3 { func, sharedMemBytes, kernelParams, extra, kern, ctx, .. } = p;
        CUDA_KERNEL_NODE_PARAMS {
            func,
            gridDimX: p.gridDimX,
            gridDimY: p.gridDimY,
            gridDimZ: p.gridDimZ,
            blockDimX: p.blockDimX,
            blockDimY: p.blockDimY,
            blockDimZ: p.blockDimZ,
            sharedMemBytes,
            kernelParams,
            extra,
            kern,
            ctx,
        }
    }
}

/// A kernel node: of a function, or of a library's kernel in a context, the current one for `NULL`.
pub fn kernel_of(params: &CUDA_KERNEL_NODE_PARAMS) -> Result<Operation> {
    let named = if params.func.is_null() { params.kern.0 } else { params.func.0 };
    let function = match KERNELS.get(named) {
        Some(kernel) if params.ctx.is_null() => kernel.function(&context::current_any()?)?,
        Some(kernel) => kernel.function(&Context::find(params.ctx.0)?)?,
        None => Function::find(named)?,
    };
    let request = Request {
        shape: Shape {
            grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
            block: [params.blockDimX, params.blockDimY, params.blockDimZ],
        },
        cluster: None,
        dynamic_shared: params.sharedMemBytes,
        cooperative: false,
        priority: 0,
    };
    let arguments = arguments(InMut(params.kernelParams), InMut(params.extra))?;
    Ok(Operation::Kernel(Arc::new(Kernel::prepare(named, function, request, arguments)?)))
}

/// The same for a node that has attributes already, which it keeps.
pub fn changed_kernel(old: &Operation, params: &CUDA_KERNEL_NODE_PARAMS) -> Result<Operation> {
    match (old, kernel_of(params)?) {
        (Operation::Kernel(old), Operation::Kernel(new)) => {
            let Request { cluster, cooperative, priority, .. } = old.request;
            let keep = |r: &mut Request| (r.cluster, r.cooperative, r.priority) = (cluster, cooperative, priority);
            Ok(Operation::Kernel(Arc::new(new.with(keep)?)))
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The kernel of a node.
pub fn kernel_at(node: usize) -> Result<Arc<Kernel>> {
    match Node::find(node)?.operation() {
        Operation::Kernel(kernel) => Ok(kernel),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// The parameters of a kernel node. The addresses in them are good until the node changes.
pub fn describe_kernel(kernel: &Kernel) -> CUDA_KERNEL_NODE_PARAMS {
    let Shape { grid, block } = kernel.request.shape;
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
        ctx: CUcontext(kernel.function.context.upgrade().map_or(0, |c| c.handle)),
    }
}

/// The same in the first form.
pub fn describe_kernel_v1(kernel: &Kernel) -> CUDA_KERNEL_NODE_PARAMS_v1 {
    let p = describe_kernel(kernel);
    CUDA_KERNEL_NODE_PARAMS_v1 {
        func: p.func,
        gridDimX: p.gridDimX,
        gridDimY: p.gridDimY,
        gridDimZ: p.gridDimZ,
        blockDimX: p.blockDimX,
        blockDimY: p.blockDimY,
        blockDimZ: p.blockDimZ,
        sharedMemBytes: p.sharedMemBytes,
        kernelParams: p.kernelParams,
        extra: p.extra,
    }
}

/// An attribute of a kernel node. Those that mean nothing here are 0.
pub fn attribute_of(kernel: &Kernel, which: CUkernelNodeAttrID) -> Result<CUkernelNodeAttrValue> {
    let mut value = CUkernelNodeAttrValue { pad: [0; 64] };
    match which {
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE => value.cooperative = kernel.request.cooperative.into(),
        CU_LAUNCH_ATTRIBUTE_PRIORITY => value.priority = kernel.request.priority,
        other => return Err(refusal(other)),
    }
    Ok(value)
}

/// A kernel node with another attribute.
pub fn with_attribute(old: &Operation, which: CUkernelNodeAttrID, value: &CUkernelNodeAttrValue) -> Result<Operation> {
    let Operation::Kernel(kernel) = old else { return Err(Error::INVALID_VALUE) };
    // SAFETY: every bit pattern is a valid value of the members read here.
    let number = unsafe { value.cooperative };
    let changed = match which {
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE => kernel.with(|r| r.cooperative = number != 0)?,
        CU_LAUNCH_ATTRIBUTE_PRIORITY => kernel.with(|r| r.priority = number)?,
        other => return Err(refusal(other)),
    };
    Ok(Operation::Kernel(Arc::new(changed)))
}

/// Why an attribute cannot be had: it is not implemented, or there is none.
fn refusal(which: CUkernelNodeAttrID) -> Error {
    /// More attributes than any version has.
    const MOST: u32 = 32;
    if which.0 < MOST { Error::NOT_SUPPORTED } else { Error::INVALID_VALUE }
}
