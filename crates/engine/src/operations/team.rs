//! The memory that all devices of a team have behind multicast addresses, as steps ask for it.

use crate::state::fault::Fault;
use crate::state::services::Multicast;
use crate::state::warp::Warp;

/// The memory behind multicast addresses, asked for once for all lanes that are near each other.
pub struct Team {
    known: Option<Multicast>,
    writes: bool,
}

impl Team {
    /// For accesses that write, or only read.
    pub fn new(writes: bool) -> Team {
        Team { known: None, writes }
    }

    /// The memory of all devices around an address, of which so many bytes are wanted: at least one is there.
    pub fn around(&mut self, warp: &Warp, address: u64, bytes: u64) -> Result<(&Multicast, u64), Fault> {
        let known = self.known.as_ref().is_some_and(|known| known.range.holds(address, bytes));
        if !known {
            // SAFETY: a warp that runs has surroundings, which hold the services while the launch runs.
            let services = unsafe { &*(*warp.around).services };
            self.known = services.multicast(address, self.writes);
        }
        let found = self.known.as_ref().filter(|found| found.range.holds(address, 1)).ok_or(Fault::IllegalAddress)?;
        Ok((found, found.range.bytes_from(address).min(bytes)))
    }

    /// Where an access of a few bytes at an address goes: once for each device, all of it.
    pub fn places(&mut self, warp: &Warp, address: u64, bytes: u64) -> Result<impl Iterator<Item = u64>, Fault> {
        let (found, there) = self.around(warp, address, bytes)?;
        if there < bytes {
            return Err(Fault::IllegalAddress);
        }
        let offset = address - found.range.start;
        Ok(found.replicas.iter().map(move |base| base + offset))
    }

    /// Gives `each` the pieces of a range on all devices: where one is, where in the range it begins, and its bytes.
    pub fn pieces(
        &mut self,
        warp: &Warp,
        address: u64,
        bytes: u64,
        mut each: impl FnMut(u64, u64, u64),
    ) -> Result<(), Fault> {
        let mut at = 0;
        while at < bytes {
            let address = address.wrapping_add(at);
            let (found, length) = self.around(warp, address, bytes - at)?;
            found.replicas.iter().for_each(|base| each(base + (address - found.range.start), at, length));
            at += length;
        }
        Ok(())
    }
}

/// Writes a word of at most 8 bytes where others may read.
///
/// # Safety
/// Aligned memory of a device, which may fault: the step runs inside `guard::run`.
pub unsafe fn write(at: u64, bytes: u8, word: u64) {
    // SAFETY: the same contract.
    unsafe {
        match bytes {
            1 => (at as *mut u8).write_volatile(word as u8),
            2 => (at as *mut u16).write_volatile(word as u16),
            4 => (at as *mut u32).write_volatile(word as u32),
            _ => (at as *mut u64).write_volatile(word),
        }
    }
}
