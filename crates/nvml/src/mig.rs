//! Parts of devices (MIG): no emulated device can be divided.

use crate::api::{Array, Out};
use crate::devices::Device;
use crate::handles::{ComputeInstance, GpmSample, GpuInstance};
use crate::types::*;

api! {
    /// Whether the device is divided: it is not.
    ///
    /// - `currentMode`, `pendingMode`: receive `NVML_DEVICE_MIG_DISABLE`.
    fn nvmlDeviceGetMigMode(device: Device, currentMode: Out<u32>, pendingMode: Out<u32>) {
        currentMode.set(0)?;
        pendingMode.set(0)
    }

    /// Whether a handle is that of a MIG device: none is.
    ///
    /// - `isMigDevice`: receives 0.
    fn nvmlDeviceIsMigDeviceHandle(device: Device, isMigDevice: Out<u32>) { isMigDevice.set(0) }

    /// How many MIG devices the device can have: none.
    ///
    /// - `count`: receives 0.
    fn nvmlDeviceGetMaxMigDeviceCount(device: Device, count: Out<u32>) { count.set(0) }

    /// The handle of the MIG device with an index: there is none.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND`, for any index.
    fn nvmlDeviceGetMigDeviceHandleByIndex(device: Device, index: u32, migDevice: Out<Device>) = NOT_FOUND;

    /// The device of a MIG device: no handle is one of those.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, always.
    fn nvmlDeviceGetDeviceHandleFromMigDeviceHandle(migDevice: Device, device: Out<Device>) = INVALID_ARGUMENT;

    /// Sets MIG mode.
    fn nvmlDeviceSetMigMode(device: Device, mode: u32, activationStatus: Out<u32>);

    /// GPU instance profile information.
    fn nvmlDeviceGetGpuInstanceProfileInfo(device: Device, profile: u32, info: Out<GpuInstanceProfileInfo>);

    /// GPU instance profile information, with a version.
    fn nvmlDeviceGetGpuInstanceProfileInfoV(device: Device, profile: u32, info: Out<GpuInstanceProfileInfo_v2>);

    /// GPU instance profile information by identifier, with a version.
    fn nvmlDeviceGetGpuInstanceProfileInfoByIdV(device: Device, profileId: u32, info: Out<GpuInstanceProfileInfo_v2>);

    /// GPU instance possible placements, version 2.
    fn nvmlDeviceGetGpuInstancePossiblePlacements_v2(
        device: Device, profileId: u32, placements: Array<GpuInstancePlacement>, count: Out<u32>,
    );

    /// GPU instance remaining capacity.
    fn nvmlDeviceGetGpuInstanceRemainingCapacity(device: Device, profileId: u32, count: Out<u32>);

    /// Creates GPU instance.
    fn nvmlDeviceCreateGpuInstance(device: Device, profileId: u32, gpuInstance: Out<GpuInstance>);

    /// Creates GPU instance with placement.
    fn nvmlDeviceCreateGpuInstanceWithPlacement(
        device: Device, profileId: u32, placement: Out<GpuInstancePlacement>, gpuInstance: Out<GpuInstance>,
    );

    /// Destroys GPU instance.
    fn nvmlGpuInstanceDestroy(gpuInstance: GpuInstance);

    /// GPU instance.
    fn nvmlDeviceGetGpuInstances(device: Device, profileId: u32, gpuInstances: Array<GpuInstance>, count: Out<u32>);

    /// The GPU instance with an identifier: there is none.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND`, always.
    fn nvmlDeviceGetGpuInstanceById(device: Device, id: u32, gpuInstance: Out<GpuInstance>) = NOT_FOUND;

    /// Information of a GPU instance.
    fn nvmlGpuInstanceGetInfo(gpuInstance: GpuInstance, info: Out<GpuInstanceInfo>);

    /// Compute instance profile information of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstanceProfileInfo(
        gpuInstance: GpuInstance, profile: u32, engProfile: u32, info: Out<ComputeInstanceProfileInfo>,
    );

    /// Compute instance profile information, with a version of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstanceProfileInfoV(
        gpuInstance: GpuInstance, profile: u32, engProfile: u32, info: Out<ComputeInstanceProfileInfo_v2>,
    );

    /// Compute instance remaining capacity of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstanceRemainingCapacity(gpuInstance: GpuInstance, profileId: u32, count: Out<u32>);

    /// Compute instance possible placements of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstancePossiblePlacements(
        gpuInstance: GpuInstance, profileId: u32, placements: Array<ComputeInstancePlacement>, count: Out<u32>,
    );

    /// Creates compute instance of a GPU instance.
    fn nvmlGpuInstanceCreateComputeInstance(
        gpuInstance: GpuInstance, profileId: u32, computeInstance: Out<ComputeInstance>,
    );

    /// Creates compute instance with placement of a GPU instance.
    fn nvmlGpuInstanceCreateComputeInstanceWithPlacement(
        gpuInstance: GpuInstance, profileId: u32, placement: Out<ComputeInstancePlacement>, computeInstance: Out<ComputeInstance>,
    );

    /// Destroys compute instance.
    fn nvmlComputeInstanceDestroy(computeInstance: ComputeInstance);

    /// Compute instances of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstances(
        gpuInstance: GpuInstance, profileId: u32, computeInstances: Array<ComputeInstance>, count: Out<u32>,
    );

    /// Compute instance by identifier of a GPU instance.
    fn nvmlGpuInstanceGetComputeInstanceById(
        gpuInstance: GpuInstance, id: u32, computeInstance: Out<ComputeInstance>,
    );

    /// Information of a compute instance, version 2.
    fn nvmlComputeInstanceGetInfo_v2(computeInstance: ComputeInstance, info: Out<ComputeInstanceInfo>);

    /// GPU instance identifier.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as no handle is one of a MIG device.
    fn nvmlDeviceGetGpuInstanceId(device: Device, id: Out<u32>) = INVALID_ARGUMENT;

    /// Compute instance identifier.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT`, as no handle is one of a MIG device.
    fn nvmlDeviceGetComputeInstanceId(device: Device, id: Out<u32>) = INVALID_ARGUMENT;

    /// GPM MIG sample.
    fn nvmlGpmMigSampleGet(device: Device, gpuInstanceId: u32, gpmSample: GpmSample);

    /// Information of a compute instance.
    fn nvmlComputeInstanceGetInfo(computeInstance: ComputeInstance, info: Out<ComputeInstanceInfo>);

    /// GPU instance possible placements.
    fn nvmlDeviceGetGpuInstancePossiblePlacements(
        device: Device, profileId: u32, placements: Array<GpuInstancePlacement>, count: Out<u32>,
    );
}
