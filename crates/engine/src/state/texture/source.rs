//! What textures and surfaces read: extents and addresses of the levels behind an object. The device fills these in.

use super::texel::Format;

/// How a texture samples, by the numbers of the API.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampling {
    /// What happens outside, by dimension.
    pub address_modes: [u32; 3],
    /// 0 takes the nearest element, 1 interpolates.
    pub filter: u32,
    /// `CU_TRSF_*` bits.
    pub flags: u32,
    /// Largest anisotropy.
    pub anisotropy: u32,
    /// As `filter`, between mip levels.
    pub level_filter: u32,
    /// Added to the mip level.
    pub level_bias: f32,
    /// Lowest and highest mip level.
    pub level_clamp: [f32; 2],
    /// What is outside, with the mode for that.
    pub border: [f32; 4],
}

/// The tiles of a sparse array: a function of the device and the array that it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Tiles {
    /// The address of byte `x` in row `y` of slice `z` of an array; `None` where no tile is mapped.
    pub find: fn(array: usize, at: [usize; 3]) -> Option<usize>,
    /// The array, as the device knows it.
    pub array: usize,
}

/// Where the bytes are.
#[derive(Clone, Copy, Debug)]
pub enum Backing {
    /// From an address on.
    At(usize),
    /// In tiles.
    Tiles(Tiles),
    /// Nowhere: reads see zeros, writes are lost.
    Nowhere,
    /// Not mapped.
    Missing,
}

/// A level of a texture, or a surface.
#[derive(Clone, Copy, Debug)]
pub struct MipLevel {
    /// Elements along each dimension; 1 where there is none.
    pub extent: [usize; 3],
    /// Where the first element is.
    pub backing: Backing,
    /// Bytes from row to row and from slice to slice.
    pub row: usize,
    pub slice: usize,
}

impl MipLevel {
    /// No memory at all.
    pub const NOTHING: MipLevel = MipLevel { extent: [1; 3], backing: Backing::Nowhere, row: 0, slice: 0 };

    /// The address of byte `x` in row `y` of slice `z`; `None` where nothing is behind it.
    #[inline(always)]
    pub fn address(&self, x: usize, y: usize, z: usize) -> Option<usize> {
        match self.backing {
            Backing::At(base) => Some(base + z * self.slice + y * self.row + x),
            // Fails like memory that is not there.
            Backing::Missing => Some(0),
            Backing::Nowhere => None,
            Backing::Tiles(tiles) => (tiles.find)(tiles.array, [x, y, z]),
        }
    }
}

/// Everything about a texture that sampling needs; plain numbers, so that a fault leaves nothing behind.
#[derive(Clone, Copy)]
pub struct TextureSource {
    /// The levels, from the first that the texture shows.
    pub levels: [MipLevel; MOST_LEVELS],
    /// How many there are.
    pub count: usize,
    /// First layer and layers, where the depth counts layers.
    pub layers: (usize, usize),
    /// Layers count in the depth, six of which are a cube, or are rows.
    pub stack: Stack,
    /// How elements are read.
    pub format: Format,
    /// How they are found and mixed.
    pub sampling: Sampling,
    /// There is no depth.
    pub flat: bool,
    /// A run of elements: outside of it everything is 0.
    pub linear: bool,
    /// The program gave an address, not an array.
    pub bound: bool,
    /// There are levels, or could be.
    pub leveled: bool,
}

/// How layers lie on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// There are none.
    None,
    /// Each is a row.
    Rows,
    /// Each is a plane.
    Planes,
    /// Six planes are one cube.
    Cube,
    /// Six planes each are a cube.
    Cubes,
}

/// Levels of the largest mipmapped array.
pub const MOST_LEVELS: usize = 18;

impl TextureSource {
    /// One level without memory, of elements in a format.
    pub fn new(format: Format, sampling: Sampling) -> TextureSource {
        TextureSource {
            levels: [MipLevel::NOTHING; MOST_LEVELS],
            count: 1,
            layers: (0, 1),
            stack: Stack::None,
            format,
            sampling,
            flat: true,
            linear: false,
            bound: false,
            leveled: false,
        }
    }

    /// A run of elements in memory.
    pub fn of_run(address: usize, bytes: usize, format: Format, sampling: Sampling) -> TextureSource {
        let mut source = TextureSource { bound: true, linear: true, ..TextureSource::new(format, sampling) };
        let width = bytes / format.element_bytes();
        // Memory of less than an element stays nothing.
        if width > 0 {
            let extent = [width, 1, 1];
            source.levels[0] = MipLevel { extent, backing: Backing::At(address), row: bytes, slice: bytes };
        }
        source
    }

    /// Rows of elements in memory, `pitch` bytes apart.
    pub fn of_rows(
        address: usize,
        extent: [usize; 2],
        pitch: usize,
        format: Format,
        sampling: Sampling,
    ) -> TextureSource {
        let mut source = TextureSource { bound: true, ..TextureSource::new(format, sampling) };
        let [width, height] = extent;
        if width > 0 {
            let extent = [width, height.max(1), 1];
            source.levels[0] = MipLevel { extent, backing: Backing::At(address), row: pitch, slice: 0 };
        }
        source
    }

    /// The linear memory that it reads: first address and bytes. `None` for arrays, whose memory no kernel names.
    pub fn span(&self) -> Option<(usize, usize)> {
        let level = &self.levels[0];
        match level.backing {
            Backing::At(address) if self.bound => {
                let [width, height, _] = level.extent;
                Some((
                    address,
                    (height - 1).saturating_mul(level.row).saturating_add(width * self.format.element_bytes()),
                ))
            }
            _ => None,
        }
    }
}

/// What surface instructions access: an array, or a level of one.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// Its elements.
    pub level: MipLevel,
    /// Bytes of a row and of an element.
    pub row_bytes: usize,
    pub element_bytes: usize,
    /// How elements are read and written; `None` for those that have to be moved as they are.
    pub format: Option<Format>,
    /// Width, height and depth as the array was described: 0 for dimensions that it lacks.
    pub extent: [usize; 3],
    /// Layers, faces of cubes one by one; 0 where there are none.
    pub layers: usize,
    /// How they lie on each other.
    pub stack: Stack,
}
