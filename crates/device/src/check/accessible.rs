//! Which addresses a kernel may use.

use super::memory::is_host;
use super::{freed, report, unwritten};
use crate::base::checking;
use crate::kernel::system::KernelSystem;
use crate::memory::acting_as;
use crate::memory::mapping;
use crate::memory::multicast;
use crate::memory::space;
use crate::memory::{Allocation, MemoryKind};
use crate::space::Glance;
use engine::state::check::{Checker, Finding, Misuse, Race, Wanted};
use std::sync::Arc;

impl Checker for KernelSystem {
    #[inline]
    fn covers(&self, address: u64, bytes: u64, writes: bool) -> bool {
        let (address, bytes) = (address as usize, bytes as usize);
        let Ok(space) = space() else { return false };
        match space.glance(address) {
            Glance::Inside(spot) => bytes <= spot.left,
            _ => self.covers_special(address, bytes, writes),
        }
    }

    fn covers_multicast(&self, address: u64, bytes: u64, writes: bool) -> bool {
        let device = self.context.upgrade().map(|c| c.device.ordinal);
        let mut at = address;
        let end = address.saturating_add(bytes);
        while at < end {
            let Some((start, view)) = multicast::view(at as usize, device, writes) else { return false };
            at = (start + view.size) as u64;
        }
        true
    }

    fn report(&self, finding: &Finding<'_>) {
        report::finding(self, finding);
    }

    fn wants(&self) -> Wanted {
        Wanted { races: checking::races(), unwritten: checking::unwritten(), misuse: checking::misuse() }
    }

    fn writes(&self, address: u64, bytes: u64) {
        unwritten::write(address as usize, bytes as usize);
    }

    fn is_unwritten(&self, address: u64, bytes: u64) -> bool {
        unwritten::is_unwritten(address as usize, bytes as usize)
    }

    fn unwritten(&self, finding: &Finding<'_>) {
        report::unwritten(self, finding);
    }

    /// Memory that the device has for itself, or shares with the host: not what kernels take from the heap, whose blocks change hands
    /// within a grid.
    fn has_races(&self, address: u64) -> bool {
        let Ok(space) = space() else { return false };
        let kinds = |a: &Arc<Allocation>| {
            matches!(
                a.kind,
                MemoryKind::Device
                    | MemoryKind::Pool
                    | MemoryKind::Managed(_)
                    | MemoryKind::Mapped
                    | MemoryKind::Imported
            )
        };
        space.with_span(address as usize, |found| found.is_some_and(|(_, allocation)| kinds(allocation)))
    }

    fn misuse(&self, misuse: &Misuse<'_>) {
        report::misuse(misuse);
    }

    fn race(&self, race: &Race<'_>) {
        report::race(race);
    }
}

impl KernelSystem {
    /// [`Checker::covers`] for all memory that is not ordinary.
    fn covers_special(&self, address: usize, bytes: usize, writes: bool) -> bool {
        let Ok(space) = space() else { return false };
        let found = space.with_span(address, |found| match found {
            Some((_, allocation)) if allocation.kind == MemoryKind::Reserved => Some(Err(None)),
            Some((_, allocation)) if allocation.kind == MemoryKind::Mapped => Some(Err(Some(allocation.clone()))),
            Some((left, _)) => Some(Ok(bytes <= left)),
            None => None,
        });
        match found {
            Some(Ok(true)) => true,
            // Stores to multicast addresses are asked about by `covers_multicast`, and nothing else goes there.
            Some(Err(Some(mapping))) if mapping::is_multicast(&mapping) => false,
            Some(Err(Some(mapping))) => {
                let device = self.context.upgrade().map(|c| c.device.ordinal);
                acting_as(device, || mapping::check(&mapping, address, bytes, writes)).is_ok()
            }
            Some(Err(None)) => false,
            Some(Ok(false)) => freed::is_pending(address, bytes),
            None => {
                self.heap.covers(address as u64, bytes as u64)
                    || freed::is_pending(address, bytes)
                    || self.may_use_host(address, bytes)
            }
        }
    }

    /// On some devices kernels can use all of the program's memory.
    fn may_use_host(&self, address: usize, bytes: usize) -> bool {
        let able = self.context.upgrade().is_some_and(|c| c.device.reaches_pageable());
        able && is_host(address, bytes)
    }
}
