//! Which engine of a device an operation runs on.

use crate::copy::box_copy::{BoxCopy, Side};
use crate::copy::transfer::{Copy, Fill};
use crate::graph::nodes::Operation;
use crate::memory::access;
use crate::memory::access::{Declared, Place};

impl Operation {
    /// True for what a device has a kernel for, of the program or its own: rows apart, long fills and those of managed memory,
    /// copies between memories that it reaches by itself. Its copy engines do the rest.
    pub fn is_for_kernels(&self) -> bool {
        /// The longest fill that takes no kernel.
        const SHORT: usize = 4096;
        let place = |address| access::resolve(address, 1, Declared::Unified, false).map(|range| range.place);
        let between = |dst, src| match (place(dst), place(src)) {
            (Ok(Place::Pageable), _) | (_, Ok(Place::Pageable)) => false,
            (Ok(Place::Managed), Ok(_)) | (Ok(_), Ok(Place::Managed)) => true,
            (Ok(dst), Ok(src)) => is_of_device(dst) && is_of_device(src),
            _ => false,
        };
        match self {
            Operation::Kernel(_) => true,
            Operation::Fill(Fill { dst, pitch, element, width, rows, .. }) => {
                let row = width * element;
                *rows > 1 && *pitch != row || row * rows > SHORT || place(*dst) == Ok(Place::Managed)
            }
            Operation::Copy(work, _) => {
                if let Some(copy) = work.command::<Copy>() {
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

fn is_of_device(place: Place) -> bool {
    matches!(place, Place::Device(_) | Place::Mapped(Some(_)))
}
