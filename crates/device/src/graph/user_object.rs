//! User objects: counted references to something of the program, which graphs can own.

use crate::base::handle::{HandleKind, Table};
use crate::stream::executor;
use crate::stream::executor::Service;
use crate::stream::thread_state;
use error::{Error, Result, refuse};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is called when the last reference is gone.
pub type Destructor = Box<dyn FnOnce() + Send>;

/// An object of the program with counted references.
pub struct UserObject {
    /// The handle that the program has.
    pub handle: usize,
    state: Mutex<(u32, Option<Destructor>)>,
}

pub(crate) static OBJECTS: Table<UserObject> = Table::new(HandleKind::UserObject);

impl UserObject {
    /// An object with `count` references.
    pub fn create(count: u32, destructor: Destructor) -> Result<Arc<UserObject>> {
        OBJECTS
            .insert_with(|handle| Arc::new(UserObject { handle, state: Mutex::new((count, Some(destructor))) }))
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many user objects"))
    }

    /// The live object behind a handle.
    pub fn find(handle: usize) -> Result<Arc<UserObject>> {
        OBJECTS.get_or(handle, Error::INVALID_VALUE)
    }

    /// Adds references.
    pub fn retain(&self, count: u32) {
        let mut state = self.state.lock();
        state.0 = state.0.saturating_add(count);
    }

    /// Drops references; with the last one the destructor is called, on a thread of ours. False when there are fewer.
    pub fn release(&self, count: u32) -> bool {
        let destructor = {
            let mut state = self.state.lock();
            if state.0 < count {
                return false;
            }
            state.0 -= count;
            if state.0 > 0 {
                return true;
            }
            state.1.take()
        };
        OBJECTS.remove(self.handle);
        if let Some(destructor) = destructor {
            call_later(destructor);
        }
        true
    }
}

struct Queue {
    waiting: VecDeque<Destructor>,
    started: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { waiting: VecDeque::new(), started: false });
static ADDED: Condvar = Condvar::new();

/// Calls a destructor on a thread for destructors: it may take as long as it likes and hold any lock of the
/// program, but may not call the driver.
fn call_later(destructor: Destructor) {
    let mut queue = QUEUE.lock();
    queue.waiting.push_back(destructor);
    if !core::mem::replace(&mut queue.started, true) {
        static SERVICE: Service = Service { name: "doppel-objects", serve, round };
        executor::start(&SERVICE);
    }
    ADDED.notify_one();
}

/// Calls the waiting destructors in place of the thread. True if there were any.
fn round() -> bool {
    let waiting = core::mem::take(&mut QUEUE.lock().waiting);
    let some = !waiting.is_empty();
    waiting.into_iter().for_each(thread_state::in_callback);
    some
}

fn serve() {
    loop {
        let destructor = {
            let mut queue = QUEUE.lock();
            loop {
                match queue.waiting.pop_front() {
                    Some(destructor) => break destructor,
                    None => ADDED.wait(&mut queue),
                }
            }
        };
        thread_state::in_callback(destructor);
    }
}
