//! Who holds how much of which device, as the calls say.

use core::sync::atomic::{AtomicPtr, Ordering};
use device::base::trace::Trace;
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What an account is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Memory at an address.
    Address(u64),
    /// An array.
    Array(u64),
    /// A mipmapped array.
    MipmappedArray(u64),
    /// Memory of the host at an address.
    Host(u64),
    /// Physical memory, by a number of ours: several handles may stand for it, or none.
    Physical(u64),
}

/// The number of no device, on which memory of the host lies: it counts for nothing.
pub const HOST: i32 = -1;

/// What somebody holds.
#[derive(Debug)]
pub struct Account {
    device: i32,
    /// Its size.
    pub bytes: u64,
    /// Where the program asked for it, and what it asked for, if somebody wants to know.
    pub made: Option<Arc<Made>>,
    /// The context with which it goes, 0 for none.
    context: usize,
    /// The pool that holds it, which counts in its place.
    pool: Option<u64>,
    /// Handles and mappings of physical memory.
    users: usize,
}

/// How memory came to be.
#[derive(Debug)]
pub struct Made {
    /// Calls are numbered in their order.
    pub number: u64,
    /// What it is, in words.
    pub what: &'static str,
    /// Its address or handle.
    pub at: u64,
    /// The program's frames.
    pub trace: Trace,
}

/// All accounts of the process.
#[derive(Default)]
pub struct Accounts {
    accounts: HashMap<Key, Account>,
    /// Bytes by device.
    held: HashMap<i32, u64>,
    /// Pools, with their devices.
    pools: HashMap<u64, i32>,
    /// Handles of physical memory: its number, and how often the handle has been given.
    handles: HashMap<u64, (u64, usize)>,
    /// The last number of physical memory.
    last: u64,
    /// Mappings by address: their bytes, and the number of the physical memory.
    mappings: BTreeMap<u64, (u64, u64)>,
    /// Primary contexts by device.
    primary: HashMap<i32, usize>,
}

impl Accounts {
    /// Bytes that count, without those in pools.
    pub fn held(&self, device: i32) -> u64 {
        self.held.get(&device).copied().unwrap_or(0)
    }

    /// Counts bytes.
    pub fn add(&mut self, device: i32, bytes: u64) {
        let held = self.held.entry(device).or_default();
        *held = held.saturating_add(bytes);
    }

    /// Counts them no more.
    pub fn take_off(&mut self, device: i32, bytes: u64) {
        let held = self.held.entry(device).or_default();
        *held = held.saturating_sub(bytes);
    }

    /// Somebody has `bytes` from now on.
    pub fn open(&mut self, key: Key, device: i32, bytes: u64, context: usize, made: Option<Arc<Made>>) {
        self.put_back(key, Account { device, bytes, made, context, pool: None, users: 1 });
    }

    /// Memory of a pool, which counts by what it holds.
    pub fn give_from_pool(&mut self, address: u64, device: i32, pool: u64, bytes: u64, made: Option<Arc<Made>>) {
        self.pools.entry(pool).or_insert(device);
        let account = Account { device, bytes, made, context: 0, pool: Some(pool), users: 1 };
        self.put_back(Key::Address(address), account);
    }

    /// What [`Self::close`] gave goes on.
    pub fn put_back(&mut self, key: Key, account: Account) {
        if account.pool.is_none() {
            self.add(account.device, account.bytes);
        }
        // An account that is there already is of something that went without our knowledge.
        if let Some(before) = self.accounts.insert(key, account) {
            self.uncount(&before);
        }
    }

    fn uncount(&mut self, account: &Account) {
        if account.pool.is_none() {
            self.take_off(account.device, account.bytes);
        }
    }

    /// Nobody has it any more.
    pub fn close(&mut self, key: Key) -> Option<Account> {
        let account = self.accounts.remove(&key)?;
        self.uncount(&account);
        Some(account)
    }

    /// A pool of a device's memory.
    pub fn pool(&mut self, pool: u64, device: i32) {
        self.pools.insert(pool, device);
    }

    /// The device of a pool that is known.
    pub fn device_of_pool(&self, pool: u64) -> Option<i32> {
        self.pools.get(&pool).copied()
    }

    /// The known pools of a device.
    pub fn pools_of(&self, device: i32) -> Vec<u64> {
        self.pools.iter().filter(|(_, on)| **on == device).map(|(pool, _)| *pool).collect()
    }

    /// A pool is destroyed. It cannot be asked any more; what is allocated there stays until it is freed.
    pub fn pool_gone(&mut self, pool: u64) {
        self.pools.remove(&pool);
        let mut left = Vec::new();
        for account in self.accounts.values_mut().filter(|account| account.pool == Some(pool)) {
            account.pool = None;
            left.push((account.device, account.bytes));
        }
        for (device, bytes) in left {
            self.add(device, bytes);
        }
    }

    /// Physical memory of `bytes` is made, with its first handle.
    pub fn physical(&mut self, handle: u64, device: i32, bytes: u64, made: Option<Arc<Made>>) {
        self.last += 1;
        self.open(Key::Physical(self.last), device, bytes, 0, made);
        self.handles.insert(handle, (self.last, 1));
    }

    /// One handle or mapping of physical memory more.
    fn share(&mut self, number: u64) {
        if let Some(account) = self.accounts.get_mut(&Key::Physical(number)) {
            account.users += 1;
        }
    }

    /// One less: the memory goes with the last.
    fn unshare(&mut self, number: u64) {
        let key = Key::Physical(number);
        if let Some(account) = self.accounts.get_mut(&key) {
            account.users -= 1;
            if account.users == 0 {
                self.close(key);
            }
        }
    }

