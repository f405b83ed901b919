//! What tells nodes apart.

/// Devices that a node keeps account of.
pub const DEVICES: usize = 16;

/// Which node is meant: what processes have to agree in to share devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub(crate) hash: u64,
}

impl Key {
    /// The node called `name` of a machine whose devices are as `machine` describes them.
    pub fn new(name: &[u8], machine: &[u8]) -> Key {
        // FNV-1a with 64 bits: all libraries have to come to the same number.
        let bytes = name.iter().chain([&0u8]).chain(machine);
        Key { hash: bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)) }
    }
}
