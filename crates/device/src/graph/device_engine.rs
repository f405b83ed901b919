//! Which engine of a device an operation runs on.

use crate::copy::box_copy::{BoxCopy, Side};
use crate::copy::linear::LinearCopy;
use crate::copy::memset::Memset;
use crate::graph::nodes::Operation;
use crate::memory::access;
use crate::memory::access::{Declared, RangeKind};

impl Operation {
    /// True for what a device runs as a kernel, the program's or its own: memsets of rows with gaps, long ones and those of
    /// managed memory, copies between memories that it can access. Its copy engines do the rest.
    pub fn is_for_kernels(&self) -> bool {
        /// The longest memset that takes no kernel.
        const SHORT: usize = 4096;
        let kind = |address| access::resolve(address, 1, Declared::Unified, false).map(|range| range.kind);
        let between = |dst, src| match (kind(dst), kind(src)) {
            (Ok(RangeKind::Pageable), _) | (_, Ok(RangeKind::Pageable)) => false,
            (Ok(RangeKind::Managed), Ok(_)) | (Ok(_), Ok(RangeKind::Managed)) => true,
            (Ok(dst), Ok(src)) => is_of_device(dst) && is_of_device(src),
            _ => false,
        };
        match self {
            Operation::Kernel(_) => true,
            Operation::Memset(Memset { dst, pitch, element, width, rows, .. }, _) => {
                let row = width * element;
                *rows > 1 && *pitch != row || row * rows > SHORT || kind(*dst) == Ok(RangeKind::Managed)
            }
            Operation::Copy(work, _) => {
                if let Some(copy) = work.command::<LinearCopy>() {
                    between(copy.dst, copy.src)
                } else if let Some(BoxCopy {
                    dst: Side::Memory { address: dst, .. },
                    src: Side::Memory { address: src, .. },
                    ..
                }) = work.command()
                {
                    between(*dst, *src)
                } else {
                    false
                }
            }
            _ => false,
        }
    }
}

fn is_of_device(kind: RangeKind) -> bool {
    matches!(kind, RangeKind::Device(_) | RangeKind::Mapped(Some(_)))
}
