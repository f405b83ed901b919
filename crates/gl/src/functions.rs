//! The functions of OpenGL that are used here.

use crate::library::Library;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

type Bits = c_uint;
type Size = isize;

macro_rules! functions {
    ($(#[$about:meta])* $group:ident { $($name:ident as $symbol:ident($($type:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$about])*
        pub struct $group {
            $(pub $name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
        }

        impl $group {
            /// All of them, or none where one is missing.
            pub fn load(library: Library) -> Option<$group> {
                $(
                    let name = concat!(stringify!($symbol), "\0");
                    let address = library.address(CStr::from_bytes_with_nul(name.as_bytes()).ok()?);
                    if address.is_null() {
                        return None;
                    }
                    // SAFETY: OpenGL's specification gives the function of this name this type.
                    let $name = unsafe {
                        core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) $(-> $result)?>(address)
                    };
                )*
                Some($group { $($name),* })
            }
        }
    };
}

functions! {
    /// What every context has in which something can be shared: OpenGL 3.2, OpenGL ES 3.0.
    Common {
        get_string as glGetString(c_uint) -> *const c_char;
        get_integer as glGetIntegerv(c_uint, *mut c_int);
        is_buffer as glIsBuffer(c_uint) -> u8;
        bind_buffer as glBindBuffer(c_uint, c_uint);
        buffer_parameter_64 as glGetBufferParameteri64v(c_uint, c_uint, *mut i64);
        write_buffer as glBufferSubData(c_uint, Size, Size, *const c_void);
        map_buffer as glMapBufferRange(c_uint, Size, Size, Bits) -> *mut c_void;
        unmap_buffer as glUnmapBuffer(c_uint) -> u8;
        fence as glFenceSync(c_uint, Bits) -> *mut c_void;
        is_fence as glIsSync(*mut c_void) -> u8;
    }
}

functions! {
    /// Names for objects that have none: OpenGL 4.3, OpenGL ES 3.2.
    Labels {
        label as glObjectPtrLabel(*const c_void, c_int, *const c_char);
        label_of as glGetObjectPtrLabel(*const c_void, c_int, *mut c_int, *mut c_char);
    }
}

functions! {
    /// What names its object instead of binding it: OpenGL 4.5.
    Direct {
        is_texture as glIsTexture(c_uint) -> u8;
        is_renderbuffer as glIsRenderbuffer(c_uint) -> u8;
        buffer_parameter_64 as glGetNamedBufferParameteri64v(c_uint, c_uint, *mut i64);
        read_buffer as glGetNamedBufferSubData(c_uint, Size, Size, *mut c_void);
        write_buffer as glNamedBufferSubData(c_uint, Size, Size, *const c_void);
        create_buffers as glCreateBuffers(c_int, *mut c_uint);
        fill_buffer as glNamedBufferData(c_uint, Size, *const c_void, c_uint);
        copy_buffer as glCopyNamedBufferSubData(c_uint, c_uint, Size, Size, Size);
        delete_buffers as glDeleteBuffers(c_int, *const c_uint);
        texture_parameter as glGetTextureParameteriv(c_uint, c_uint, *mut c_int);
        level_parameter as glGetTextureLevelParameteriv(c_uint, c_int, c_uint, *mut c_int);
        read_texture as glGetTextureImage(c_uint, c_int, c_uint, c_uint, c_int, *mut c_void);
        write_texture_1d as glTextureSubImage1D(c_uint, c_int, c_int, c_int, c_uint, c_uint, *const c_void);
        write_texture_2d as glTextureSubImage2D(c_uint, c_int, c_int, c_int, c_int, c_int, c_uint, c_uint, *const c_void);
        write_texture_3d as glTextureSubImage3D(
            c_uint, c_int, c_int, c_int, c_int, c_int, c_int, c_int, c_uint, c_uint, *const c_void
        );
        renderbuffer_parameter as glGetNamedRenderbufferParameteriv(c_uint, c_uint, *mut c_int);
        create_textures as glCreateTextures(c_uint, c_int, *mut c_uint);
        give_storage as glTextureStorage2D(c_uint, c_int, c_uint, c_int, c_int);
        delete_textures as glDeleteTextures(c_int, *const c_uint);
        copy_image as glCopyImageSubData(
            c_uint, c_uint, c_int, c_int, c_int, c_int, c_uint, c_uint, c_int, c_int, c_int, c_int, c_int, c_int, c_int
        );
        pixel_store as glPixelStorei(c_uint, c_int);
    }
}

functions! {
    /// What the compatibility profile has beside it.
    Old {
        get_float as glGetFloatv(c_uint, *mut f32);
        pixel_transfer as glPixelTransferf(c_uint, f32);
        bind_texture as glBindTexture(c_uint, c_uint);
        bind_unit as glBindTextureUnit(c_uint, c_uint);
    }
}

functions! {
    /// What EGL has to make a context and to make it current.
    Egl {
        display as eglGetCurrentDisplay() -> *mut c_void;
        surface as eglGetCurrentSurface(c_int) -> *mut c_void;
        current as eglGetCurrentContext() -> *mut c_void;
        api as eglQueryAPI() -> c_uint;
        bind_api as eglBindAPI(c_uint) -> c_uint;
        query as eglQueryContext(*mut c_void, *mut c_void, c_int, *mut c_int) -> c_uint;
        choose as eglChooseConfig(*mut c_void, *const c_int, *mut *mut c_void, c_int, *mut c_int) -> c_uint;
        create as eglCreateContext(*mut c_void, *mut c_void, *mut c_void, *const c_int) -> *mut c_void;
        make_current as eglMakeCurrent(*mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_uint;
        destroy as eglDestroyContext(*mut c_void, *mut c_void) -> c_uint;
    }
}

/// All functions that a library gives, independent of the context.
pub struct Functions {
    pub egl: Option<Egl>,
    pub common: Common,
    pub direct: Option<Direct>,
    pub old: Option<Old>,
    pub labels: Option<Labels>,
}

impl Functions {
    /// What the library has; nothing where it lacks what every context needs.
    pub fn load(library: Library) -> Option<Functions> {
        Some(Functions {
            egl: if library.is_egl() { Egl::load(library) } else { None },
            common: Common::load(library)?,
            direct: Direct::load(library),
            old: Old::load(library),
            labels: Labels::load(library),
        })
    }
}
