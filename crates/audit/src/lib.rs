//! `libdoppel-audit.so`: an auditing library of glibc's loader (`LD_AUDIT`). It answers requests for NVIDIA's libraries
//! with ours, wherever a program, its RPATH or an absolute path would have found them.
//!
//! The loader runs it in every process, in a namespace of its own. So it uses no other library, not even the C library:
//! nothing but itself is loaded, a few kilobytes. It defines no function that the loader would have to call for symbols
//! or calls (`la_symbind64`, `la_x86_64_gnu_pltenter`): those stay as fast as they are without it. Where it has nothing
//! to do, `la_version` says so and the loader takes it out again.
//!
//! What the loader asks ([`la_objsearch`]), each file in turn:
//!
//! - the name that was asked for. `libcuda.so.1` is answered here, whether there is a real one or not, and so is whatever
//!   is named by a path.
//! - every path that is tried for a name without a slash. The compilers and the runtime are replaced only where there is
//!   a real one. A program that would find none is to see that. What a program is told of the loaded file, as by
//!   `dladdr`, is the path of the real one.
//!
//! - what lies behind our compilers. They name it beside themselves, and the loader has them under the path of the real
//!   ones.
//!
//! A library of ours that stands over the real one is told where that is: [`la_objopen`] writes the path into its variable
//! `doppel_real_library`.
//!
//! The loader holds its lock during all calls, so that none runs beside another.

#![cfg_attr(not(test), no_std)]

mod names;
mod object;
mod settings;
mod system;

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_uint};
use names::{Asked, Rule};
use object::LinkMap;
use settings::Settings;
use system::{File, PATH_MOST, SHORT_PATH};

/// The name that was asked for, not a path that is tried for it (`LA_SER_ORIG`).
const ASKED: c_uint = 1;
/// The newest version of the interface that we know. Versions differ in what we do not use.
const NEWEST: c_uint = 2;
/// A file that is never there.
const NOTHING: &CStr = c"";
/// In place of the cookie that the loader keeps for each loaded object: the object is ours.
const OURS: usize = 1;

/// What one call leaves for the next.
struct State {
    settings: Settings,
    /// The path of ours, as an answer to the loader.
    answer: [u8; PATH_MOST],
    /// The path of the real library whose place ours took in the last answer; empty if it took none.
    real: [u8; PATH_MOST],
    /// Hashes of all such paths, as libraries of ours were told them: they are asked for the real library. Who asks is not
    /// always to be seen: sanitizers pass requests on in their own name.
    told: [u64; MOST_TOLD],
    count: usize,
}

/// Real libraries that are known again; there are two compilers of two versions.
const MOST_TOLD: usize = 16;

struct Shared(UnsafeCell<State>);

// SAFETY: the loader calls under its lock.
unsafe impl Sync for Shared {}

static STATE: Shared = Shared(UnsafeCell::new(State {
    settings: Settings::none(),
    answer: [0; PATH_MOST],
    real: [0; PATH_MOST],
    told: [0; MOST_TOLD],
    count: 0,
}));

/// The state, for one call of the loader.
#[allow(clippy::mut_from_ref)]
fn state() -> &'static mut State {
    // SAFETY: each exported function takes it once, and none calls another.
    unsafe { &mut *STATE.0.get() }
}
/// Runs before everything else. The loader gives constructors what `main` gets.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn(i32, *const *const c_char, *const *const c_char) = construct;

#[cfg(not(test))]
extern "C" fn construct(_: i32, _: *const *const c_char, environment: *const *const c_char) {
    // SAFETY: the process's environment, as the loader has it.
    state().settings = unsafe { Settings::read(environment) };
}

/// Tells the loader whether we take part.
#[unsafe(no_mangle)]
pub extern "C" fn la_version(version: c_uint) -> c_uint {
    if state().settings.work() { version.min(NEWEST) } else { 0 }
}

/// Answers a request for a library.
///
/// # Safety
/// For the loader alone: `name` is a string, `cookie` the one of the object that asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn la_objsearch(name: *const c_char, cookie: *const usize, flag: c_uint) -> *const c_char {
    let state = state();
    // The loader may have looked only whether the last answer is loaded.
    state.real[0] = 0;
    // SAFETY: the caller passes a string.
    let path = unsafe { CStr::from_ptr(name) };
    if path.to_bytes().ends_with(names::BEHIND) {
        let parts = [state.settings.folder(), names::BEHIND];
        return system::join(&mut state.answer, &parts).map_or(name, CStr::as_ptr);
    }
    let Some(asked) = names::read(path.to_bytes()) else { return name };
    // SAFETY: the caller passes a cookie, or none.
    let by_us = unsafe { cookie.as_ref() } == Some(&OURS);
    match state.answer(path, asked, by_us, flag == ASKED) {
        Answer::Same => name,
        // Not NULL: the loader would look at `errno`, which may hold anything, and perhaps give up.
        Answer::Skip => NOTHING.as_ptr(),
        Answer::Ours(ours) => ours.cast(),
    }
}

