//! Batches of copies: each copy says when its source may be read.

use crate::copy::box_copy;
use crate::copy::box_copy::{Corner, Extent, Operand};
use crate::copy::transfer;
use crate::copy::transfer::Copy;
use crate::memory::access;
use crate::memory::access::{Declared, Range, Timing};
use crate::stream::Stream;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// When the source of a copy may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessOrder {
    /// In the stream's order.
    Stream,
    /// Before the call returns.
    DuringCall,
    /// At any time, also after the call has returned.
    Any,
}

/// When a call that was given such a copy may return. Where the bytes go makes no difference, unlike for single copies.
fn timing(dst: &Range, src: &Range, order: AccessOrder) -> Timing {
    let synchronous = dst.synchronous || src.synchronous;
    match (order, src.is_pageable()) {
        _ if synchronous => Timing::Complete,
        // Pageable memory is read by the call itself, so in the stream's order the call has to wait for its turn.
        (AccessOrder::Stream, true) | (AccessOrder::DuringCall, false) => Timing::Complete,
        (AccessOrder::DuringCall | AccessOrder::Any, true) => Timing::Stage,
        (AccessOrder::Stream | AccessOrder::Any, false) => Timing::Enqueue,
    }
}

/// Gives a copy of one range to a stream.
pub fn copy_range(stream: &Arc<Stream>, dst: usize, src: usize, bytes: usize, order: AccessOrder) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, bytes == 0, "sizes has a 0");
    let (to, from) = access::resolve_copy((dst, Declared::Unified), (src, Declared::Unified), bytes)?;
    if to.is_pageable() {
        // Nothing is known of it, and the copy may run after this call: now is the time to refuse.
        guard::probe_read(dst, bytes)?;
    }
    transfer::copy(stream, Copy { dst, src, bytes }, timing(&to, &from, order), true)
}

/// Gives a copy of a box to a stream.
pub fn copy_box(
    stream: &Arc<Stream>,
    dst: (Operand, Corner),
    src: (Operand, Corner),
    extent: Extent,
    order: AccessOrder,
) -> Result<()> {
    let checked = box_copy::check(dst, src, extent)?.ok_or_else(|| {
        refuse!(
            Error::INVALID_VALUE,
            "extent {} * {} * {} has nothing to copy",
            extent.width,
            extent.height,
            extent.depth
        )
    })?;
    if checked.dst.is_pageable() {
        guard::probe_read(checked.dst.address, checked.copy.extent.width)?;
    }
    let timing = timing(&checked.dst, &checked.src, order);
    box_copy::give(stream, checked.copy, timing, true)
}
