//! State of the context that copies of images depend on, put to what they need and back again.

use crate::context::Context;
use crate::functions::{Direct, Old};
use crate::name::{
    ALPHA_BIAS, ALPHA_SCALE, BLUE_BIAS, BLUE_SCALE, GREEN_BIAS, GREEN_SCALE, MAP_COLOR, PACK_ALIGNMENT, PACK_ZEROS,
    PIXEL_PACK_BUFFER, PIXEL_PACK_BUFFER_BINDING, PIXEL_UNPACK_BUFFER, PIXEL_UNPACK_BUFFER_BINDING, RED_BIAS,
    RED_SCALE, UNPACK_ALIGNMENT, UNPACK_ZEROS,
};

/// Which way pixels go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Out of OpenGL.
    Out,
    /// Into OpenGL.
    In,
}

/// How pixels are stored and changed on their way; dropping it puts back what was.
pub struct Pixels<'a> {
    context: &'a Context,
    direct: &'static Direct,
    buffer: (u32, u32),
    stored: Vec<(u32, i32)>,
    old: Option<(&'static Old, Vec<(u32, f32)>)>,
}

/// What changes colours in the compatibility profile, and what leaves them alone.
const TRANSFER: [(u32, f32); 9] = [
    (MAP_COLOR, 0.0),
    (RED_SCALE, 1.0),
    (RED_BIAS, 0.0),
    (GREEN_SCALE, 1.0),
    (GREEN_BIAS, 0.0),
    (BLUE_SCALE, 1.0),
    (BLUE_BIAS, 0.0),
    (ALPHA_SCALE, 1.0),
    (ALPHA_BIAS, 0.0),
];

impl<'a> Pixels<'a> {
    /// From here on pixels lie in memory without gaps and arrive as they are.
    pub fn plain(context: &'a Context, direct: &'static Direct, way: Way) -> Pixels<'a> {
        let (target, binding, alignment, zeros) = match way {
            Way::Out => (PIXEL_PACK_BUFFER, PIXEL_PACK_BUFFER_BINDING, PACK_ALIGNMENT, PACK_ZEROS),
            Way::In => (PIXEL_UNPACK_BUFFER, PIXEL_UNPACK_BUFFER_BINDING, UNPACK_ALIGNMENT, UNPACK_ZEROS),
        };
        let wanted = zeros.iter().map(|&name| (name, 0)).chain([(alignment, 1)]);
        let stored = wanted.map(|(name, value)| (name, value, context.integer(name)));
        let stored: Vec<_> = stored.filter(|(_, value, was)| value != was).collect();
        let buffer = (target, context.integer(binding) as u32);
        // SAFETY: both are names and values that OpenGL 4.5 has.
        unsafe {
            stored.iter().for_each(|&(name, value, _)| (direct.pixel_store)(name, value));
            if buffer.1 != 0 {
                (context.functions().common.bind_buffer)(target, 0);
            }
        }
        let old = context.old().map(|old| {
            let mut changed = Vec::new();
            for (name, value) in TRANSFER {
                let mut was = [value; 4];
                // SAFETY: the state is one number, and one that the compatibility profile has.
                unsafe { (old.get_float)(name, was.as_mut_ptr()) };
                if was[0] != value {
                    changed.push((name, was[0]));
                    // SAFETY: the same.
                    unsafe { (old.pixel_transfer)(name, value) };
                }
            }
            (old, changed)
        });
        let stored = stored.into_iter().map(|(name, _, was)| (name, was)).collect();
        Pixels { context, direct, buffer, stored, old }
    }
}

impl Drop for Pixels<'_> {
    fn drop(&mut self) {
        // SAFETY: these were the values before, in the context that is still current: it borrows it.
        unsafe {
            self.stored.iter().for_each(|&(name, was)| (self.direct.pixel_store)(name, was));
            if self.buffer.1 != 0 {
                (self.context.functions().common.bind_buffer)(self.buffer.0, self.buffer.1);
            }
            if let Some((old, changed)) = &self.old {
                changed.iter().for_each(|&(name, was)| (old.pixel_transfer)(name, was));
            }
        }
    }
}
