//! Damaged device code: PTX and fat binaries, changed at random, given to every function that loads or links code. No
//! panic, no crash, no hang, no flood of memory: an error, or success.
//!
//! Every case follows from a seed and its number. For a longer look:
//!
//! ```text
//! FUZZ_CASES=1000000 FUZZ_SEED=7 FUZZ_CORPUS=folder/with/ptx cargo test --release --test fuzz
//! FUZZ_SEED=7 FUZZ_FIRST=1234 FUZZ_CASES=1 cargo test --test fuzz      # one case again
//! ```
//! The case in work is in the file that the test names when it starts: after a crash it says which one it was.

mod images;
mod mutate;
mod random;

use core::ffi::{c_char, c_int, c_uint, c_void};
use cuda::table;
use mutate::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

/// Counts what is allocated.
struct Counting;
static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a case may allocate at most, beyond a multiple of its own.
const ROOM: usize = 96 << 20;
const MULTIPLE: usize = 2048;
/// Seconds after which a case hangs: far more than any takes on a busy machine.
const PATIENCE: u64 = 120;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect(name))
}

/// A function of the driver, by name.
macro_rules! driver {
    ($name:ident($($a:expr),*) as fn($($t:ty),*)) => {{
        let address = table::by_name(stringify!($name)).expect("a function of the table").address;
        // SAFETY: the signature of the driver's function; what the arguments point to is right, except for the image,
        // which is what the test is about.
        unsafe { core::mem::transmute::<*const (), extern "C" fn($($t),*) -> u32>(address)($($a),*) }
    }};
}

/// The numbers of the options in `CUjit_option` that say where messages go.
const LOGS: [c_int; 4] = [3, 4, 5, 6];

/// Gives an image to everything that loads one. True if a module was made of it.
fn load(image: &[u8]) -> bool {
    let mut module: *mut c_void = core::ptr::null_mut();
    let (mut info, mut errors) = ([0u8; 256], [0u8; 256]);
    let mut options = LOGS;
    let mut values = [
        info.as_mut_ptr().cast::<c_void>(),
        core::ptr::without_provenance_mut(info.len()),
        errors.as_mut_ptr().cast(),
        core::ptr::without_provenance_mut(errors.len()),
    ];
    let code = driver!(cuModuleLoadDataEx(&mut module, image.as_ptr(), 4, options.as_mut_ptr(), values.as_mut_ptr())
        as fn(&mut *mut c_void, *const u8, c_uint, *mut c_int, *mut *mut c_void));
    assert!(info.contains(&0) && errors.contains(&0), "a message has no end");
    let loaded = code == 0;
    if loaded {
        let mut count = 0;
        assert_eq!(driver!(cuModuleGetFunctionCount(&mut count, module) as fn(&mut c_uint, *mut c_void)), 0);
        assert_eq!(driver!(cuModuleUnload(module) as fn(*mut c_void)), 0);
    }
    let mut library: *mut c_void = core::ptr::null_mut();
    let none = core::ptr::null_mut();
    let code = driver!(cuLibraryLoadData(&mut library, image.as_ptr(), none, none, 0, none, none, 0)
        as fn(&mut *mut c_void, *const u8, *mut c_void, *mut c_void, c_uint, *mut c_void, *mut c_void, c_uint));
    if code == 0 {
        let mut module: *mut c_void = core::ptr::null_mut();
        let _ = driver!(cuLibraryGetModule(&mut module, library) as fn(&mut *mut c_void, *mut c_void));
        assert_eq!(driver!(cuLibraryUnload(library) as fn(*mut c_void)), 0);
    }
    loaded
}

