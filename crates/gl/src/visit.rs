//! Contexts that are current for the time of a copy: of objects that the program's current one does not know.

use crate::context::{Context, Group};
use crate::functions::Egl;
use core::ffi::{c_int, c_uint, c_void};
use core::ops::Deref;
use core::ptr;

const NONE: c_int = 0x3038;
const CONFIG_ID: c_int = 0x3028;
const DRAW: c_int = 0x3059;
const READ: c_int = 0x305A;
const MAJOR_VERSION: c_int = 0x3098;
const MINOR_VERSION: c_int = 0x30FB;
const PROFILE_MASK: c_int = 0x30FD;
const CORE_PROFILE_BIT: c_int = 1;
const OPENGL_ES_API: c_uint = 0x30A0;
const OPENGL_API: c_uint = 0x30A2;

/// A context of EGL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    display: usize,
    context: usize,
    embedded: bool,
    version: (u32, u32),
}

impl Home {
    /// The current one, if it is EGL's.
    pub(crate) fn of(context: &Context) -> Option<Home> {
        let egl = context.egl()?;
        // SAFETY: plain questions, which every thread may ask.
        let (display, current) = unsafe { ((egl.display)(), (egl.current)()) };
        let (embedded, version) = context.kind();
        Some(Home { display: display as usize, context: current as usize, embedded, version })
    }

    /// A context that shares its objects, or null. The calling thread's API is the one that it is of.
    fn share(self, egl: &Egl) -> *mut c_void {
        let display = self.display as *mut c_void;
        let home = self.context as *mut c_void;
        let mut config = ptr::null_mut();
        let (mut id, mut found) = (0, 0);
        let (major, minor) = (self.version.0 as c_int, self.version.1 as c_int);
        let mut wanted = vec![MAJOR_VERSION, major, MINOR_VERSION, minor];
        if !self.embedded {
            wanted.extend([PROFILE_MASK, CORE_PROFILE_BIT]);
        }
        wanted.push(NONE);
        // SAFETY: EGL checks displays and contexts, also those that are gone; lists end with EGL_NONE, and there is room for one config.
        unsafe {
            if (egl.query)(display, home, CONFIG_ID, &raw mut id) == 0 {
                return ptr::null_mut();
            }
            let of_id = [CONFIG_ID, id, NONE];
            if id != 0 && (egl.choose)(display, of_id.as_ptr(), &raw mut config, 1, &raw mut found) == 0 {
                return ptr::null_mut();
            }
            (egl.create)(display, config, home, wanted.as_ptr())
        }
    }
}

/// A context of ours that is current instead of the program's, which is current again when this is dropped.
pub struct Visit {
    context: Option<Context>,
    egl: &'static Egl,
    display: *mut c_void,
    own: *mut c_void,
    before: Before,
}

/// What the calling thread had.
struct Before {
    api: c_uint,
    display: *mut c_void,
    surfaces: [*mut c_void; 2],
    context: *mut c_void,
}

impl Visit {
    /// Makes a context current that knows the objects of a group. There has to be a current one, and the group's has to be EGL's, and
    /// there still.
    pub fn to(group: Group) -> Option<Visit> {
        let egl = Context::current()?.egl()?;
        let home = group.home?;
        // SAFETY: plain questions, which every thread may ask.
        let before = unsafe {
            let surfaces = [(egl.surface)(DRAW), (egl.surface)(READ)];
            Before { api: (egl.api)(), display: (egl.display)(), surfaces, context: (egl.current)() }
        };
        // SAFETY: it is one of the APIs.
        unsafe { (egl.bind_api)(if home.embedded { OPENGL_ES_API } else { OPENGL_API }) };
        let display = home.display as *mut c_void;
        let own = home.share(egl);
        let mut visit = Visit { context: None, egl, display, own, before };
        if own.is_null() {
            return None;
        }
        // SAFETY: a context that was made here, without surfaces; where EGL does not allow that, it says so.
        if unsafe { (egl.make_current)(display, ptr::null_mut(), ptr::null_mut(), own) } == 0 {
            return None;
        }
        visit.context = Some(Context::current().filter(|context| context.is_of(group))?);
        Some(visit)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let Before { api, display, surfaces, context } = self.before;
        // SAFETY: all of it was current before on this thread; the context that goes was made above, and nobody else has it.
        unsafe {
            (self.egl.make_current)(display, surfaces[0], surfaces[1], context);
            (self.egl.bind_api)(api);
            if !self.own.is_null() {
                (self.egl.destroy)(self.display, self.own);
            }
        }
    }
}

/// The context to use an object of a group with: the current one, or one for the time of a visit.
pub enum Place {
    /// The program's.
    Here(Context),
    /// Ours.
    There(Visit),
}

impl Place {
    /// Where objects of a group are known, if a context is current at all.
    pub fn of(group: Group) -> Option<Place> {
        let current = Context::current()?;
        if current.is_of(group) {
            return Some(Place::Here(current));
        }
        Visit::to(group).map(Place::There)
    }
}

impl Deref for Place {
    type Target = Context;

    fn deref(&self) -> &Context {
        match self {
            Place::Here(context) => context,
            Place::There(visit) => visit.context.as_ref().expect("there while the visit is"),
        }
    }
}
