//! Batches of copies: each copy says when its source may be read.

use crate::copy::box_copy;
use crate::copy::box_copy::{Corner, Extent, Operand};
use crate::copy::linear::LinearCopy;
use crate::copy::timing::{self, AccessOrder, Call, Timing};
use crate::memory::access;
use crate::memory::access::Declared;
use crate::stream::Stream;
use error::{Error, Result, refuse, refuse_if};
use std::sync::Arc;

/// Gives a copy of one range to a stream.
pub fn copy_range(stream: &Arc<Stream>, dst: usize, src: usize, bytes: usize, order: AccessOrder) -> Result<()> {
    refuse_if!(Error::INVALID_VALUE, bytes == 0, "sizes has a 0");
    let (to, from) = access::resolve_copy((dst, Declared::Unified), (src, Declared::Unified), bytes)?;
    if to.is_pageable() {
        // Nothing is known of this memory, and the copy may run after the call: probe it now.
        guard::probe_read(dst, bytes)?;
    }
    let timing = Timing::of_batch_copy(&to, &from, order);
    timing::dispatch(stream, LinearCopy::between(&to, &from, bytes), timing, Call::Asynchronous)
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
    let timing = Timing::of_batch_copy(&checked.dst, &checked.src, order);
    timing::dispatch(stream, checked.copy, timing, Call::Asynchronous)
}
