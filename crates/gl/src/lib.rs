//! The OpenGL that the process has loaded, seen from beside the program: whether a context is current on the calling thread,
//! and the contents of its buffers, textures and renderbuffers, copied in and out.
//!
//! Nothing is loaded that the program has not loaded. No state of the context is left changed, and no error is put into it:
//! what could be refused is asked about first, so that `glGetError`, which is the program's, is never called.
//!
//! Where the thread's context does not know an object, one that shares with the object's is current for the time of a copy.

mod buffer;
mod context;
mod format;
mod functions;
mod image;
mod library;
mod name;
mod saved;
mod visit;

pub use buffer::Buffer;
pub use context::{Context, Group, has_been_current, is_loaded};
pub use format::{Component, Format};
pub use image::{Image, Kind};
pub use name::{IMAGE_TARGETS, is_image_target};
pub use visit::Place;
