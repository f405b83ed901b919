//! Kernels by name, with their parameters as the function declares them.

use crate::layers::call::{Call, ENDS_KERNELS, LAUNCH, LAUNCH_BY_CONFIG, as_ours};
use crate::show::{Pen, Piece, Text};
use crate::table::{self, Entry};
use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, Ordering};
use device::kernel::library;
use guard::Number;
use parking_lot::{Mutex, MutexGuard};
use record::signature::{self, Kind};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of a function.
pub struct Kernel {
    /// Its name, and a bracket behind it.
    start: Box<[u8]>,
    /// The name has other characters than names of C++ have.
    foreign: bool,
    /// How each parameter is read and shown.
    parameters: Box<[(Number, Shown)]>,
}

/// Bytes of a parameter, and how it is shown.
#[derive(Clone, Copy)]
pub struct Shown {
    size: u32,
    how: How,
}

/// How a parameter is shown.
#[derive(Clone, Copy)]
enum How {
    Address,
    Decimal,
    Signed,
    Float,
    /// By its size alone.
    Bytes,
}

/// Parameters that are asked for.
const MOST: usize = 64;

/// What was asked for, by handle. Given up when a module goes, whose handles may be those of others then.
static KERNELS: Mutex<Kernels> = Mutex::new(None);

type Kernels = Option<HashMap<usize, Arc<Kernel>>>;

/// What is known, if it can be had: in a child, a thread of the parent's may have held it.
fn kernels() -> Option<MutexGuard<'static, Kernels>> {
    KERNELS.try_lock_for(core::time::Duration::from_secs(1))
}

/// How often they were given up.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);

/// How often handles have ended: what was found before that may be of others now.
pub fn given_up() -> u64 {
    GIVEN_UP.load(Ordering::Acquire)
}

/// Which arguments of a launch are the function and the addresses of its parameters.
fn launch(entry: &Entry) -> Option<(usize, usize)> {
    match entry.base {
        "cuLaunchKernel" | "cuLaunchCooperativeKernel" => Some((0, 9)),
        "cuLaunchKernelEx" => Some((1, 2)),
        _ => None,
    }
}

/// What of a function is about kernels: [`LAUNCH`], [`LAUNCH_BY_CONFIG`] and [`ENDS_KERNELS`].
pub fn bits(entry: &Entry) -> u32 {
    let ends = matches!(entry.base, "cuModuleUnload" | "cuLibraryUnload" | "cuCtxDestroy");
    match launch(entry) {
        Some((0, _)) => LAUNCH,
        Some(_) => LAUNCH | LAUNCH_BY_CONFIG,
        None if ends || entry.base.starts_with("cuDevicePrimaryCtxRe") => ENDS_KERNELS,
        None => 0,
    }
}

/// Asks the driver, whichever it is, past the trace.
fn ask(name: &str, first: usize, second: usize, third: usize, fourth: usize) -> bool {
    let Some(entry) = table::by_name(name) else { return false };
    // SAFETY: an export of ours, of which the callers below know the signature; words that it does not have are not looked at.
    let function: unsafe extern "C" fn(usize, usize, usize, usize) -> u32 =
        unsafe { core::mem::transmute(entry.address) };
    // SAFETY: as above.
    as_ours(|| unsafe { function(first, second, third, fourth) }) == 0
}

/// The name of a function or a library's kernel.
fn name_of(handle: usize) -> Option<String> {
    let mut name: *const c_char = core::ptr::null();
    let out = (&raw mut name) as usize;
    let asked = ask("cuFuncGetName", out, handle, 0, 0) || ask("cuKernelGetName", out, handle, 0, 0);
    // SAFETY: the driver's text, which lives as long as the function.
    (asked && !name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// The name of the kernel that a call launches.
pub fn launched(call: &Call) -> Option<String> {
    // SAFETY: a word in the declarations of launches.
    launch(call.entry).and_then(|(function, _)| name_of(unsafe { call.argument(function) }))
}

/// What is known of a function.
pub fn find(handle: usize) -> Option<Arc<Kernel>> {
    let known = kernels()?.get_or_insert_default().get(&handle).cloned();
    if known.is_some() {
        return known;
    }
    let name = name_of(handle)?;
    let size = |index: usize| {
        let (mut offset, mut size) = (0usize, 0usize);
        let (offset, size_at) = ((&raw mut offset) as usize, (&raw mut size) as usize);
        // A library's kernel may be launched like a function.
        let asked = |name| ask(name, handle, index, offset, size_at);
        (asked("cuFuncGetParamInfo") || asked("cuKernelGetParamInfo")).then_some(size)
    };
    let sizes: Vec<usize> = (0..MOST).map_while(size).collect();
    let mut kinds = signature::kinds(&name);
    if kinds.len() != sizes.len() {
        // The emulated device has the kernel's text; handles of a real driver mean nothing to it.
        let function = library::function_of(handle, None).ok();
        let declared = |i: usize| function.as_ref()?.code().parameters.get(i).filter(|p| p.is_float);
        kinds = (0..sizes.len()).map(|i| declared(i).map_or(Kind::Unknown, |_| Kind::Float)).collect();
    }
    let foreign = !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte));
    let kernel = Arc::new(Kernel::new(&name, foreign, sizes.into_iter().zip(kinds).collect()));
    if let Some(mut kernels) = kernels() {
        kernels.get_or_insert_default().insert(handle, kernel.clone());
    }
    Some(kernel)
}

