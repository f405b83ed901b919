//! Access between devices. All memory lies in one process, so every device reaches every other one directly.

use crate::base::devices::Device;
use crate::stream::context::Context;
use error::{Error, Result, refuse};
use std::sync::Arc;

/// A property of the link between two devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Relative speed of the link: 0 is the best.
    PerformanceRank,
    /// Memory can be reached directly.
    Access,
    /// Atomic operations work over the link as they do at home.
    NativeAtomics,
    /// Arrays can be reached directly.
    ArrayAccess,
    /// Only some atomic operations do.
    OnlyPartialNativeAtomics,
}

/// True when `device` can be given access to the memory of `peer`. A device is no peer of itself.
pub fn can_access(device: &Device, peer: &Device) -> bool {
    device.ordinal != peer.ordinal
}

/// The value of a property of the link between two devices, which must not be the same.
pub fn link(source: &Device, destination: &Device, property: Link) -> Result<i32> {
    if !can_access(source, destination) {
        return Err(refuse!(
            Error::INVALID_DEVICE,
            "srcDevice {} and dstDevice {} are the same device, or not connected",
            source.ordinal,
            destination.ordinal
        ));
    }
    Ok(match property {
        Link::PerformanceRank | Link::OnlyPartialNativeAtomics => 0,
        Link::Access | Link::NativeAtomics | Link::ArrayAccess => 1,
    })
}

impl Context {
    /// Lets this context reach the memory of `peer`.
    pub fn enable_peer(&self, peer: &Arc<Context>) -> Result<()> {
        if !can_access(&self.device, &peer.device) {
            return Err(refuse!(
                Error::PEER_ACCESS_UNSUPPORTED,
                "peerContext is of device {}, which device {} cannot access",
                peer.device.ordinal,
                self.device.ordinal
            ));
        }
        if self.peers.lock().insert(peer.id) {
            Ok(())
        } else {
            Err(refuse!(Error::PEER_ACCESS_ALREADY_ENABLED, "peerContext can be accessed already"))
        }
    }

    /// Ends it.
    pub fn disable_peer(&self, peer: &Arc<Context>) -> Result<()> {
        if self.peers.lock().remove(&peer.id) {
            Ok(())
        } else {
            Err(refuse!(Error::PEER_ACCESS_NOT_ENABLED, "peerContext cannot be accessed: that was not enabled"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::devices::device;
    use crate::testing;

    #[test]
    fn access_is_between_devices_and_one_way() {
        testing::devices();
        let (one, two) = (device(0).unwrap(), device(1).unwrap());
        let here = Context::create(one, 0, 3020).unwrap();
        let beside = Context::create(one, 0, 3020).unwrap();
        let there = Context::create(two, 0, 3020).unwrap();
        assert_eq!(here.enable_peer(&beside), Err(Error::PEER_ACCESS_UNSUPPORTED));
        assert_eq!(here.enable_peer(&here), Err(Error::PEER_ACCESS_UNSUPPORTED));
        assert_eq!(here.disable_peer(&there), Err(Error::PEER_ACCESS_NOT_ENABLED));
        assert_eq!(here.enable_peer(&there), Ok(()));
        assert_eq!(here.enable_peer(&there), Err(Error::PEER_ACCESS_ALREADY_ENABLED));
        assert_eq!(there.disable_peer(&here), Err(Error::PEER_ACCESS_NOT_ENABLED));
        assert_eq!(here.disable_peer(&there), Ok(()));
        assert_eq!(link(one, one, Link::Access), Err(Error::INVALID_DEVICE));
        assert_eq!(link(one, two, Link::Access), Ok(1));
        for context in [here, beside, there] {
            context.end();
        }
    }
}
