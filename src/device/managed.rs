//! Managed memory: host and devices share it.
//!
//! It is ordinary memory in the device's address space, which the program may touch directly.

use super::context::Context;
use super::memory::{Allocation, Kind, record};
use super::space::{Zone, space};
use crate::error::Result;
use std::sync::Arc;

/// Managed memory shares no chunk with other kinds. Its pages take up device memory only when they are there, so that
/// it may exceed what the device has.
const ZONE: Zone = Zone { device: u32::MAX, class: 2 };

/// Allocates managed memory: `size` bytes (not 0); `flags` are `CU_MEM_ATTACH_*`.
pub fn alloc(context: &Context, size: usize, flags: u32) -> Result<Arc<Allocation>> {
    space()?.place(ZONE, size, |_| Ok(()), |piece| record(context, piece, size, Kind::Managed(flags)))
}
