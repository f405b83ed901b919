//! What a thread remembers of its launches: their arguments in words, and their kernels. Programs launch the same kernels in the
//! same shapes again and again, and to put that into words takes longer than all the rest of a call. A text is found by all that it
//! was made of, and has nothing in it that may change: a handle keeps the name that it was given once, whatever it is a handle of.

use super::kernel::{self, Kernel, Numbers};
use crate::layers::call::{Call, LAUNCH_BY_CONFIG};
use crate::show::Text;
use core::mem::MaybeUninit;
use std::cell::Cell;
use std::sync::Arc;

/// What the arguments of a launch are, but for those that lead to its parameters.
type Key = [u64; 8];

/// A launch.
pub struct Launch {
    /// The function.
    function: usize,
    /// The array of the addresses of its parameters.
    pub parameters: usize,
    /// Which argument that is.
    pub at: usize,
    /// `None`: the structure cannot be read, or there are parameters in one piece.
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
                return Launch { function, parameters: word(2), at: 2, key: key.filter(|_| word(3) == 0) };
            }
            let two = |index: usize| -> u64 {
                u64::from(call.argument::<u32>(index)) | u64::from(call.argument::<u32>(index + 1)) << 32
            };
            let (function, shared, stream) = (word(0), call.argument::<u32>(7), word(8));
            let key = [entry, function as u64, two(1), two(3), two(5), shared.into(), stream as u64, 0];
            // Some launches have no argument for parameters in one piece: it reads as 0.
            Launch { function, parameters: word(9), at: 9, key: Some(key).filter(|_| word(10) == 0) }
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

/// The most that is kept of a text.
const LONGEST: usize = 400;

/// The arguments of a launch in words. No function is at address 0, which an empty one has in its key.
struct Arguments {
    key: Key,
    /// Bytes in front of what leads to the parameters.
    before: usize,
    /// All bytes.
    len: usize,
    bytes: [u8; LONGEST],
}

/// Work of the device in words.
#[derive(Default)]
struct Work {
    name: String,
    grid: [u32; 3],
    block: [u32; 3],
    text: Vec<u8>,
}

/// A kernel that was launched: its handle, how often handles had ended then, and what is known of it.
type Known = Option<(usize, u64, Arc<Kernel>)>;

const KERNELS: usize = 16;
const ARGUMENTS: usize = 32;
const WORKS: usize = 16;

/// What a thread remembers.
#[derive(Default)]
pub struct Launches {
    kernels: [Known; KERNELS],
    arguments: Vec<Arguments>,
    works: Vec<Work>,
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
    /// The kernel of a launch, if anybody knows.
    pub fn kernel(&mut self, launch: &Launch) -> Option<(&Kernel, &mut Numbers)> {
        let given_up = kernel::given_up();
        let known = &mut self.kernels[(launch.function >> 4 ^ launch.function >> 12) % KERNELS];
        let is = |(function, when, _): &(usize, u64, _)| (*function, *when) == (launch.function, given_up);
        if !known.as_ref().is_some_and(is) {
            *known = Some((launch.function, given_up, kernel::find(launch.function)?));
        }
        known.as_ref().map(|(_, _, kernel)| (&**kernel, &mut self.numbers))
    }

    /// Writes the arguments of a launch as `before` and `behind` do it, on both sides of what leads to its parameters. False if that
    /// cannot be: then nothing is written.
    pub fn show(
        &mut self,
        launch: &Launch,
        text: &mut Text,
        before: impl FnOnce(&mut Text),
        behind: impl FnOnce(&mut Text),
    ) -> bool {
        let Some(key) = &launch.key else { return false };
        let sum = key.iter().fold(0u64, |sum, word| sum.rotate_left(11) ^ word);
        let place = (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % ARGUMENTS;
        if self.arguments.get(place).is_none_or(|known| known.key != *key) {
            let start = text.len();
            before(text);
            let middle = text.len();
            behind(text);
            let (new, before) = (&text.bytes()[start..], middle - start);
            // A handle that has no number may get one.
            let keeps = new.len() <= LONGEST && !new.contains(&b'@');
            if keeps {
                let empty = || Arguments { key: [0; 8], before: 0, len: 0, bytes: [0; LONGEST] };
                self.arguments.resize_with(ARGUMENTS, empty);
                let known = &mut self.arguments[place];
                (known.key, known.before, known.len) = (*key, before, new.len());
                known.bytes[..new.len()].copy_from_slice(new);
            }
            text.shorten_since(start, 0);
            if !keeps {
                return false;
            }
        }
        let known = &self.arguments[place];
        let first = if launch.parameters == 0 { None } else { guard::read_pointer(launch.parameters).ok() };
        text.pen(|pen| {
            pen.push(&known.bytes[..known.before]);
            match first {
                Some(first) => {
                    pen.put(b"[");
                    pen.address(first);
                    pen.put(b"]");
                }
                None => pen.address(launch.parameters),
            }
            pen.push(&known.bytes[known.before..known.len]);
        });
        true
    }

    /// Writes work of the device as `write` does it.
    pub fn work(
        &mut self,
        name: &str,
        (grid, block): ([u32; 3], [u32; 3]),
        text: &mut Text,
        write: impl FnOnce(&mut Text),
    ) {
        let place = (name.as_ptr().addr() >> 4 ^ grid[0] as usize ^ (block[0] as usize) << 1) % WORKS;
        let is = |known: &&Work| (known.grid, known.block, known.name.as_str()) == (grid, block, name);
        if let Some(known) = self.works.get(place).filter(is) {
            return text.push(&known.text);
        }
        let start = text.len();
        write(text);
        if name.len() <= LONGEST {
            self.works.resize_with(WORKS, Work::default);
            let known = &mut self.works[place];
            (known.grid, known.block) = (grid, block);
            name.clone_into(&mut known.name);
            text.bytes()[start..].clone_into(&mut known.text);
        }
    }
}
