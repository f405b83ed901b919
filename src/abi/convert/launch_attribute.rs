//! Converts attributes of launches and of kernel nodes to types of the device.

use super::stream::{clamp_priority, domain_map_of, shown_window, window_of};
use crate::abi::ptr::{In, Out};
use crate::abi::types::{
    CU_ACCESS_PROPERTY_PERSISTING, CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING,
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
    CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, CU_LAUNCH_ATTRIBUTE_IGNORE,
    CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING,
    CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
    CU_LAUNCH_ATTRIBUTE_PRIORITY, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT,
    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE, CUevent,
    CUlaunchAttribute, CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchConfig, CUlaunchMemSyncDomain,
    CUlaunchMemSyncDomainMap,
};
use device::Device;
use device::kernel::launch::{LaunchEvents, LaunchRequest, Signal};
use device::stream::event::Event;
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse, refuse_if};

/// What the description of a launch asks for: how it runs, and how it is linked to other work.
pub fn read(config: &CUlaunchConfig, device: &Device) -> Result<(LaunchRequest, LaunchEvents)> {
    let shape = LaunchShape {
        grid: [config.gridDimX, config.gridDimY, config.gridDimZ],
        block: [config.blockDimX, config.blockDimY, config.blockDimZ],
    };
    let mut request = LaunchRequest::plain(shape, config.sharedMemBytes);
    let mut link = LaunchEvents::default();
    for attribute in In(config.attrs.cast_const()).slice(config.numAttrs as usize)? {
        let CUlaunchAttribute { id, value, .. } = attribute;
        match id {
            CU_LAUNCH_ATTRIBUTE_IGNORE => {}
            CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION => {
                // SAFETY: every bit pattern is a valid value of the members read here and below.
                link.overlaps = unsafe { value.programmaticStreamSerializationAllowed } != 0;
            }
            CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT => {
                // SAFETY: as above.
                let of = unsafe { value.programmaticEvent };
                link.signals.push((Signal::Programmatic, event_of(of.event, of.flags)?));
            }
            CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT => {
                // SAFETY: as above.
                let of = unsafe { value.launchCompletionEvent };
                link.signals.push((Signal::LaunchCompletion, event_of(of.event, of.flags)?));
            }
            CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION => {
                // SAFETY: as above.
                let of = unsafe { value.preferredClusterDim };
                request.preferred_cluster = Some([of.x, of.y, of.z]).filter(|shape| *shape != [0; 3]);
            }
            // Kernels cannot change graphs here. Outside of captures no device does this.
            CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE => return Err(refuse!(Error::NOT_SUPPORTED, "config: attribute CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE is not supported")),
            CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
                // SAFETY: as above.
                if unsafe { value.clusterSchedulingPolicyPreference } > CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING =>
            {
                return Err(refuse!(Error::INVALID_VALUE, "config: clusterSchedulingPolicyPreference is not a CUclusterSchedulingPolicy"));
            }
            _ => set(&mut request, id, &value, device)?,
        }
    }
    Ok((request, link))
}

/// An event that a launch records.
fn event_of(event: CUevent, flags: i32) -> Result<std::sync::Arc<Event>> {
    /// `CU_EVENT_RECORD_EXTERNAL`: for captures.
    const EXTERNAL: i32 = 1;
    let event = Event::find(event.0)?;
    match flags {
        0 if event.timing || event.interprocess => Err(refuse!(
            Error::NOT_SUPPORTED,
            "config: event {:#x} was made without CU_EVENT_DISABLE_TIMING, or with CU_EVENT_INTERPROCESS",
            event.handle
        )),
        0 => Ok(event),
        EXTERNAL => Err(refuse!(
            Error::ILLEGAL_STATE,
            "config: flags of the event are CU_EVENT_RECORD_EXTERNAL, outside of a capture"
        )),
        _ => Err(refuse!(Error::INVALID_VALUE, "config: flags {:#x} of the event are unknown", flags)),
    }
}

/// Sets an attribute that launches and kernel nodes have.
pub fn set(
    request: &mut LaunchRequest,
    which: CUlaunchAttributeID,
    value: &CUlaunchAttributeValue,
    device: &Device,
) -> Result<()> {
    let hints = &mut request.hints;
    // SAFETY: every bit pattern is a valid value of the members read here.
    unsafe {
        match which {
            CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
                refuse_if!(
                    Error::INVALID_VALUE,
                    value.accessPolicyWindow.missProp == CU_ACCESS_PROPERTY_PERSISTING,
                    "value: missProp is CU_ACCESS_PROPERTY_PERSISTING"
                );
                hints.window = Some(window_of(&value.accessPolicyWindow, device)?);
            }
            CU_LAUNCH_ATTRIBUTE_COOPERATIVE => request.cooperative = value.cooperative != 0,
            CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => {
                let of = value.clusterDim;
                request.cluster = Some([of.x, of.y, of.z]).filter(|shape| *shape != [0; 3]);
            }
            CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => {
                hints.scheduling = Some(value.clusterSchedulingPolicyPreference.0);
            }
            CU_LAUNCH_ATTRIBUTE_PRIORITY => hints.priority = Some(clamp_priority(value.priority)),
            CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => hints.domain_map = Some(domain_map_of(value.memSyncDomainMap)?),
            CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => {
                refuse_if!(
                    Error::INVALID_VALUE,
                    value.memSyncDomain > CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE,
                    "value: memSyncDomain {:?} is not a CUlaunchMemSyncDomain",
                    value.memSyncDomain
                );
                hints.domain = Some(value.memSyncDomain.0);
            }
            CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => {
                refuse_if!(
                    Error::INVALID_VALUE,
                    value.sharedMemCarveout > 100,
                    "value: sharedMemCarveout {} is more than 100",
                    value.sharedMemCarveout
                );
                hints.carveout = Some(value.sharedMemCarveout);
            }
            CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING => {}
            _ => {
                return Err(refuse!(
                    Error::INVALID_VALUE,
                    "attr {:?} is not a launch attribute that can be set here",
                    which
                ));
            }
        }
    }
    Ok(())
}

/// Reads an attribute of a kernel node. Only the member that the attribute means is written.
pub fn get(request: &LaunchRequest, which: CUlaunchAttributeID, out: Out<CUlaunchAttributeValue>) -> Result<()> {
    let hints = &request.hints;
    match which {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
            Out(out.0.cast()).set(shown_window(&hints.window.unwrap_or_default()))
        }
        CU_LAUNCH_ATTRIBUTE_COOPERATIVE => Out(out.0.cast()).set(i32::from(request.cooperative)),
        CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION => Out(out.0.cast()).set(request.cluster.unwrap_or_default()),
        CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE => {
            Out(out.0.cast()).set(hints.scheduling.unwrap_or_default())
        }
        CU_LAUNCH_ATTRIBUTE_PRIORITY => Out(out.0.cast()).set(hints.priority.unwrap_or_default()),
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => {
            let [default_, remote] = hints.domain_map.unwrap_or([0, 1]);
            Out(out.0.cast()).set(CUlaunchMemSyncDomainMap { default_, remote })
        }
        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => {
            Out(out.0.cast()).set(CUlaunchMemSyncDomain(hints.domain.unwrap_or_default()))
        }
        // No node of ours can be changed by kernels.
        CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE => Out(out.0.cast()).set(0i32),
        CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => {
            Out(out.0.cast()).set(hints.carveout.unwrap_or_default())
        }
        _ => {
            Err(refuse!(Error::INVALID_VALUE, "attr {:?} is not a launch attribute that can be asked for here", which))
        }
    }
}
