//! Buffers: their size and contents.

use crate::context::Context;
use crate::name::{
    BUFFER_ACCESS_FLAGS, BUFFER_IMMUTABLE_STORAGE, BUFFER_MAPPED, BUFFER_SIZE, BUFFER_STORAGE_FLAGS, COPY_READ_BUFFER,
    COPY_WRITE_BUFFER, DYNAMIC_STORAGE_BIT, MAP_PERSISTENT_BIT, MAP_READ_BIT, STREAM_COPY,
};
use core::ptr;
use error::{Error, Result, refuse_if};

/// A buffer of the current context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name.
    pub name: u32,
    /// Its size in bytes.
    pub size: usize,
}

/// Binds a buffer as long as it lives, where OpenGL has no other way to name it.
struct Bound<'a> {
    context: &'a Context,
    target: u32,
    before: u32,
}

impl<'a> Bound<'a> {
    fn new(context: &'a Context, target: u32, name: u32) -> Bound<'a> {
        // The names of these two targets are those of their bindings, too.
        let before = context.integer(target) as u32;
        // SAFETY: the name is that of a buffer: who makes a `Bound` has asked.
        unsafe { (context.functions().common.bind_buffer)(target, name) };
        Bound { context, target, before }
    }

    fn parameter(&self, name: u32) -> i64 {
        let mut value = 0;
        // SAFETY: a buffer is bound; the answer is one number.
        unsafe { (self.context.functions().common.buffer_parameter_64)(self.target, name, &raw mut value) };
        value
    }
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        // SAFETY: this was bound before.
        unsafe { (self.context.functions().common.bind_buffer)(self.target, self.before) };
    }
}

impl Context {
    fn buffer_parameter(&self, buffer: u32, name: u32) -> i64 {
        match self.direct() {
            Some(direct) => {
                let mut value = 0;
                // SAFETY: `buffer` is one, as the callers have asked; the answer is one number.
                unsafe { (direct.buffer_parameter_64)(buffer, name, &raw mut value) };
                value
            }
            None => Bound::new(self, COPY_READ_BUFFER, buffer).parameter(name),
        }
    }

    /// The buffer of a name, as it is now.
    pub fn buffer(&self, name: u32) -> Result<Buffer> {
        // SAFETY: any number may be asked about.
        let known = unsafe { (self.functions().common.is_buffer)(name) } != 0;
        refuse_if!(
            Error::INVALID_HANDLE,
            !known,
            "buffer {} is not the name of a buffer of the current OpenGL context",
            name
        );
        let size = usize::try_from(self.buffer_parameter(name, BUFFER_SIZE)).unwrap_or(0);
        Ok(Buffer { name, size })
    }

    /// Whether a buffer is still what it was.
    pub fn has_buffer(&self, buffer: Buffer) -> bool {
        self.buffer(buffer.name) == Ok(buffer)
    }

    /// Whether the program has mapped a buffer, so that its contents cannot be copied.
    pub fn is_host_mapped(&self, buffer: Buffer) -> bool {
        self.buffer_parameter(buffer.name, BUFFER_MAPPED) != 0
            && self.buffer_parameter(buffer.name, BUFFER_ACCESS_FLAGS) & i64::from(MAP_PERSISTENT_BIT) == 0
    }

    fn check_buffer(&self, buffer: Buffer) -> Result<()> {
        let there = self.has_buffer(buffer);
        let mapped = there && self.is_host_mapped(buffer);
        refuse_if!(Error::UNKNOWN, mapped, "OpenGL buffer {} is mapped by glMapBuffer", buffer.name);
        refuse_if!(Error::UNKNOWN, !there, "OpenGL buffer {} has other storage than before", buffer.name);
        Ok(())
    }

    /// Copies a buffer's first bytes out, once all that OpenGL was given before is complete.
    pub fn read_buffer(&self, buffer: Buffer, to: &mut [u8]) -> Result<()> {
        self.check_buffer(buffer)?;
        let bytes = to.len().min(buffer.size);
        if bytes == 0 {
            return Ok(());
        }
        let to = to.as_mut_ptr();
        if let Some(direct) = self.direct() {
            // SAFETY: so many bytes are borrowed, and the buffer has as many.
            unsafe { (direct.read_buffer)(buffer.name, 0, bytes as isize, to.cast()) };
            return Ok(());
        }
        let bound = Bound::new(self, COPY_READ_BUFFER, buffer.name);
        let common = &self.functions().common;
        // SAFETY: a buffer that has as many bytes is bound and not mapped; the mapping is read here and ended.
        unsafe {
            let from = (common.map_buffer)(bound.target, 0, bytes as isize, MAP_READ_BIT);
            refuse_if!(Error::UNKNOWN, from.is_null(), "OpenGL does not map buffer {} for reading", buffer.name);
            ptr::copy_nonoverlapping(from.cast::<u8>(), to, bytes);
            (common.unmap_buffer)(bound.target);
        }
        Ok(())
    }

    /// Replaces a buffer's first bytes, before all that OpenGL is given after.
    pub fn write_buffer(&self, buffer: Buffer, from: &[u8]) -> Result<()> {
        self.check_buffer(buffer)?;
        let (bytes, from) = (from.len().min(buffer.size) as isize, from.as_ptr());
        if bytes == 0 {
            return Ok(());
        }
        let Some(direct) = self.direct() else {
            let bound = Bound::new(self, COPY_WRITE_BUFFER, buffer.name);
            // SAFETY: so many bytes are borrowed, and the bound buffer has as many.
            unsafe { (self.functions().common.write_buffer)(bound.target, 0, bytes, from.cast()) };
            return Ok(());
        };
        let fixed = self.buffer_parameter(buffer.name, BUFFER_IMMUTABLE_STORAGE) != 0
            && self.buffer_parameter(buffer.name, BUFFER_STORAGE_FLAGS) & i64::from(DYNAMIC_STORAGE_BIT) == 0;
        // SAFETY: so many bytes are borrowed, and both buffers have as many. What cannot be written from the host can be
        // copied to.
        unsafe {
            if fixed {
                let mut other = 0;
                (direct.create_buffers)(1, &raw mut other);
                (direct.fill_buffer)(other, bytes, from.cast(), STREAM_COPY);
                (direct.copy_buffer)(other, buffer.name, 0, 0, bytes);
                (direct.delete_buffers)(1, &raw const other);
            } else {
                (direct.write_buffer)(buffer.name, 0, bytes, from.cast());
            }
        }
        Ok(())
    }
}
