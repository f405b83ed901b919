//! Attributes of streams: remembered for the program, without effect on an emulated device.

/// How much L2 cache a range of addresses gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AccessPolicyWindow {
    /// First address and bytes.
    pub base: usize,
    pub bytes: usize,
    /// Share of the accesses that count as hits, 0 to 1.
    pub hit_ratio: f32,
    /// `CUaccessProperty` of hits and misses.
    pub hit: u32,
    pub miss: u32,
}

/// Settings of a stream that the program can change and that have no effect on an emulated device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attributes {
    /// L2 cache policy.
    pub window: AccessPolicyWindow,
    /// `CUsynchronizationPolicy`; unset until the program sets one.
    pub synchronization: Option<u32>,
    /// What the default and the remote memory synchronisation domain are mapped to.
    pub domain_map: [u8; 2],
    /// Memory synchronisation domain of launches.
    pub domain: u32,
}

impl Default for Attributes {
    fn default() -> Attributes {
        Attributes { window: AccessPolicyWindow::default(), synchronization: None, domain_map: [0, 1], domain: 0 }
    }
}