/// Links an image with another one. `kind` is one of `CUjitInputType`.
fn link(image: &[u8], other: &[u8], kind: c_int) {
    let mut state: *mut c_void = core::ptr::null_mut();
    let none = core::ptr::null_mut::<c_void>();
    let code =
        driver!(cuLinkCreate_v2(0, none, none, &mut state) as fn(c_uint, *mut c_void, *mut c_void, &mut *mut c_void));
    assert_eq!(code, 0);
    for bytes in [image, other] {
        let _ = driver!(cuLinkAddData_v2(state, kind, bytes.as_ptr(), bytes.len(), c"case".as_ptr(), 0, none, none)
            as fn(*mut c_void, c_int, *const u8, usize, *const c_char, c_uint, *mut c_void, *mut c_void));
    }
    let (mut made, mut size) = (none, 0usize);
    let code = driver!(cuLinkComplete(state, &mut made, &mut size) as fn(*mut c_void, &mut *mut c_void, &mut usize));
    if code == 0 {
        let mut module = none;
        let code = driver!(cuModuleLoadData(&mut module, made) as fn(&mut *mut c_void, *mut c_void));
        if code == 0 {
            assert_eq!(driver!(cuModuleUnload(module) as fn(*mut c_void)), 0);
        }
    }
    assert_eq!(driver!(cuLinkDestroy(state) as fn(*mut c_void)), 0);
}

/// One case.
fn case(seed: u64, number: u64, corpus: &[String], words: &[String]) {
    let mut random = Random::of(seed, number);
    let chosen = random.pick(corpus);
    let image = match number % 4 {
        0 => images::fat_binary(corpus, words, &mut random),
        _ => mutate::text(chosen, words, &mut random).into_bytes(),
    };
    let mut image = image;
    if random.below(8) == 0 {
        mutate::bytes(&mut image, corpus[0].as_bytes(), &mut random);
    }
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    if number.is_multiple_of(5) {
        const PTX: c_int = 1;
        const FAT_BINARY: c_int = 2;
        link(&image, chosen.as_bytes(), if number.is_multiple_of(4) { FAT_BINARY } else { PTX });
    } else {
        // An image has no length: what lies behind it is not damaged, but there.
        image.extend_from_slice(&[0; 256]);
        load(&image);
    }
    let used = MOST.load(Relaxed) - before;
    assert!(used <= ROOM + MULTIPLE * image.len(), "{used} bytes were allocated for {} bytes", image.len());
}

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Ends the process when a case takes for ever.
fn watch(case: &'static AtomicU64, seed: u64) {
    let mut last = (u64::MAX, 0);
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = case.load(Relaxed);
        last = if now == last.0 { (now, last.1 + 1) } else { (now, 0) };
        if last.1 == PATIENCE {
            eprintln!("case {now} of seed {seed} does not end");
            std::process::abort();
        }
    }
}

/// Tests count what all threads allocate: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Makes a context current, and keeps other tests away.
fn start() -> MutexGuard<'static, ()> {
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: every test begins with this, so nobody uses the environment yet.
        unsafe {
            std::env::set_var("DOPPEL_LOG", "off");
            std::env::set_var("DOPPEL_DEVICE_MEMORY", "2GiB");
        }
        assert_eq!(driver!(cuInit(0) as fn(c_uint)), 0);
    });
    let mut context: *mut c_void = core::ptr::null_mut();
    assert_eq!(driver!(cuCtxCreate_v2(&mut context, 0, 0) as fn(&mut *mut c_void, c_uint, c_int)), 0);
    alone
}

/// What a module's error log says of a text.
fn complaint(text: &str) -> (u32, String) {
    let text = format!("{text}\0");
    let mut module: *mut c_void = core::ptr::null_mut();
    let mut errors = [0u8; 512];
    let mut options = [LOGS[2], LOGS[3]];
    let mut values = [errors.as_mut_ptr().cast::<c_void>(), core::ptr::without_provenance_mut(errors.len())];
    let code = driver!(cuModuleLoadDataEx(&mut module, text.as_ptr(), 2, options.as_mut_ptr(), values.as_mut_ptr())
        as fn(&mut *mut c_void, *const u8, c_uint, *mut c_int, *mut *mut c_void));
    let end = errors.iter().position(|&b| b == 0).expect("an end");
    (code, String::from_utf8_lossy(&errors[..end]).into_owned())
}

