//! Kernels by name, with their parameters as the function declares them.

use crate::layers::call::{Call, ENDS_KERNELS, LAUNCH, as_ours};
use crate::show::Text;
use crate::table::{self, Entry};
use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, Ordering};
use device::kernel::library;
use parking_lot::Mutex;
use record::signature::{self, Kind};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of a function.
struct Kernel {
    name: String,
    /// The name has other characters than names of C++ have.
    foreign: bool,
    /// Bytes of each parameter, and what it is.
    parameters: Vec<(usize, Kind)>,
}

/// What was asked for, by handle. Given up when a module goes, whose handles may be those of others then.
static KERNELS: Mutex<Option<HashMap<usize, Arc<Kernel>>>> = Mutex::new(None);

/// How often they were given up.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);

/// A kernel that a thread has launched: its handle, how often kernels had been given up then, and what is known of it.
type Known = Option<(usize, u64, Arc<Kernel>)>;

/// Kernels that a thread remembers.
const KEPT: usize = 16;
thread_local! {
    static LATELY: [Cell<Known>; KEPT] = const { [const { Cell::new(None) }; KEPT] };
}

/// Which arguments of a launch are the function and the addresses of its parameters.
fn launch(entry: &Entry) -> Option<(usize, usize)> {
    match entry.base {
        "cuLaunchKernel" | "cuLaunchCooperativeKernel" => Some((0, 9)),
        "cuLaunchKernelEx" => Some((1, 2)),
        _ => None,
    }
}

/// What of a function is about kernels: [`LAUNCH`] and [`ENDS_KERNELS`].
pub fn bits(entry: &Entry) -> u32 {
    let ends = matches!(entry.base, "cuModuleUnload" | "cuLibraryUnload" | "cuCtxDestroy");
    match launch(entry) {
        Some(_) => LAUNCH,
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

/// Tells what is known of a function, which the thread remembers from then on.
fn with<R>(handle: usize, tell: impl FnOnce(&Kernel) -> R) -> Option<R> {
    let given_up = GIVEN_UP.load(Ordering::Acquire);
    let place = (handle >> 4 ^ handle >> 12) % KEPT;
    let known = LATELY.try_with(|lately| lately[place].take()).ok().flatten();
    let kernel = match known {
        Some((of, when, kernel)) if (of, when) == (handle, given_up) => kernel,
        _ => find(handle)?,
    };
    let told = tell(&kernel);
    let _ = LATELY.try_with(|lately| lately[place].set(Some((handle, given_up, kernel))));
    Some(told)
}

fn find(handle: usize) -> Option<Arc<Kernel>> {
    let known = KERNELS.try_lock()?.get_or_insert_default().get(&handle).cloned();
    if known.is_some() {
        return known;
    }
    let name = name_of(handle)?;
    const MOST: usize = 64;
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
    let kernel = Arc::new(Kernel { name, foreign, parameters: sizes.into_iter().zip(kinds).collect() });
    KERNELS.try_lock()?.get_or_insert_default().insert(handle, kernel.clone());
    Some(kernel)
}

fn read<const N: usize>(address: usize) -> Option<[u8; N]> {
    let mut bytes = [MaybeUninit::<u8>::uninit(); N];
    guard::read(&mut bytes, address).ok()?;
    // SAFETY: all of them are read.
    Some(bytes.map(|byte| unsafe { byte.assume_init() }))
}

/// Writes what a launch launches: `kernel(0x7f0000000000, 1024)`. False if nobody knows.
pub fn describe(call: &Call, text: &mut Text) -> bool {
    let Some((function, parameters)) = launch(call.entry) else { return false };
    // SAFETY: both are words in the declarations of launches.
    let (handle, parameters): (usize, usize) = unsafe { (call.argument(function), call.argument(parameters)) };
    with(handle, |kernel| describe_as(kernel, parameters, text)).is_some()
}

fn describe_as(kernel: &Kernel, parameters: usize, text: &mut Text) {
    if kernel.foreign {
        text.is_foreign();
    }
    text.push(kernel.name.as_bytes());
    text.put(b"(");
    for (i, (size, kind)) in kernel.parameters.iter().enumerate() {
        if i > 0 {
            text.put(b", ");
        }
        let place = read::<8>(parameters.wrapping_add(8 * i)).map(usize::from_ne_bytes).filter(|_| parameters != 0);
        let value = place.and_then(|place| match (size, kind) {
            (1, Kind::Signed) => read(place).map(|b| text.signed(i8::from_ne_bytes(b).into())),
            (1, _) => read(place).map(|b| text.decimal(u8::from_ne_bytes(b).into())),
            (2, Kind::Signed) => read(place).map(|b| text.signed(i16::from_ne_bytes(b).into())),
            (2, _) => read(place).map(|b| text.decimal(u16::from_ne_bytes(b).into())),
            (4, Kind::Float) => read(place).map(|b| text.float(f32::from_ne_bytes(b))),
            (4, Kind::Unsigned) => read(place).map(|b| text.decimal(u32::from_ne_bytes(b).into())),
            (4, _) => read(place).map(|b| text.signed(i32::from_ne_bytes(b).into())),
            (8, Kind::Float) => read(place).map(|b| text.float(f64::from_ne_bytes(b))),
            (8, Kind::Signed) => read(place).map(|b| text.signed(i64::from_ne_bytes(b))),
            (8, Kind::Unsigned) => read(place).map(|b| text.decimal(u64::from_ne_bytes(b))),
            (8, _) => read(place).map(|b| text.hex(u64::from_ne_bytes(b))),
            _ => None,
        });
        if value.is_none() {
            text.decimal(*size as u64);
            text.push(b" bytes");
        }
    }
    text.put(b")");
}

/// Handles of functions end with their module or library.
pub fn after(code: u32) {
    if code == 0 {
        // In a child, a thread of the parent's may have held it.
        if let Some(mut kernels) = KERNELS.try_lock_for(core::time::Duration::from_secs(1)) {
            *kernels = None;
        }
        // What threads found before that they do not use any more.
        GIVEN_UP.fetch_add(1, Ordering::Release);
    }
}
