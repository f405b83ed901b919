//! What the emulated devices of a machine are, as data: their profiles, and what follows from the machine. The driver and
//! the management library answer from it, each in its own process.

pub mod attribute;
pub mod machine;
pub mod pci;
pub mod profile;
mod text;
