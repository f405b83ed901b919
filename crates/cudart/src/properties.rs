//! `cudaDeviceProp`, one of CUDA 12 and one of CUDA 13.

// The names are the interface.
#![allow(non_snake_case)]

use crate::context;
use crate::driver as drv;
use crate::error::{Error, Result};
use crate::user::{self, Plain};
use core::ffi::{c_char, c_int, c_uint};

/// What an attribute becomes in the structure.
trait Field {
    fn fill(&mut self, device: c_int, attributes: &[c_int]);
}

/// The value of an attribute; 0 where the driver does not know it.
fn attribute(device: c_int, attribute: c_int) -> c_int {
    let mut value: c_int = 0;
    match drv::cuDeviceGetAttribute(&raw mut value, attribute, device) {
        Ok(()) => value,
        Err(_) => 0,
    }
}

impl Field for c_int {
    fn fill(&mut self, device: c_int, attributes: &[c_int]) {
        *self = attribute(device, attributes[0]);
    }
}

impl Field for c_uint {
    fn fill(&mut self, device: c_int, attributes: &[c_int]) {
        *self = attribute(device, attributes[0]) as c_uint;
    }
}

impl Field for usize {
    fn fill(&mut self, device: c_int, attributes: &[c_int]) {
        *self = attribute(device, attributes[0]) as c_uint as usize;
    }
}

impl<const N: usize> Field for [c_int; N] {
    fn fill(&mut self, device: c_int, attributes: &[c_int]) {
        for (value, &which) in self.iter_mut().zip(attributes) {
            *value = attribute(device, which);
        }
    }
}

#[cfg(cudart = "12")]
const RESERVED: usize = 63;
#[cfg(cudart = "13")]
const RESERVED: usize = 56;

