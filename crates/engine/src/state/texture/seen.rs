//! Textures and surfaces that the warps of a block have used: a launch finds each of them once.
//!
//! What a handle means does not change while a kernel may use it.

use super::lanes::plan::Plan;
use super::source::TextureSource;

/// The objects of a kind that were used last, by their handles.
pub struct Seen<T> {
    all: Vec<(u64, Box<T>)>,
    /// The next one that makes room.
    oldest: usize,
}

/// A texture.
pub struct SeenTexture {
    /// What it reads.
    pub source: TextureSource,
    /// How it is sampled for all lanes at once, if that can be.
    pub plan: Option<Plan>,
}

/// Objects that are kept.
const MOST: usize = 8;

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Seen { all: Vec::new(), oldest: 0 }
    }
}

impl<T> Seen<T> {
    /// The object behind a handle, if it was seen.
    #[inline]
    pub fn find(&self, handle: u64) -> Option<&T> {
        self.all.iter().find(|(of, _)| *of == handle).map(|(_, object)| &**object)
    }

    /// Keeps an object.
    pub fn keep(&mut self, handle: u64, object: T) {
        let entry = (handle, Box::new(object));
        if self.all.len() < MOST {
            self.all.push(entry);
        } else {
            self.all[self.oldest % MOST] = entry;
            self.oldest = self.oldest.wrapping_add(1);
        }
    }
}
