//! What libraries have in common that stand over the real library of their name ([`shim!`](crate::shim!)).

use crate::{Gate, Library, existing, library_path, open_beside, python_folders, system_cache, toolkit_folders};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_void};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use settings::config::{self, Mode};
use settings::log;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The path of the real library, written by whoever put ours in its place; all zero: unknown.
pub struct Place(UnsafeCell<[u8; 4096]>);

// SAFETY: it is written before the first call into the library.
unsafe impl Sync for Place {}

impl Place {
    /// An unknown path.
    pub const fn unknown() -> Place {
        Place(UnsafeCell::new([0; 4096]))
    }

    fn path(&self) -> Option<PathBuf> {
        // SAFETY: the bytes are there; another library may have written them, which the compiler must not guess away.
        let bytes = unsafe { ptr::read_volatile(self.0.get()) };
        let length = bytes.iter().position(|&b| b == 0)?;
        (length > 0).then(|| PathBuf::from(OsStr::from_bytes(&bytes[..length])))
    }
}

/// A library of ours over a real one.
pub struct Shim {
    /// Name of the file, ours and the real one's.
    pub file: &'static str,
    /// The variable that names the real file.
    pub variable: &'static str,
    /// A function that the real one has.
    pub probe: &'static CStr,
    /// Our own export of that name.
    pub ours: fn() -> *const c_void,
    /// What was written about the real one; null: nothing can have been.
    pub place: &'static AtomicPtr<Place>,
    /// Ours does its work without the real one, which is opened in `forward` mode alone.
    pub alone: bool,
    found: AtomicPtr<Found>,
}

/// What a shim knows once it has been called.
pub struct Found {
    /// We do the work ourselves; else all calls go to the real library as they are.
    pub works: bool,
    /// The real library.
    pub library: Option<Library>,
    /// Why there is none, and what helps.
    pub missing: String,
}

static GATE: Gate<()> = Gate::new(());

impl Shim {
    /// A shim that has not been called.
    pub const fn new(
        file: &'static str,
        variable: &'static str,
        probe: &'static CStr,
        ours: fn() -> *const c_void,
        place: &'static AtomicPtr<Place>,
    ) -> Shim {
        Shim { file, variable, probe, ours, place, alone: false, found: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The same for a library that does its work without the real one. In `absent` mode there is none, either.
    pub const fn alone(mut self) -> Shim {
        self.alone = true;
        self
    }

    /// Mode and real library; found at the first call.
    #[inline]
    pub fn found(&self) -> &'static Found {
        let found = self.found.load(Ordering::Acquire);
        // SAFETY: what is stored was leaked.
        if found.is_null() { self.find() } else { unsafe { &*found } }
    }

    #[cold]
    fn find(&self) -> &'static Found {
        GATE.with(|()| {
            let found = self.found.load(Ordering::Acquire);
            if !found.is_null() {
                // SAFETY: as above.
                return unsafe { &*found };
            }
            let new: &'static Found = Box::leak(Box::new(self.search()));
            self.found.store(ptr::from_ref(new).cast_mut(), Ordering::Release);
            new
        })
    }

    fn search(&self) -> Found {
        let mode = config::start().mode;
        let works = match mode {
            Some(Mode::Forward | Mode::Absent) => false,
            Some(Mode::Auto) => !config::has_driver_files(),
            Some(Mode::Cpu) => true,
            None => !self.alone,
        };
        if self.alone && (works || matches!(mode, Some(Mode::Absent) | None)) {
            return Found { works, library: None, missing: String::new() };
        }
        let (ours, place) = ((self.ours)(), self.place.load(Ordering::Acquire));
        let here = if place.is_null() { ours } else { place.cast_const().cast() };
        match open_beside(&self.candidates(), self.probe, ours, here) {
            Ok((path, library)) => {
                log::info!("{} stands over {}", self.file, path.display());
                Found { works, library: Some(library), missing: String::new() }
            }
            Err(tried) => {
                let tried = if tried.is_empty() { "in no usual place".to_owned() } else { format!("tried {tried}") };
                let missing = format!(
                    "the real {} was not found ({tried}): install NVIDIA's, or name its file in {}",
                    self.file, self.variable
                );
                log::error!("{missing}");
                Found { works, library: None, missing }
            }
        }
    }

    /// Where the real library may be, in the order in which a program would find it.
    fn candidates(&self) -> Vec<PathBuf> {
        // SAFETY: it is null, or lies in a library of ours, which are never unloaded.
        if let Some(path) = unsafe { self.place.load(Ordering::Acquire).as_ref() }.and_then(Place::path) {
            return vec![path];
        }
        let secure = config::secure();
        let variable = |name: &str| std::env::var_os(name).filter(|v| !secure && !v.is_empty()).map(PathBuf::from);
        if let Some(path) = variable(self.variable) {
            return vec![path];
        }
        let mut list =
            variable("LD_LIBRARY_PATH").map_or_else(Vec::new, |path| library_path(path.as_os_str(), self.file));
        if !secure {
            list.extend(python_folders(variable).iter().map(|folder| folder.join(self.file)));
        }
        list.extend(system_cache(self.file));
        list.extend(toolkit_folders(variable).iter().map(|folder| folder.join(self.file)));
        existing(list)
    }
}

