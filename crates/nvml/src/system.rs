//! The library itself: starting it, versions, texts of results.

use crate::api::{Out, Text};
use crate::code::{self, Code};
use crate::library::NVML;
use crate::state;
use crate::types::{ExcludedDeviceInfo, SystemDriverBranchInfo};
use core::ffi::c_char;
use profiles::machine::CUDA_VERSION;

/// The driver whose answers ours are.
const DRIVER: &str = "580.159.04";
/// The version of this library: the interface's in front of the driver's.
const VERSION: &str = "13.580.159.04";
/// The driver's branch.
const BRANCH: &str = "r582_49";

/// The text of a result.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlErrorString(result: i32) -> *const c_char {
    if NVML.found().library.is_some()
        && let Some(real) = real::original!(NVML, nvmlErrorString, fn(i32) -> *const c_char)
    {
        // SAFETY: any number may be asked for.
        return unsafe { real(result) };
    }
    code::text(result).as_ptr()
}

api! {
    /// Starts the library.
    ///
    /// Each start is taken back by one `nvmlShutdown`.
    ///
    /// Errors: `NVML_ERROR_DRIVER_NOT_LOADED` in `absent` mode.
    #[bare]
    fn nvmlInit_v2() { state::start() }

    /// Starts the library.
    ///
    /// Each start is taken back by one `nvmlShutdown`.
    ///
    /// Errors: `NVML_ERROR_DRIVER_NOT_LOADED` in `absent` mode.
    #[bare]
    fn nvmlInit() { state::start() }

    /// Starts the library. All flags only say what a machine without devices is to answer.
    ///
    /// - `flags`: `NVML_INIT_FLAG_...`; nothing is refused.
    ///
    /// Errors: `NVML_ERROR_DRIVER_NOT_LOADED` in `absent` mode.
    #[bare]
    fn nvmlInitWithFlags(flags: u32) {
        let _ = flags;
        state::start()
    }

    /// Takes one start of the library back.
    ///
    /// After as many as there were starts, functions answer `NVML_ERROR_UNINITIALIZED`.
    fn nvmlShutdown() { state::stop() }

    /// The driver's version.
    ///
    /// - `version`: receives it, such as `580.159.04`.
    /// - `length`: bytes that the program has room for at `version`, NUL included.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if text and NUL are longer than `length`.
    fn nvmlSystemGetDriverVersion(version: Text, length: u32) { version.set(length, DRIVER) }

    /// The library's version.
    ///
    /// - `version`: receives it: the interface's version in front of the driver's. Needs no `nvmlInit_v2`.
    /// - `length`: bytes that the program has room for at `version`, NUL included.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if text and NUL are longer than `length`.
    #[bare]
    fn nvmlSystemGetNVMLVersion(version: Text, length: u32) { version.set(length, VERSION) }

    /// The CUDA version of the driver.
    ///
    /// - `cudaDriverVersion`: receives 1000 times the major and 10 times the minor version, as `cuDriverGetVersion` does.
    fn nvmlSystemGetCudaDriverVersion(cudaDriverVersion: Out<i32>) { cudaDriverVersion.set(CUDA_VERSION as i32) }

    /// The CUDA version of the driver that is loaded.
    ///
    /// - `cudaDriverVersion`: receives 1000 times the major and 10 times the minor version, as `cuDriverGetVersion` does.
    fn nvmlSystemGetCudaDriverVersion_v2(cudaDriverVersion: Out<i32>) { cudaDriverVersion.set(CUDA_VERSION as i32) }

    /// The driver's branch.
    ///
    /// - `branchInfo`: its `branch` receives the name.
    /// - `length`: bytes that may be written there, NUL included.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if text and NUL are longer than `length`.
    fn nvmlSystemGetDriverBranch(branchInfo: Out<SystemDriverBranchInfo>, length: u32) {
        if length as usize <= BRANCH.len() {
            return Err(Code::INSUFFICIENT_SIZE);
        }
        let mut info = branchInfo.get()?;
        info.branch[..BRANCH.len()].copy_from_slice(BRANCH.as_bytes());
        info.branch[BRANCH.len()] = 0;
        branchInfo.set(info)
    }

    /// How many devices the driver was told to leave out: none.
    ///
    /// - `deviceCount`: receives 0.
    fn nvmlGetExcludedDeviceCount(deviceCount: Out<u32>) { deviceCount.set(0) }

    /// The old name of `nvmlGetExcludedDeviceCount`.
    ///
    /// - `deviceCount`: receives 0.
    fn nvmlGetBlacklistDeviceCount(deviceCount: Out<u32>) {
        deviceCount.set(0)
    }

    /// The old name of `nvmlGetExcludedDeviceInfoByIndex`.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, for any index.
    fn nvmlGetBlacklistDeviceInfoByIndex(index: u32, info: Out<ExcludedDeviceInfo>) = INVALID_ARGUMENT;

    /// A device that the driver was told to leave out: there is none.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, for any index.
    fn nvmlGetExcludedDeviceInfoByIndex(index: u32, info: Out<ExcludedDeviceInfo>) = INVALID_ARGUMENT;
}