    /// A handle is given back.
    pub fn release(&mut self, handle: u64) {
        let Some((number, given)) = self.handles.get_mut(&handle) else { return };
        let number = *number;
        *given -= 1;
        if *given == 0 {
            self.handles.remove(&handle);
        }
        self.unshare(number);
    }

    /// A handle for the memory mapped at an address, which may be a new one.
    pub fn retain(&mut self, handle: u64, address: u64) {
        let Some((&start, &(bytes, number))) = self.mappings.range(..=address).next_back() else { return };
        if address - start < bytes {
            self.handles.entry(handle).or_insert((number, 0)).1 += 1;
            self.share(number);
        }
    }

    /// Physical memory is mapped.
    pub fn map(&mut self, address: u64, bytes: u64, handle: u64) {
        if let Some(&(number, _)) = self.handles.get(&handle) {
            self.share(number);
            self.mappings.insert(address, (bytes, number));
        }
    }

    /// All that is mapped in a range is so no more.
    pub fn unmap(&mut self, address: u64, bytes: u64) {
        let end = address.saturating_add(bytes);
        let gone: Vec<_> = self.mappings.range(address..end).map(|(&at, &(_, number))| (at, number)).collect();
        for (at, number) in gone {
            self.mappings.remove(&at);
            self.unshare(number);
        }
    }

    /// A context is gone, and with it what was made in it, which this gives.
    pub fn context_gone(&mut self, context: usize) -> Vec<Account> {
        let of_context = |account: &Account| context != 0 && account.context == context;
        let gone: Vec<Key> = self.accounts.iter().filter(|(_, a)| of_context(a)).map(|(key, _)| *key).collect();
        gone.into_iter().filter_map(|key| self.close(key)).collect()
    }

    /// All that somebody has still.
    pub fn left(&mut self) -> Vec<Account> {
        self.accounts.drain().map(|(_, account)| account).collect()
    }

    /// The primary context of a device.
    pub fn primary(&mut self, device: i32, context: usize) {
        self.primary.insert(device, context);
    }

    /// It is gone.
    pub fn primary_gone(&mut self, device: i32) -> Vec<Account> {
        self.primary.remove(&device).map_or(Vec::new(), |context| self.context_gone(context))
    }
}

/// The accounts of this process. A child of a fork has none of its parent's memory, and must not wait for a lock that one of
/// the parent's threads held: it gets accounts of its own.
pub struct Ledger(AtomicPtr<Mutex<Accounts>>);

/// The one of this process.
pub static ACCOUNTS: Ledger = Ledger(AtomicPtr::new(core::ptr::null_mut()));

impl Ledger {
    /// Whether this process has any.
    pub fn is_there(&self) -> bool {
        !self.0.load(Ordering::Acquire).is_null()
    }

    /// Does something with the accounts, which must not call the driver.
    pub fn with<R>(&self, work: impl FnOnce(&mut Accounts) -> R) -> R {
        let mut at = self.0.load(Ordering::Acquire);
        if at.is_null() {
            let new = Box::into_raw(Box::new(Mutex::new(Accounts::default())));
            match self.0.compare_exchange(at, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => at = new,
                Err(other) => {
                    // SAFETY: nobody has seen it.
                    drop(unsafe { Box::from_raw(new) });
                    at = other;
                }
            }
        }
        // SAFETY: never freed once it is there.
        let accounts = unsafe { &*at };
        work(&mut accounts.lock())
    }
}

extern "C" fn after_fork_in_child() {
    ACCOUNTS.0.store(core::ptr::null_mut(), Ordering::Release);
}

/// Children of this process begin with empty accounts.
pub fn watch_forks() {
    // SAFETY: registers a handler that only stores to an atomic.
    unsafe { libc::pthread_atfork(None, None, Some(after_fork_in_child)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_end_where_they_began() {
        let mut accounts = Accounts::default();
        accounts.open(Key::Address(0x1000), 0, 100, 7, None);
        accounts.open(Key::Array(0x1000), 0, 50, 8, None);
        accounts.physical(9, 1, 1000, None);
        assert_eq!((accounts.held(0), accounts.held(1)), (150, 1000));
        // A free that fails.
        let account = accounts.close(Key::Address(0x1000)).unwrap();
        assert_eq!(accounts.held(0), 50);
        accounts.put_back(Key::Address(0x1000), account);
        assert!(accounts.context_gone(7).len() == 1 && accounts.context_gone(7).is_empty());
        assert_eq!(accounts.held(0), 50);
        // Physical memory outlives its handle while it is mapped.
        accounts.map(0x10000, 0x1000, 9);
        accounts.map(0x20000, 0x1000, 9);
        accounts.release(9);
        accounts.retain(10, 0x20fff);
        accounts.retain(10, 0x20000);
        accounts.retain(11, 0x21000);
        accounts.unmap(0x10000, 0x11000);
        accounts.release(10);
        assert_eq!(accounts.held(1), 1000);
        accounts.release(10);
        accounts.release(10);
        assert_eq!(accounts.held(1), 0);
        assert!(accounts.mappings.is_empty() && accounts.handles.is_empty());
        // What a destroyed pool had given counts by itself.
        accounts.pool(5, 1);
        accounts.give_from_pool(0x5000, 1, 5, 64, None);
        assert_eq!((accounts.held(1), accounts.pools_of(1)), (0, vec![5]));
        accounts.pool_gone(5);
        assert_eq!((accounts.held(1), accounts.pools_of(1)), (64, vec![]));
        accounts.close(Key::Address(0x5000));
        accounts.primary(0, 8);
        accounts.primary_gone(1);
        assert_eq!(accounts.held(0), 50);
        accounts.primary_gone(0);
        assert_eq!((accounts.held(0), accounts.held(1), accounts.accounts.len()), (0, 0, 0));
    }
}
