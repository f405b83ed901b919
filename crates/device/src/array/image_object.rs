//! What texture and surface objects have in common: kernels know them by their handles, so a destroyed object stays until the
//! work that was given before is complete.

use crate::base::handle::Table;
use crate::stream::context;
use crate::stream::context::{CONTEXTS, Context};
use error::{Error, Result, refuse};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What an object of one kind describes.
pub trait Description: Sized + Send + Sync + 'static {
    /// What the program calls the objects.
    const NAME: &'static str;

    /// All objects of the kind, with those that were destroyed and that work in flight may use.
    fn table() -> &'static Table<ImageObject<Self>>;
}

/// A texture or surface object.
pub struct ImageObject<T> {
    /// The handle that the program has.
    pub handle: usize,
    description: T,
    context_id: u64,
    /// The program has destroyed it: only work that was given before may still find it.
    destroyed: AtomicBool,
}

impl<T> Deref for ImageObject<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.description
    }
}

/// Removes a destroyed object from its table when the last holder drops this.
struct Farewell<T: Description>(Arc<ImageObject<T>>);

impl<T: Description> Drop for Farewell<T> {
    fn drop(&mut self) {
        T::table().remove(self.0.handle);
    }
}

impl<T: Description> ImageObject<T> {
    /// Enters an object of a context.
    pub(super) fn enter(context: &Context, description: T) -> Result<Arc<Self>> {
        let (context_id, destroyed) = (context.id, AtomicBool::new(false));
        let make = |handle| Arc::new(ImageObject { handle, description, context_id, destroyed });
        let entered = T::table().insert_with(make);
        context.owns(entered.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many {}", T::NAME))?)
    }

    /// The live object of the current context behind a handle.
    pub fn find(handle: usize) -> Result<Arc<Self>> {
        let is_live =
            |object: &Arc<Self>| !object.destroyed.load(Ordering::Acquire) && context::is_current(object.context_id);
        T::table().get(handle).filter(is_live).ok_or_else(|| T::table().stale(Error::INVALID_VALUE, handle))
    }

    /// Destroys an object. Work that its context was given before still uses it: a kernel may have the handle from anywhere,
    /// so all of that work counts.
    pub fn destroy(handle: usize) {
        let Some(object) = T::table().get(handle) else { return };
        if object.destroyed.swap(true, Ordering::AcqRel) {
            return;
        }
        let id = object.context_id;
        let farewell = Arc::new(Farewell(object));
        if let Some(context) = CONTEXTS.all().into_iter().find(|context| context.id == id) {
            context.group.keep(farewell);
        }
    }

    /// Ends all objects of a context.
    pub(super) fn free_all_of(context: &Context) {
        for object in T::table().all().into_iter().filter(|object| object.context_id == context.id) {
            T::table().remove(object.handle);
        }
    }
}
