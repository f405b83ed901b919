//! External memory: memory that another API of this machine made, imported by its descriptor and mapped as linear
//! memory or as a mipmapped array.

use crate::array::arrays::MipmappedArray;
use crate::array::shape::ArrayShape;
use crate::array::store::Provided;
use crate::base::handle::{HandleKind, Table};
use crate::memory::physical;
use crate::memory::physical::{Backing, Window};
use crate::memory::space;
use crate::memory::{Allocation, Extra, MemoryKind};
use crate::space::Piece;
use crate::stream::context::Context;
use error::{Error, Result, refuse, refuse_if};
use std::sync::{Arc, Weak};

/// Imported memory. It lives as long as its handle or a mapping of it.
pub struct ExternalMemory {
    handle: usize,
    file: Arc<Backing>,
    /// Where it was imported: mappings as linear memory belong there.
    context: Weak<Context>,
}

pub(crate) static MEMORIES: Table<ExternalMemory> = Table::new(HandleKind::ExternalMemory);

/// Files are mapped by these.
const PAGE: usize = 4096;
/// The offset of an array is a multiple of this: a block of the device.
const ARRAY_ALIGNMENT: usize = 512;

/// Imports `size` bytes behind a descriptor, which stays the caller's. Memory files are understood: ours, and those
/// of software that renders on the CPU. Anything else is [`Error::UNKNOWN`].
pub fn import(context: &Arc<Context>, descriptor: i32, size: usize) -> Result<usize> {
    refuse_if!(Error::INVALID_VALUE, size == 0, "memHandleDesc: size is 0");
    let file = physical::open_foreign(descriptor, 1, size)?;
    let context = Arc::downgrade(context);
    let memory = MEMORIES.insert_with(|handle| Arc::new(ExternalMemory { handle, file, context }));
    Ok(memory.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many external memories"))?.handle)
}

/// Destroys the handle of imported memory; mappings of it stay.
pub fn destroy(handle: usize) -> Result<()> {
    MEMORIES.remove(handle).map(drop).ok_or_else(|| MEMORIES.stale(Error::INVALID_VALUE, handle))
}

/// Maps a part of imported memory as device memory, which is freed like any other. It begins in its page as `offset` does.
pub fn map(handle: usize, offset: usize, size: usize) -> Result<Arc<Allocation>> {
    let memory = MEMORIES.get_or(handle, Error::INVALID_VALUE).map_err(|error| error.of("extMem"))?;
    let context = memory
        .context
        .upgrade()
        .ok_or_else(|| refuse!(Error::CONTEXT_IS_DESTROYED, "extMem: the context of its import was destroyed"))?;
    let end = offset
        .checked_add(size)
        .ok_or_else(|| refuse!(Error::INVALID_VALUE, "bufferDesc: offset {} + size {} is too large", offset, size))?;
    refuse_if!(Error::INVALID_VALUE, size == 0, "bufferDesc: size is 0");
    refuse_if!(
        Error::INVALID_VALUE,
        end > memory.file.size(),
        "bufferDesc: offset {} + size {} is more than the memory has, {}",
        offset,
        size,
        memory.file.size()
    );
    let lead = offset % PAGE;
    // Whoever guesses the address finds it with its pages, and may free it.
    let fill = |piece: Piece| memory.file.map_part(piece.base, offset - lead, lead + size);
    let make = |piece| {
        let builder = Allocation::builder(&context.device, piece, size, MemoryKind::Device).of(&context);
        builder.build_with(|| Extra { file: Some(memory.file.clone()), imported: true, ..Extra::default() })
    };
    context.owns(space()?.fill_range(size, lead, fill, make)?)
}

/// Bytes of an image of Mesa's Vulkan on the CPU, which lie as ours do where no row and no level has a gap behind it there: rows begin at
/// multiples of 64 bytes, and there are as many as blocks of four rows have. What is laid out otherwise is
/// [`Error::NOT_SUPPORTED`].
fn bytes_without_gaps(shape: &ArrayShape, levels: u32) -> Result<usize> {
    let all = || (0..levels).map(|level| shape.level(level));
    refuse_if!(
        Error::NOT_SUPPORTED,
        !all().all(|level| level.row_bytes().is_multiple_of(64) && level.rows().is_multiple_of(4)),
        "Width {} x Height {}: rows of Mesa's images have gaps, unless those of all levels are multiples of 64 bytes, and 4 or a multiple of 4",
        shape.width,
        shape.height
    );
    Ok(all().map(|level| level.bytes()).sum())
}

/// Maps a part of imported memory as a mipmapped array of exactly `levels` levels. `offset` is a multiple of
/// [`ARRAY_ALIGNMENT`]; from there on the memory has to hold what the device would take.
///
/// The device chooses the layout of the elements, as the real one does. Here rows follow each other, level after level.
pub fn map_mipmapped(
    context: &Arc<Context>,
    handle: usize,
    offset: usize,
    shape: ArrayShape,
    levels: u32,
) -> Result<Arc<MipmappedArray>> {
    let memory = MEMORIES.get_or(handle, Error::INVALID_VALUE).map_err(|error| error.of("extMem"))?;
    refuse_if!(
        Error::INVALID_VALUE,
        !offset.is_multiple_of(ARRAY_ALIGNMENT),
        "mipmapDesc: offset {} is not a multiple of {}",
        offset,
        ARRAY_ALIGNMENT
    );
    MipmappedArray::create_in(context, shape, levels, |bytes| {
        let bytes = if memory.file.is_of_mesa() { bytes_without_gaps(&shape, levels)? } else { bytes };
        let end = offset
            .checked_add(bytes)
            .ok_or_else(|| refuse!(Error::INVALID_VALUE, "mipmapDesc: offset {} is too large", offset))?;
        refuse_if!(
            Error::INVALID_VALUE,
            end > memory.file.size(),
            "mipmapDesc: offset {} + {} bytes is more than the memory has, {}",
            offset,
            bytes,
            memory.file.size()
        );
        let (window, base) = Window::of_part(&memory.file, offset, bytes)?;
        Ok(Provided { base, owner: window })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::memory_file::MemoryFile;
    use crate::memory;
    use crate::space::CHUNK;
    use crate::testing::context_alone;

    fn imported(context: &Arc<Context>) -> usize {
        let file = MemoryFile::create(CHUNK as u64).unwrap();
        import(context, file.descriptor().unwrap(), CHUNK).unwrap()
    }

    #[test]
    fn what_is_mapped_after_the_end_of_its_context_does_not_stay() {
        let context = context_alone();
        let external = imported(&context);
        let file = |a: &Allocation| a.extra.lock().file.is_some() && a.context == context.id;
        let mapped = map(external, 0, CHUNK).unwrap();
        context.destroy();
        assert!(memory::find(mapped.base).is_none());
        assert_eq!(map(external, 0, CHUNK).err(), Some(Error::CONTEXT_IS_DESTROYED));
        assert!(space().unwrap().collect(file).is_empty());
        destroy(external).unwrap();
    }

    #[test]
    fn only_memory_files_can_be_imported() {
        let context = crate::testing::context();
        assert_eq!(import(&context, -1, 4096), Err(Error::UNKNOWN));
        assert_eq!(import(&context, 1 << 20, 4096), Err(Error::UNKNOWN));
        assert_eq!(import(&context, 0, 0), Err(Error::INVALID_VALUE));
        assert_eq!(destroy(0), Err(Error::INVALID_VALUE));
        assert_eq!(destroy(usize::MAX), Err(Error::INVALID_VALUE));
    }
}