/// Fields of `cudaDeviceProp` in their order, with the numbers of the driver's attributes that fill them.
macro_rules! properties {
    ($($(#[$m:meta])* $field:ident: $t:ty = $attributes:expr,)*) => {
        /// `cudaDeviceProp`
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct Properties {
            pub name: [c_char; 256],
            pub uuid: [u8; 16],
            pub luid: [u8; 8],
            pub luidDeviceNodeMask: c_uint,
            pub totalGlobalMem: usize,
            $($(#[$m])* pub $field: $t,)*
            pub reserved: [c_int; RESERVED],
        }

        // SAFETY: numbers alone.
        unsafe impl Plain for Properties {}

        impl Properties {
            /// The properties of a device.
            pub fn of(device: c_int) -> Result<Properties> {
                context::check_device(device)?;
                // SAFETY: any bit pattern is a value.
                let mut p: Properties = unsafe { core::mem::zeroed() };
                drv::cuDeviceGetName(p.name.as_mut_ptr(), p.name.len() as c_int, device)?;
                drv::cuDeviceGetUuid_v2(p.uuid.as_mut_ptr(), device)?;
                // Only Windows has these.
                let _ = drv::cuDeviceGetLuid(p.luid.as_mut_ptr(), &raw mut p.luidDeviceNodeMask, device);
                drv::cuDeviceTotalMem_v2(&raw mut p.totalGlobalMem, device)?;
                $($(#[$m])* { p.$field.fill(device, &$attributes); })*
                Ok(p)
            }
        }
    };
}

properties! {
    sharedMemPerBlock: usize = [8],
    regsPerBlock: c_int = [12],
    warpSize: c_int = [10],
    memPitch: usize = [11],
    maxThreadsPerBlock: c_int = [1],
    maxThreadsDim: [c_int; 3] = [2, 3, 4],
    maxGridSize: [c_int; 3] = [5, 6, 7],
    #[cfg(cudart = "12")] clockRate: c_int = [13],
    totalConstMem: usize = [9],
    major: c_int = [75],
    minor: c_int = [76],
    textureAlignment: usize = [14],
    texturePitchAlignment: usize = [51],
    #[cfg(cudart = "12")] deviceOverlap: c_int = [15],
    multiProcessorCount: c_int = [16],
    #[cfg(cudart = "12")] kernelExecTimeoutEnabled: c_int = [17],
    integrated: c_int = [18],
    canMapHostMemory: c_int = [19],
    #[cfg(cudart = "12")] computeMode: c_int = [20],
    maxTexture1D: c_int = [21],
    maxTexture1DMipmap: c_int = [77],
    #[cfg(cudart = "12")] maxTexture1DLinear: c_int = [69],
    maxTexture2D: [c_int; 2] = [22, 23],
    maxTexture2DMipmap: [c_int; 2] = [73, 74],
    maxTexture2DLinear: [c_int; 3] = [70, 71, 72],
    maxTexture2DGather: [c_int; 2] = [45, 46],
    maxTexture3D: [c_int; 3] = [24, 25, 26],
    maxTexture3DAlt: [c_int; 3] = [47, 48, 49],
    maxTextureCubemap: c_int = [52],
    maxTexture1DLayered: [c_int; 2] = [42, 43],
    maxTexture2DLayered: [c_int; 3] = [27, 28, 29],
    maxTextureCubemapLayered: [c_int; 2] = [53, 54],
    maxSurface1D: c_int = [55],
    maxSurface2D: [c_int; 2] = [56, 57],
    maxSurface3D: [c_int; 3] = [58, 59, 60],
    maxSurface1DLayered: [c_int; 2] = [61, 62],
    maxSurface2DLayered: [c_int; 3] = [63, 64, 65],
    maxSurfaceCubemap: c_int = [66],
    maxSurfaceCubemapLayered: [c_int; 2] = [67, 68],
    surfaceAlignment: usize = [30],
    concurrentKernels: c_int = [31],
    ECCEnabled: c_int = [32],
    pciBusID: c_int = [33],
    pciDeviceID: c_int = [34],
    pciDomainID: c_int = [50],
    tccDriver: c_int = [35],
    asyncEngineCount: c_int = [40],
    unifiedAddressing: c_int = [41],
    #[cfg(cudart = "12")] memoryClockRate: c_int = [36],
    memoryBusWidth: c_int = [37],
    l2CacheSize: c_int = [38],
    persistingL2CacheMaxSize: c_int = [108],
    maxThreadsPerMultiProcessor: c_int = [39],
    streamPrioritiesSupported: c_int = [78],
    globalL1CacheSupported: c_int = [79],
    localL1CacheSupported: c_int = [80],
    sharedMemPerMultiprocessor: usize = [81],
    regsPerMultiprocessor: c_int = [82],
    managedMemory: c_int = [83],
    isMultiGpuBoard: c_int = [84],
    multiGpuBoardGroupID: c_int = [85],
    hostNativeAtomicSupported: c_int = [86],
    #[cfg(cudart = "12")] singleToDoublePrecisionPerfRatio: c_int = [87],
    pageableMemoryAccess: c_int = [88],
    concurrentManagedAccess: c_int = [89],
    computePreemptionSupported: c_int = [90],
    canUseHostPointerForRegisteredMem: c_int = [91],
    cooperativeLaunch: c_int = [95],
    #[cfg(cudart = "12")] cooperativeMultiDeviceLaunch: c_int = [96],
    sharedMemPerBlockOptin: usize = [97],
    pageableMemoryAccessUsesHostPageTables: c_int = [100],
    directManagedMemAccessFromHost: c_int = [101],
    maxBlocksPerMultiProcessor: c_int = [106],
    accessPolicyMaxWindowSize: c_int = [109],
    reservedSharedMemPerBlock: usize = [111],
    hostRegisterSupported: c_int = [99],
    sparseCudaArraySupported: c_int = [112],
    hostRegisterReadOnlySupported: c_int = [113],
    timelineSemaphoreInteropSupported: c_int = [114],
    memoryPoolsSupported: c_int = [115],
    gpuDirectRDMASupported: c_int = [116],
    gpuDirectRDMAFlushWritesOptions: c_uint = [117],
    gpuDirectRDMAWritesOrdering: c_int = [118],
    memoryPoolSupportedHandleTypes: c_uint = [119],
    deferredMappingCudaArraySupported: c_int = [121],
    ipcEventSupported: c_int = [125],
    clusterLaunch: c_int = [120],
    unifiedFunctionPointers: c_int = [129],
    #[cfg(cudart = "13")] deviceNumaConfig: c_int = [130],
    #[cfg(cudart = "13")] deviceNumaId: c_int = [131],
    #[cfg(cudart = "13")] mpsEnabled: c_int = [133],
    #[cfg(cudart = "13")] hostNumaId: c_int = [134],
    #[cfg(cudart = "13")] gpuPciDeviceID: c_uint = [139],
    #[cfg(cudart = "13")] gpuPciSubsystemID: c_uint = [140],
    #[cfg(cudart = "13")] hostNumaMultinodeIpcSupported: c_int = [143],
}

fn store(to: *mut Properties, device: c_int) -> Result {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    user::write(to, Properties::of(device)?)
}

api! {
    /// The properties of a device.
    #[bare]
    #[cfg(cudart = "13")]
    fn cudaGetDeviceProperties(properties: *mut Properties, device: c_int) {
        store(properties, device)
    }

    /// The properties of a device.
    #[bare]
    #[cfg(cudart = "12")]
    fn cudaGetDeviceProperties_v2(properties: *mut Properties, device: c_int) {
        store(properties, device)
    }

    /// The properties of a device as programs of CUDA 11 know them: the first part of the structure.
    #[bare]
    #[cfg(cudart = "12")]
    fn cudaGetDeviceProperties(properties: *mut u8, device: c_int) {
        if properties.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let all = Properties::of(device)?;
        let len = core::mem::offset_of!(Properties, hostRegisterSupported);
        // SAFETY: the structure has no padding that could be uninitialised: it began as zeros.
        let bytes = unsafe { core::slice::from_raw_parts((&raw const all).cast::<u8>(), len) };
        user::write_bytes(properties, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout() {
        let wanted = if cfg!(cudart = "12") { 1032 } else { 1008 };
        assert_eq!(size_of::<Properties>(), wanted);
        let wanted = if cfg!(cudart = "12") { 728 } else { 704 };
        assert_eq!(core::mem::offset_of!(Properties, hostRegisterSupported), wanted);
    }
}
