//! What came out of calls: handles and addresses, by value. They have the numbers of their order.

use std::collections::{BTreeMap, HashMap};

/// Values up to this one are flags and special streams as well as handles.
pub const SMALL: u64 = 0xffff;

/// Memory with an address.
struct Range {
    len: u64,
    id: u32,
    /// The program's own, of which a copy has named so much.
    named: bool,
}

/// All of them.
#[derive(Default)]
pub struct Objects {
    next: u32,
    handles: HashMap<(&'static str, u64), u32>,
    /// The same, without the kind.
    values: HashMap<u64, u32>,
    ranges: BTreeMap<u64, Range>,
    /// Handles and memory of calls that are not asked again.
    lost: BTreeMap<u64, u64>,
    /// Of memory that is known, what has such memory behind it.
    hidden: BTreeMap<u64, u64>,
}

/// Kernels go where functions do, and green contexts where contexts do.
fn kind_of(name: &'static str) -> &'static str {
    match name {
        "CUkernel" => "CUfunction",
        "CUgreenCtx" => "CUcontext",
        other => other,
    }
}

impl Objects {
    /// The number of something new.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The number of a handle that is known.
    pub fn handle(&self, kind: &'static str, value: u64) -> Option<u32> {
        self.handles.get(&(kind_of(kind), value)).copied()
    }

    /// A handle that has come out of a call: its number, and whether it is new.
    pub fn found(&mut self, kind: &'static str, value: u64) -> (u32, bool) {
        if let Some(id) = self.handle(kind, value) {
            return (id, false);
        }
        let id = self.number();
        self.handles.insert((kind_of(kind), value), id);
        if value > SMALL {
            self.values.insert(value, id);
        }
        (id, true)
    }

    /// A handle that means nothing any more.
    pub fn gone(&mut self, kind: &'static str, value: u64) {
        self.handles.remove(&(kind_of(kind), value));
        self.values.remove(&value);
    }

    /// A handle of whatever kind.
    pub fn any_handle(&self, value: u64) -> Option<u32> {
        self.values.get(&value).copied()
    }

    /// The texture, surface or condition of a graph that a small number is, too, and whether there are several of them.
    pub fn small_handle(&self, value: u64) -> Option<(u32, bool)> {
        if value > SMALL {
            return None;
        }
        let kinds = ["CUtexObject", "CUsurfObject", "CUgraphConditionalHandle"];
        let mut found = kinds.iter().filter_map(|kind| self.handle(kind, value));
        let first = found.next()?;
        Some((first, found.next().is_some()))
    }

    /// The memory in which an address lies, or right behind which, and how far.
    pub fn address(&self, address: u64) -> Option<(u32, u64)> {
        let (base, range) = self.ranges.range(..=address).next_back()?;
        let offset = address - base;
        (offset <= range.len).then_some((range.id, offset))
    }

    /// The memory in which so many bytes at an address lie, and how far.
    pub fn holds(&self, address: u64, len: u64) -> Option<(u32, u64)> {
        let (base, range) = self.ranges.range(..=address).next_back()?;
        let offset = address - base;
        (offset < range.len && offset.checked_add(len)? <= range.len).then_some((range.id, offset))
    }

    /// Memory that is new. What was there before is gone.
    pub fn insert(&mut self, address: u64, len: u64) -> u32 {
        let id = self.number();
        self.insert_as(id, address, len);
        id
    }

    /// The same with a number that it has.
    pub fn insert_as(&mut self, id: u32, address: u64, len: u64) {
        let end = address.saturating_add(len.max(1));
        let mut over: Vec<u64> = self.ranges.range(address..end).map(|(base, _)| *base).collect();
        let before = self.ranges.range(..address).next_back().filter(|(base, range)| *base + range.len > address);
        over.extend(before.map(|(base, _)| *base));
        for base in over {
            self.ranges.remove(&base);
        }
        self.ranges.insert(address, Range { len, id, named: false });
    }

    /// A handle, or memory of so many bytes, of a call that is not asked again.
    pub fn lose(&mut self, value: u64, len: u64) {
        self.lost.insert(value, len.max(1));
    }

    /// Known memory that has memory behind it from a call that is not asked again.
    pub fn hide(&mut self, address: u64, len: u64) {
        self.hidden.insert(address, len.max(1));
    }

    /// Whether a handle or an address that nobody knows is of a call that is not asked again.
    pub fn is_lost(&self, value: u64) -> bool {
        is_in(&self.lost, value)
    }

    /// Whether there is memory of such a call at an address, although it is known.
    pub fn is_hidden(&self, address: u64) -> bool {
        is_in(&self.hidden, address)
    }

    /// Whether an address is of such a call and of no other. Where known memory ends, such memory may begin.
    pub fn is_only_lost(&self, address: u64) -> bool {
        self.is_hidden(address) || self.is_lost(address) && self.holds(address, 1).is_none()
    }

    /// What was lost or hidden and is gone.
    pub fn forget(&mut self, value: u64) {
        self.lost.remove(&value);
        self.hidden.remove(&value);
    }

    /// Memory of the program's, of which a copy has named so much; there may be more.
    pub fn insert_named(&mut self, address: u64, len: u64) -> u32 {
        let id = self.insert(address, len);
        if let Some(range) = self.ranges.get_mut(&address) {
            range.named = true;
        }
        id
    }

    /// Whether an address lies in memory of [`Objects::insert_named`].
    pub fn is_named(&self, address: u64) -> bool {
        let range = self.ranges.range(..=address).next_back();
        range.is_some_and(|(base, range)| range.named && address - base < range.len)
    }

    /// Memory that is gone.
    pub fn remove(&mut self, address: u64) {
        self.ranges.remove(&address);
    }

    /// Everything that has an address is in here: a quick test.
    pub fn span(&self) -> (u64, u64) {
        let first = self.ranges.keys().next().copied().unwrap_or(u64::MAX);
        let end = self.ranges.iter().next_back().map_or(0, |(base, range)| base.saturating_add(range.len));
        (first, end)
    }
}

fn is_in(ranges: &BTreeMap<u64, u64>, value: u64) -> bool {
    ranges.range(..=value).next_back().is_some_and(|(first, len)| value - first < *len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_by_the_memory_they_lie_in() {
        let mut objects = Objects::default();
        let (a, b) = (objects.insert(0x1000, 0x100), objects.insert(0x1100, 0x100));
        assert_eq!(objects.address(0x10ff), Some((a, 0xff)));
        // Where one ends another begins.
        assert_eq!(objects.address(0x1100), Some((b, 0)));
        assert_eq!(objects.address(0x1200), Some((b, 0x100)));
        assert_eq!((objects.holds(0x1200, 0), objects.holds(0x11f0, 16)), (None, Some((b, 0xf0))));
        assert_eq!(objects.holds(0x11f0, 17), None);
        assert_eq!((objects.address(0x1201), objects.address(0xfff)), (None, None));
        objects.lose(0x9000, 16);
        assert_eq!((objects.is_lost(0x900f), objects.is_lost(0x9010), objects.is_lost(0x8fff)), (true, false, false));
        objects.hide(0x1080, 8);
        assert_eq!((objects.is_hidden(0x1087), objects.is_hidden(0x1088)), (true, false));
        objects.forget(0x9000);
        objects.forget(0x1080);
        assert!(!objects.is_lost(0x9000) && !objects.is_hidden(0x1080));
        // What takes the place of freed memory.
        let c = objects.insert(0x1080, 0x100);
        assert_eq!((objects.address(0x1000), objects.address(0x1100)), (None, Some((c, 0x80))));
        let d = objects.insert_named(0x2000, 0x10);
        assert_eq!(objects.address(0x2008), Some((d, 8)));
        assert_eq!(
            (objects.is_named(0x200f), objects.is_named(0x2010), objects.is_named(0x1100)),
            (true, false, false)
        );
    }

    #[test]
    fn handles_are_known_until_they_are_gone() {
        let mut objects = Objects::default();
        assert_eq!(objects.found("CUkernel", 0x10000), (0, true));
        assert_eq!(objects.found("CUfunction", 0x10000), (0, false));
        assert_eq!((objects.any_handle(0x10000), objects.found("CUtexObject", 1)), (Some(0), (1, true)));
        assert!(objects.small_handle(1) == Some((1, false)) && objects.any_handle(1).is_none());
        objects.gone("CUfunction", 0x10000);
        assert_eq!(objects.found("CUfunction", 0x10000), (2, true));
        assert_eq!((objects.found("CUsurfObject", 1), objects.small_handle(1)), ((3, true), Some((1, true))));
        assert_eq!((objects.small_handle(2), objects.small_handle(0x10000)), (None, None));
    }
}
