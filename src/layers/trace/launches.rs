//! What a thread remembers of its launches: what their lines begin with, and their kernels. Programs launch the same kernels in the
//! same shapes again and again, and to put that into words takes longer than all the rest of a call. A text is found by all that it
//! was made of, and nothing that may change: a handle keeps the name that it was given once, whatever it is a handle of.

use super::kernel::{self, Kernel, Numbers};
use crate::layers::call::{Call, LAUNCH_BY_CONFIG};
use crate::show::Text;
use core::mem::MaybeUninit;
use std::cell::Cell;
use std::sync::Arc;

/// What the beginning of a launch's line consists of: function, arguments.
type Key = [u64; 8];

/// A launch.
pub struct Launch {
    /// The function.
    function: usize,
    /// The array of the addresses of its parameters.
    parameters: usize,
    /// Arguments that do not lead to memory, or to the structure that is in the key: those in front of the parameters.
    first: usize,
    /// `None`: the structure cannot be read.
    key: Option<Key>,
}

impl Launch {
    /// Of a call of a function that launches kernels.
    pub fn of(call: &Call) -> Launch {
        let by_config = call.entry.layers() & LAUNCH_BY_CONFIG != 0;
        let entry = core::ptr::from_ref(call.entry).addr() as u64;
        // SAFETY: a word, an address and numbers of 4 bytes, as these functions are declared.
        unsafe {
            let word = |index: usize| call.argument::<usize>(index);
            if by_config {
                let (config, function) = (word(0), word(1));
                let key = words(config).map(|[xy, zx, yz, shared, stream, attributes, count]| {
                    // Half of these two is not part of the structure.
                    let halves = shared & 0xffff_ffff | count << 32;
                    [entry, function as u64, xy, zx, yz, halves, stream, attributes]
                });
                return Launch { function, parameters: word(2), first: 2, key };
            }
            let two = |index: usize| -> u64 {
                u64::from(call.argument::<u32>(index)) | u64::from(call.argument::<u32>(index + 1)) << 32
            };
            let (function, shared, stream) = (word(0), call.argument::<u32>(7), word(8));
            let key = [entry, function as u64, two(1), two(3), two(5), shared.into(), stream as u64, 0];
            Launch { function, parameters: word(9), first: 9, key: Some(key) }
        }
    }
}

/// The words of a structure of the program's.
fn words(address: usize) -> Option<[u64; 7]> {
    let mut words = MaybeUninit::<[u64; 7]>::uninit();
    // SAFETY: the same memory.
    let bytes = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of::<[u64; 7]>()) };
    // SAFETY: all of it is read, and any bytes are numbers.
    guard::read(bytes, address).is_ok().then(|| unsafe { words.assume_init() })
}

/// The longest beginning that is kept. It takes names and numbers of any length.
const LONGEST: usize = 400;

/// A beginning. No function is at address 0, which an empty one has in its key.
struct Beginning {
    key: Key,
    len: usize,
    bytes: [u8; LONGEST],
}

/// A kernel that was launched: its handle, how often handles had ended then, and what is known of it.
type Known = Option<(usize, u64, Arc<Kernel>)>;

const KERNELS: usize = 16;
const BEGINNINGS: usize = 32;

/// What a thread remembers.
#[derive(Default)]
pub struct Launches {
    kernels: [Known; KERNELS],
    beginnings: Vec<Beginning>,
    numbers: Numbers,
}

thread_local! {
    static LAUNCHES: Cell<Option<Box<Launches>>> = const { Cell::new(None) };
}

/// Does something with what the thread remembers; one that ends remembers nothing.
pub fn with<R>(run: impl FnOnce(&mut Launches) -> R) -> R {
    let mut launches = LAUNCHES.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let result = run(&mut launches);
    let _ = LAUNCHES.try_with(|place| place.set(Some(launches)));
    result
}

impl Launches {
    /// Writes what the line of a launch begins with, as `write` does it in front of the argument with a number, and returns that
    /// number. `None`: nothing is written, because the arguments cannot be told.
    pub fn begin(&mut self, launch: &Launch, text: &mut Text, write: impl FnOnce(usize, &mut Text)) -> Option<usize> {
        let key = launch.key.as_ref()?;
        let sum = key.iter().fold(0u64, |sum, word| sum.rotate_left(11) ^ word);
        let place = (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % BEGINNINGS;
        if let Some(known) = self.beginnings.get(place).filter(|known| known.key == *key) {
            text.push(&known.bytes[..known.len]);
            return Some(launch.first);
        }
        let start = text.len();
        write(launch.first, text);
        let new = &text.bytes()[start..];
        // A handle that has no number may get one.
        if new.len() <= LONGEST && !new.contains(&b'@') {
            let empty = || Beginning { key: [0; 8], len: 0, bytes: [0; LONGEST] };
            self.beginnings.resize_with(BEGINNINGS, empty);
            let known = &mut self.beginnings[place];
            (known.key, known.len) = (*key, new.len());
            known.bytes[..new.len()].copy_from_slice(new);
        }
        Some(launch.first)
    }

    /// Writes what a launch launches. False if nobody knows.
    pub fn describe(&mut self, launch: &Launch, text: &mut Text) -> bool {
        let given_up = kernel::given_up();
        let place = (launch.function >> 4 ^ launch.function >> 12) % KERNELS;
        if let Some((function, when, kernel)) = &self.kernels[place]
            && (*function, *when) == (launch.function, given_up)
        {
            kernel.show(launch.parameters, &mut self.numbers, text);
            return true;
        }
        let Some(kernel) = kernel::find(launch.function) else { return false };
        kernel.show(launch.parameters, &mut self.numbers, text);
        self.kernels[place] = Some((launch.function, given_up, kernel));
        true
    }
}
