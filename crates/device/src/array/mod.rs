//! Arrays and what reads them: textures, surfaces, tensor maps; external memory;
//! what graphics libraries share.
//!
//! It may use memory, streams, the address space and what lies below.

pub mod arrays;
pub mod external;
pub mod format;
pub mod graphics;
pub mod image_object;
mod images;
pub mod layout;
pub mod mapping;
pub mod reference;
pub mod semaphore;
pub mod shape;
pub mod store;
pub mod tensor_map;
pub mod texture;

use crate::stream::context::Context;

pub use arrays::{ARRAYS, Array, MIPMAPPED, MipmappedArray, shape_of};
pub use shape::ArrayShape;

/// Ends everything that was made in a context: first what reads arrays, then the arrays.
pub fn free_all_of(context: &Context) {
    texture::free_all_of(context);
    reference::free_all_of(context);
    graphics::free_all_of(context);
    arrays::free_all_of(context);
}
