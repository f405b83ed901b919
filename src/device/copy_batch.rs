//! Batches of copies: each copy says when its source may be read.

use super::access::{self, Declared, Range, Timing};
use super::box_copy::{self, Corner, Extent, Operand};
use super::stream::Stream;
use super::transfer::{self, Copy};
use crate::error::{Error, Result};
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

/// When a call that was given such a copy may return.
fn timing(dst: &Range, src: &Range, order: AccessOrder) -> Timing {
    let usual = access::copy_timing(dst, src, true);
    match order {
        // Pageable memory is read by the call itself, so the call has to wait for its turn.
        AccessOrder::Stream if src.is_pageable() => Timing::Complete,
        // Pageable memory may be read ahead; anything else is read where it stands, in its turn.
        AccessOrder::DuringCall if !src.is_pageable() => Timing::Complete,
        _ => usual,
    }
}

/// Gives a copy of one range to a stream.
pub fn copy_range(stream: &Arc<Stream>, dst: usize, src: usize, bytes: usize, order: AccessOrder) -> Result<()> {
    if bytes == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let (to, from) = access::resolve_copy((dst, Declared::Unified), (src, Declared::Unified), bytes)?;
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
    let checked = box_copy::check(dst, src, extent)?.ok_or(Error::INVALID_VALUE)?;
    let timing = timing(&checked.dst, &checked.src, order);
    box_copy::give(stream, checked.copy, timing, true)
}
