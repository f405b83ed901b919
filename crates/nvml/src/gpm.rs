//! Metrics of the device's parts (GPM), which an emulated device does not measure.

use crate::api::Out;
use crate::devices::Device;
use crate::handles::GpmSample;
use crate::types::{GpmMetricsGet, GpmSupport};

api! {
    /// Whether the device has counters to measure with: it has not.
    ///
    /// - `gpmSupport`: its flag receives 0.
    fn nvmlGpmQueryDeviceSupport(device: Device, gpmSupport: Out<GpmSupport>) {
        gpmSupport.set(GpmSupport { version: gpmSupport.get()?.version, isSupportedDevice: 0 })
    }

    /// GPM metrics.
    fn nvmlGpmMetricsGet(metricsGet: Out<GpmMetricsGet>);

    /// Frees GPM sample.
    fn nvmlGpmSampleFree(gpmSample: GpmSample);

    /// Makes a GPM sample.
    fn nvmlGpmSampleAlloc(gpmSample: Out<GpmSample>);

    /// GPM sample.
    fn nvmlGpmSampleGet(device: Device, gpmSample: GpmSample);

    /// Whether GPM streams.
    fn nvmlGpmQueryIfStreamingEnabled(device: Device, state: Out<u32>);

    /// Sets streaming enabled of a GPM.
    fn nvmlGpmSetStreamingEnabled(device: Device, state: u32);
}
