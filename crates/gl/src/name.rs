//! The numbers of OpenGL's headers that are used here, by their names there.

macro_rules! names {
    ($($name:ident = $value:literal;)*) => { $(pub const $name: u32 = $value;)* };
}

names! {
    VERSION = 0x1F02;
    CONTEXT_PROFILE_MASK = 0x9126;
    CONTEXT_COMPATIBILITY_PROFILE_BIT = 0x2;
    SYNC_GPU_COMMANDS_COMPLETE = 0x9117;

    BUFFER_SIZE = 0x8764;
    BUFFER_MAPPED = 0x88BC;
    BUFFER_ACCESS_FLAGS = 0x911F;
    BUFFER_IMMUTABLE_STORAGE = 0x821F;
    BUFFER_STORAGE_FLAGS = 0x8220;
    DYNAMIC_STORAGE_BIT = 0x100;
    MAP_READ_BIT = 0x1;
    MAP_PERSISTENT_BIT = 0x40;
    STREAM_COPY = 0x88E2;
    COPY_READ_BUFFER = 0x8F36;
    COPY_WRITE_BUFFER = 0x8F37;
    PIXEL_PACK_BUFFER = 0x88EB;
    PIXEL_UNPACK_BUFFER = 0x88EC;
    PIXEL_PACK_BUFFER_BINDING = 0x88ED;
    PIXEL_UNPACK_BUFFER_BINDING = 0x88EF;

    TEXTURE_1D = 0x0DE0;
    TEXTURE_2D = 0x0DE1;
    TEXTURE_3D = 0x806F;
    TEXTURE_RECTANGLE = 0x84F5;
    TEXTURE_CUBE_MAP = 0x8513;
    TEXTURE_1D_ARRAY = 0x8C18;
    TEXTURE_2D_ARRAY = 0x8C1A;
    TEXTURE_CUBE_MAP_ARRAY = 0x9009;
    RENDERBUFFER = 0x8D41;
    TEXTURE_TARGET = 0x1006;
    ACTIVE_TEXTURE = 0x84E0;
    TEXTURE0 = 0x84C0;
    TEXTURE_WIDTH = 0x1000;
    TEXTURE_HEIGHT = 0x1001;
    TEXTURE_DEPTH = 0x8071;
    TEXTURE_INTERNAL_FORMAT = 0x1003;
    TEXTURE_RED_SIZE = 0x805C;
    TEXTURE_ALPHA_SIZE = 0x805F;
    TEXTURE_LUMINANCE_SIZE = 0x8060;
    TEXTURE_INTENSITY_SIZE = 0x8061;
    RENDERBUFFER_WIDTH = 0x8D42;
    RENDERBUFFER_HEIGHT = 0x8D43;
    RENDERBUFFER_INTERNAL_FORMAT = 0x8D44;
    RENDERBUFFER_RED_SIZE = 0x8D50;
    RENDERBUFFER_SAMPLES = 0x8CAB;

    BYTE = 0x1400;
    UNSIGNED_BYTE = 0x1401;
    SHORT = 0x1402;
    UNSIGNED_SHORT = 0x1403;
    INT = 0x1404;
    UNSIGNED_INT = 0x1405;
    FLOAT = 0x1406;
    HALF_FLOAT = 0x140B;
    STENCIL = 0x1901;
    RED = 0x1903;
    ALPHA = 0x1906;
    RGBA = 0x1908;
    LUMINANCE = 0x1909;
    LUMINANCE_ALPHA = 0x190A;
    RG = 0x8227;
    INTENSITY = 0x8049;
    RED_INTEGER = 0x8D94;
    RG_INTEGER = 0x8228;
    RGBA_INTEGER = 0x8D99;
    ALPHA_INTEGER = 0x8D97;
    LUMINANCE_ALPHA_INTEGER = 0x8D9D;

    PACK_ALIGNMENT = 0x0D05;
    UNPACK_ALIGNMENT = 0x0CF5;
    MAP_COLOR = 0x0D10;
    RED_SCALE = 0x0D14;
    RED_BIAS = 0x0D15;
    GREEN_SCALE = 0x0D18;
    GREEN_BIAS = 0x0D19;
    BLUE_SCALE = 0x0D1A;
    BLUE_BIAS = 0x0D1B;
    ALPHA_SCALE = 0x0D1C;
    ALPHA_BIAS = 0x0D1D;
}

/// Swapped bytes, order of bits, row length, skipped rows and pixels, image height, skipped images: 0 is what everybody means.
pub const PACK_ZEROS: [u32; 7] = [0x0D00, 0x0D01, 0x0D02, 0x0D03, 0x0D04, 0x806C, 0x806B];
/// The same for what is written to OpenGL.
pub const UNPACK_ZEROS: [u32; 7] = [0x0CF0, 0x0CF1, 0x0CF2, 0x0CF3, 0x0CF4, 0x806E, 0x806D];

/// Each kind of texture, and its binding to a unit.
pub const TEXTURE_BINDINGS: [(u32, u32); 11] = [
    (TEXTURE_1D, 0x8068),
    (TEXTURE_2D, 0x8069),
    (TEXTURE_3D, 0x806A),
    (TEXTURE_1D_ARRAY, 0x8C1C),
    (TEXTURE_2D_ARRAY, 0x8C1D),
    (TEXTURE_RECTANGLE, 0x84F6),
    (TEXTURE_CUBE_MAP, 0x8514),
    (TEXTURE_CUBE_MAP_ARRAY, 0x900A),
    (0x8C2A, 0x8C2C),
    (0x9100, 0x9104),
    (0x9102, 0x9105),
];

/// What can be shared as an image.
pub const IMAGE_TARGETS: [u32; 6] =
    [TEXTURE_2D, TEXTURE_3D, TEXTURE_RECTANGLE, TEXTURE_CUBE_MAP, TEXTURE_2D_ARRAY, RENDERBUFFER];

/// What a texture can be that is shared, by the name of another kind of image, although it cannot be named as what it is.
const UNNAMED_TARGETS: [u32; 3] = [TEXTURE_1D, TEXTURE_1D_ARRAY, TEXTURE_CUBE_MAP_ARRAY];

/// True for what a texture is that can be shared.
pub fn is_shared_target(target: u32) -> bool {
    is_image_target(target) || UNNAMED_TARGETS.contains(&target)
}

/// True for what can be shared as an image: a kind of texture, or a renderbuffer.
pub fn is_image_target(target: u32) -> bool {
    IMAGE_TARGETS.contains(&target)
}
