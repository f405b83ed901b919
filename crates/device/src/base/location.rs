//! Places where memory can be.

/// A place where memory can be, as a program names it; the numbers in it may name nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// A device.
    Device(i32),
    /// The host, wherever suits.
    Host,
    /// A NUMA node of the host.
    HostNuma(i32),
    /// The NUMA node of the calling thread.
    HostNumaCurrent,
    /// Nothing that we know.
    Unknown,
}

/// Whether the host has a NUMA node. Node 0 always exists.
pub fn has_numa_node(node: i32) -> bool {
    node == 0 || (node > 0 && std::path::Path::new(&format!("/sys/devices/system/node/node{node}")).exists())
}