/// A function of the real library, looked up at its first use.
pub struct Slot {
    shim: &'static Shim,
    name: &'static CStr,
    address: AtomicUsize,
}

impl Slot {
    /// A function by its name.
    pub const fn new(shim: &'static Shim, name: &'static [u8]) -> Slot {
        match CStr::from_bytes_with_nul(name) {
            Ok(name) => Slot { shim, name, address: AtomicUsize::new(0) },
            Err(_) => panic!("a name ends in NUL"),
        }
    }

    /// Its address, or null if there is no real library, or none with such a function.
    pub fn address(&self) -> *const c_void {
        let known = self.address.load(Ordering::Acquire);
        if known != 0 {
            return known as *const c_void;
        }
        let found = self.shim.found().library.map_or(ptr::null_mut(), |library| library.symbol(self.name));
        self.address.store(found as usize, Ordering::Release);
        found
    }
}

/// Declares a library of ours over a real one: `shim!(SHIM, "libx.so.1", "DOPPEL_REAL_X", c"xVersion", crate::xVersion)`,
/// with `, alone` behind it if ours does its work without the real one.
#[macro_export]
macro_rules! shim {
    // The file of that name has nothing but names, and lends its variable (crates/link-compilers.sh).
    ($shim:ident, $file:expr, $variable:expr, $probe:expr, $ours:path, behind) => {
        static PLACE: core::sync::atomic::AtomicPtr<$crate::shim::Place> =
            core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());

        /// Takes the variable of the file that stands in front of this library, before anything else is called.
        #[unsafe(export_name = concat!(env!("PREFIX"), "place"))]
        pub extern "C" fn place(at: &'static $crate::shim::Place) {
            PLACE.store(core::ptr::from_ref(at).cast_mut(), core::sync::atomic::Ordering::Release);
        }

        /// This library.
        pub static $shim: $crate::shim::Shim =
            $crate::shim::Shim::new($file, $variable, $probe, || $ours as *const _, &PLACE);
    };
    ($shim:ident, $file:expr, $variable:expr, $probe:expr, $ours:path $(, $alone:ident)?) => {
        /// The path of the real library, written by whoever put this one in its place; all zero: unknown.
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        pub static doppel_real_library: $crate::shim::Place = $crate::shim::Place::unknown();

        static PLACE: core::sync::atomic::AtomicPtr<$crate::shim::Place> =
            core::sync::atomic::AtomicPtr::new((&raw const doppel_real_library).cast_mut());

        /// This library.
        pub static $shim: $crate::shim::Shim =
            $crate::shim::Shim::new($file, $variable, $probe, || $ours as *const _, &PLACE)$(.$alone())?;
    };
}

/// A function of the real library of the type of a function of ours, or `None`.
#[macro_export]
macro_rules! original {
    ($shim:expr, $name:ident, fn($($t:ty),*) -> $r:ty) => {{
        static SLOT: $crate::shim::Slot = $crate::shim::Slot::new(&$shim, concat!(stringify!($name), "\0").as_bytes());
        let address = SLOT.address();
        // SAFETY: the function of that name has this type.
        (!address.is_null())
            .then(|| unsafe { core::mem::transmute::<*const core::ffi::c_void, unsafe extern "C" fn($($t),*) -> $r>(address) })
    }};
}

/// An export whose parameters nobody knows: it jumps to the real library's, or returns `missing`.
#[macro_export]
macro_rules! jump {
    ($shim:expr, $name:ident, $missing:expr) => {
        $crate::jump!($shim, $name, $missing, stringify!($name));
    };
    // The last one: the name of the export.
    ($shim:expr, $name:ident, $missing:expr, $export:expr) => {
        #[doc = "Not documented by its maker: it goes to the real library."]
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        #[unsafe(export_name = $export)]
        pub extern "C" fn $name() -> core::ffi::c_int {
            extern "C" fn address() -> *const core::ffi::c_void {
                static SLOT: $crate::shim::Slot =
                    $crate::shim::Slot::new(&$shim, concat!(stringify!($name), "\0").as_bytes());
                SLOT.address()
            }
            core::arch::naked_asm!(
                "push rdi",
                "push rsi",
                "push rdx",
                "push rcx",
                "push r8",
                "push r9",
                "push rax",
                "call {address}",
                "mov r11, rax",
                "pop rax",
                "pop r9",
                "pop r8",
                "pop rcx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                "test r11, r11",
                "jz 2f",
                "jmp r11",
                "2:",
                "mov eax, {missing}",
                "ret",
                address = sym address,
                missing = const $missing,
            )
        }
    };
}