/// The number of some bytes at an address of the program's.
fn read(address: usize, size: usize) -> Option<u64> {
    let mut bytes = [MaybeUninit::new(0u8); 8];
    guard::read(bytes.get_mut(..size)?, address).ok()?;
    // SAFETY: they had a value before they were read.
    Some(u64::from_le_bytes(unsafe { core::mem::transmute::<[MaybeUninit<u8>; 8], [u8; 8]>(bytes) }))
}

/// The texts of some numbers of floating point: to put one into words takes long. With each its bits and bytes.
pub struct Floats([(u64, u32, Word); FLOATS]);

/// A number in words.
pub type Word = Piece<24>;

const FLOATS: usize = 16;

impl Default for Floats {
    fn default() -> Self {
        Floats([(0, 0, Word::EMPTY); FLOATS])
    }
}

impl Floats {
    /// A number of which these are the bits, if it is short.
    fn word(&mut self, bits: u64, size: u32) -> Option<Word> {
        let place = (bits ^ (bits >> 19) ^ (bits >> 42)) as usize % FLOATS;
        let known = &mut self.0[place];
        if (known.0, known.1) != (bits, size) {
            let mut text = Text::default();
            float(bits, size, &mut text);
            *known = (bits, size, Piece::of(text.bytes())?);
        }
        Some(known.2)
    }
}

impl Shown {
    /// Of no bytes.
    pub const NONE: Shown = Shown { size: 0, how: How::Bytes };

    /// A value, if its text is short.
    #[inline]
    pub fn word(self, value: u64, floats: &mut Floats) -> Option<Word> {
        match self.how {
            How::Float => floats.word(value, self.size),
            _ => Some(Word::short(|pen| show(Some(value), self, pen))),
        }
    }
}

/// Where the first one of a launch's parameters is, as its array is shown.
pub fn place(first: u64, parameters: usize) -> Word {
    Word::short(|pen| {
        if parameters == 0 {
            return pen.address(0);
        }
        pen.put(b"[");
        pen.address(first as usize);
        pen.put(b"]");
    })
}

fn float(bits: u64, size: u32, text: &mut Text) {
    if size == 4 { text.float(f32::from_bits(bits as u32)) } else { text.float(f64::from_bits(bits)) }
}

impl Kernel {
    fn new(name: &str, foreign: bool, parameters: Vec<(usize, Kind)>) -> Kernel {
        let how = |(size, kind): &(usize, Kind)| match (size, kind) {
            (4 | 8, Kind::Float) => How::Float,
            (1 | 2 | 4 | 8, Kind::Signed) | (4, Kind::Address | Kind::Unknown) => How::Signed,
            (8, Kind::Address | Kind::Unknown) => How::Address,
            (1 | 2 | 4 | 8, _) => How::Decimal,
            _ => How::Bytes,
        };
        let both = |parameter: &(usize, Kind)| {
            (Number::of(parameter.0), Shown { size: parameter.0 as u32, how: how(parameter) })
        };
        Kernel {
            start: format!("{name}(").into_bytes().into(),
            foreign,
            parameters: parameters.iter().map(both).collect(),
        }
    }

    /// What the kernel's text begins with: its name and a bracket. `None`: it may be no text for JSON.
    pub fn start(&self) -> Option<&[u8]> {
        (!self.foreign).then_some(&*self.start)
    }

    /// How its parameters are read and shown.
    pub fn parameters(&self) -> &[(Number, Shown)] {
        &self.parameters
    }

    /// Writes what a launch with these parameters launches: `kernel(0x7f0000000000, 1024)`.
    pub fn show(&self, parameters: usize, text: &mut Text) {
        if self.foreign {
            text.is_foreign();
        }
        text.push(&self.start);
        for (i, &(_, shown)) in self.parameters.iter().enumerate() {
            if i > 0 {
                text.put(b", ");
            }
            let value =
                read(parameters.wrapping_add(8 * i), 8).and_then(|place| read(place as usize, shown.size as usize));
            match (value, shown.how) {
                (Some(value), How::Float) => float(value, shown.size, text),
                _ => text.pen(|pen| show(value, shown, pen)),
            }
        }
        text.put(b")");
    }
}

/// Writes a parameter that is no number of floating point.
#[inline(always)]
fn show(value: Option<u64>, Shown { size, how }: Shown, pen: &mut Pen<'_>) {
    match (value, how) {
        (Some(value), How::Address) => pen.hex(value),
        (Some(value), How::Signed) => {
            // The sign is the highest bit of as many bytes as there are.
            let rest = 64 - 8 * size;
            pen.signed((value << rest) as i64 >> rest);
        }
        (Some(value), How::Decimal | How::Float) => pen.decimal(value),
        (None, _) | (_, How::Bytes) => {
            pen.decimal(size.into());
            pen.put(b" bytes");
        }
    }
}

/// Behind a call that may end handles of functions, whether it is traced or not: they end with their module or library.
pub fn after(code: u32) {
    if code == 0 {
        if let Some(mut kernels) = kernels() {
            *kernels = None;
        }
        // What threads found before that they do not use any more.
        GIVEN_UP.fetch_add(1, Ordering::Release);
    }
}

/// Makes a function known in tests, as if the driver had told its name and parameters.
#[cfg(test)]
pub fn know(handle: usize, name: &str, parameters: &[(usize, Kind)]) {
    let foreign = name.contains(['"', '<', '\\']);
    let kernel = Arc::new(Kernel::new(name, foreign, parameters.to_vec()));
    KERNELS.lock().get_or_insert_default().insert(handle, kernel);
}