/// Looks at an object that was loaded.
///
/// # Safety
/// For the loader alone: `map` is the object, `cookie` is its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn la_objopen(map: *const LinkMap, _namespace: isize, cookie: *mut usize) -> c_uint {
    let state = state();
    // SAFETY: the caller passes an object, whose name is a string or nothing.
    let (map, name) = unsafe { (&*map, if (*map).name.is_null() { c"" } else { CStr::from_ptr((*map).name) }) };
    let real = CStr::from_bytes_until_nul(&state.real).unwrap_or_default();
    // SAFETY: the object is mapped, and nothing of it has run.
    let told = !real.is_empty() && unsafe { map.write(c"doppel_real_library", real.to_bytes_with_nul()) };
    let path = hash(real.to_bytes());
    if told {
        state.remember(path);
    }
    let known = names::read(name.to_bytes()).is_some() || name.to_bytes().ends_with(names::BEHIND);
    if told || known && system::inspect(name) == File::Doppel {
        // SAFETY: as above.
        unsafe { *cookie = OURS };
    }
    state.real[0] = 0;
    0
}

/// What the loader is to do.
enum Answer {
    /// What it was about to do.
    Same,
    /// Go on with the next path.
    Skip,
    /// Take this file.
    Ours(*const u8),
}

impl State {
    /// The answer for a path or name `path` of a library that is `asked` for, by a library of ours if `by_us`.
    /// `whole`: it is the name that was asked for.
    fn answer(&mut self, path: &CStr, asked: Asked<'_>, by_us: bool, whole: bool) -> Answer {
        let is_path = path.to_bytes().contains(&b'/');
        match asked.library.rule {
            // Our libraries name the real driver by its path alone.
            Rule::Always if !whole || is_path && by_us => Answer::Same,
            Rule::Always => {
                let stub = asked.folder.ends_with(b"/stubs");
                if is_path && (stub || system::inspect(path) == File::Doppel) {
                    return Answer::Same;
                }
                self.take(path, asked, asked.library.versions[0], false)
            }
            Rule::Existing { .. } if by_us || whole && !is_path || self.was_told(path) => Answer::Same,
            Rule::Existing { over_real } => match (system::inspect(path), asked.folder == self.settings.folder()) {
                (File::Library, false) => {
                    let version = asked.version.or_else(|| system::version_behind_links(path));
                    let known = version.filter(|version| asked.library.versions.contains(version));
                    known.map_or(Answer::Same, |version| self.take(path, asked, version, over_real))
                }
                // Ours, where a search comes to it by itself: it would find itself as the real one.
                (File::Library | File::Doppel, _) if over_real && !whole => Answer::Skip,
                _ => Answer::Same,
            },
        }
    }

    /// Keeps the hash of a path that a library of ours was told; the oldest goes.
    fn remember(&mut self, hash: u64) {
        if let Some(place) = self.told.get_mut(self.count % MOST_TOLD) {
            *place = hash;
        }
        self.count = self.count.wrapping_add(1);
    }

    fn was_told(&self, path: &CStr) -> bool {
        self.told.contains(&hash(path.to_bytes()))
    }

    /// Puts ours of a version in the place of a file.
    fn take(&mut self, path: &CStr, asked: Asked<'_>, version: u8, over_real: bool) -> Answer {
        let number = [b'0' + version / 10, b'0' + version % 10];
        let number = if version < 10 { &number[1..] } else { &number[..] };
        let parts = [self.settings.folder(), b"/", asked.library.stem, b".so.", number];
        let Some(ours) = system::join(&mut self.answer, &parts) else { return Answer::Same };
        if system::inspect(ours) == File::Other || ours == path {
            return Answer::Same;
        }
        if over_real && !note(&mut self.real, path) {
            return Answer::Same;
        }
        if self.settings.tells() {
            system::tell(&[b"doppel: ", path.to_bytes(), b": ", ours.to_bytes(), b" takes its place\n"]);
        }
        Answer::Ours(self.answer.as_ptr())
    }
}

/// Notes where the real library is: an absolute path with two slashes in front. The loader has ours under the path of
/// the real one, and takes another spelling for another file.
fn note(real: &mut [u8; PATH_MOST], path: &CStr) -> bool {
    let path = path.to_bytes();
    let mut folder = [0; SHORT_PATH];
    let parts: [&[u8]; 4] = match path {
        [b'/', b'/', ..] => [path, b"", b"", b""],
        [b'/', ..] => [b"/", path, b"", b""],
        _ => match system::current_folder(&mut folder) {
            Some(folder) => [b"/", folder.to_bytes(), b"/", path],
            None => return false,
        },
    };
    system::join(real, &parts).is_some()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Nothing here panics; the linker wants it nevertheless.
#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    system::exit(127)
}