#[test]
fn what_no_device_has_room_for() {
    const INVALID_PTX: u32 = 218;
    const OUT_OF_MEMORY: u32 = 2;
    let _alone = start();
    let kernel = |parameters: &str, code: &str| {
        format!(".version 8.1\n.target sm_90\n.address_size 64\n.entry k({parameters}) {{ {code} ret; }}\n")
    };
    for (text, words) in [
        (
            kernel("", ".shared .b8 s[49153];"),
            "Entry function 'k' uses too much shared data (0xc001 bytes, 0xc000 max)",
        ),
        (kernel("", ".shared .b8 s[1099511627776];"), "uses too much shared data"),
        (kernel("", ".local .b8 l[1099511627776];"), "uses too much local data"),
        (kernel(".param .b8 p[32765]", ""), "too much parameter space (0x7ffd bytes, 0x7ffc max)"),
        (kernel(".param .b8 p[1099511627776]", ""), "too much parameter space"),
    ] {
        let (code, log) = complaint(&text);
        assert_eq!(code, INVALID_PTX, "{text}");
        assert!(log.contains(words), "{log}");
    }
    for fits in [kernel(".param .b8 p[32764]", ""), kernel("", ".shared .b8 s[49152];")] {
        assert_eq!(complaint(&fits), (0, String::new()));
    }
    // A variable that holds nothing yet takes no memory of the host's.
    let variable = |bytes: u64| format!(".version 8.1\n.target sm_90\n.address_size 64\n.global .b8 v[{bytes}];\n");
    MOST.store(NOW.load(Relaxed), Relaxed);
    let before = NOW.load(Relaxed);
    assert_eq!(complaint(&variable(1 << 28)).0, 0);
    assert!(MOST.load(Relaxed) - before < 1 << 28);
    assert_eq!(complaint(&variable(1 << 40)).0, OUT_OF_MEMORY);
}

#[test]
fn damaged_images() {
    static CASE: AtomicU64 = AtomicU64::new(0);
    let (seed, first, cases) = (
        number("FUZZ_SEED", 1),
        number("FUZZ_FIRST", 0),
        number("FUZZ_CASES", if cfg!(debug_assertions) { 4_000 } else { 40_000 }),
    );
    let mut corpus: Vec<String> =
        [include_str!("corpus/compute.ptx"), include_str!("corpus/calls.ptx"), include_str!("corpus/data.ptx")]
            .map(String::from)
            .to_vec();
    if let Some(folder) = std::env::var_os("FUZZ_CORPUS") {
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("FUZZ_CORPUS").map(|e| e.expect("entry").path()).collect();
        files.sort();
        let ptx = files.iter().filter(|f| f.extension().is_some_and(|e| e == "ptx"));
        corpus.extend(ptx.map(|file| std::fs::read_to_string(file).expect("PTX")));
    }
    let words: Vec<String> = corpus.iter().flat_map(|text| mutate::tokens(text)).collect();
    let _alone = start();
    for text in &corpus {
        let loads = load(format!("{text}\0").as_bytes());
        assert!(loads, "is refused undamaged:\n{}", text.lines().next().unwrap_or_default());
    }

    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-case");
    println!("the case in work: {}", place.display());
    let file = File::create(&place).expect("a file for the number of the case");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Relaxed);
        eprintln!("case {} of seed {seed}:", CASE.load(Relaxed));
        hook(info);
    }));
    std::thread::spawn(move || watch(&CASE, seed));
    let mut bad = 0;
    for number in first..first + cases {
        CASE.store(number, Relaxed);
        file.write_at(format!("seed {seed} case {number}\n").as_bytes(), 0).expect("writing");
        let before = PANICS.load(Relaxed);
        let failed = std::panic::catch_unwind(|| case(seed, number, &corpus, &words)).is_err();
        bad += u32::from(failed || PANICS.load(Relaxed) != before);
        if bad > 20 {
            break;
        }
    }
    assert_eq!(bad, 0, "cases that went wrong");
}
