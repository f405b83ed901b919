//! Confidential computing, which an emulated device does not have.

use crate::api::Out;
use crate::devices::Device;
use crate::types::*;

api! {
    /// DRAM encryption mode.
    fn nvmlDeviceGetDramEncryptionMode(
        device: Device, current: Out<DramEncryptionInfo>, pending: Out<DramEncryptionInfo>,
    );

    /// Sets DRAM encryption mode.
    fn nvmlDeviceSetDramEncryptionMode(device: Device, dramEncryption: Out<DramEncryptionInfo>);

    /// What the machine can do for confidential computing: nothing.
    ///
    /// - `capabilities`: receives 0 for the processor and for the devices.
    fn nvmlSystemGetConfComputeCapabilities(capabilities: Out<ConfComputeSystemCaps>) {
        capabilities.set(ConfComputeSystemCaps { cpuCaps: 0, gpusCaps: 0 })
    }

    /// Whether confidential computing is on: it is not.
    ///
    /// - `state`: receives 0 for environment, feature and mode of developers' tools.
    fn nvmlSystemGetConfComputeState(state: Out<ConfComputeSystemState>) {
        state.set(ConfComputeSystemState { environment: 0, ccFeature: 0, devToolsMode: 0 })
    }

    /// Confidential computing: memory size information.
    fn nvmlDeviceGetConfComputeMemSizeInfo(device: Device, memInfo: Out<ConfComputeMemSizeInfo>);

    /// Confidential computing: GPUs ready state.
    fn nvmlSystemGetConfComputeGpusReadyState(isAcceptingWork: Out<u32>);

    /// Confidential computing: protected memory usage.
    fn nvmlDeviceGetConfComputeProtectedMemoryUsage(device: Device, memory: Out<Memory>);

    /// Confidential computing: GPU certificate.
    fn nvmlDeviceGetConfComputeGpuCertificate(device: Device, gpuCert: Out<ConfComputeGpuCertificate>);

    /// Confidential computing: GPU attestation report.
    fn nvmlDeviceGetConfComputeGpuAttestationReport(
        device: Device, gpuAtstReport: Out<ConfComputeGpuAttestationReport>,
    );

    /// Confidential computing: key rotation threshold information.
    fn nvmlSystemGetConfComputeKeyRotationThresholdInfo(
        pKeyRotationThrInfo: Out<ConfComputeGetKeyRotationThresholdInfo>,
    );

    /// Sets confidential computing unprotected memory size.
    fn nvmlDeviceSetConfComputeUnprotectedMemSize(device: Device, sizeKiB: u64);

    /// Sets confidential computing GPUs ready state.
    fn nvmlSystemSetConfComputeGpusReadyState(isAcceptingWork: u32);

    /// Sets confidential computing key rotation threshold information.
    fn nvmlSystemSetConfComputeKeyRotationThresholdInfo(
        pKeyRotationThrInfo: Out<ConfComputeSetKeyRotationThresholdInfo>,
    );

    /// Confidential computing: settings.
    fn nvmlSystemGetConfComputeSettings(settings: Out<SystemConfComputeSettings>);
}
