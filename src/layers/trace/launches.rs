//! What a thread remembers of its launches: their arguments in words, and their kernels. Programs launch the same kernels in the
//! same shapes again and again, and to put that into words takes longer than all the rest of a call. A text is found by all that it
//! was made of, and has nothing in it that may change: a handle keeps the name that it was given once, whatever it is a handle of.

use super::kernel::{self, Kernel, Numbers};
use crate::layers::call::{Call, LAUNCH_BY_CONFIG};
use crate::show::Text;
use core::mem::MaybeUninit;
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
                    let halves = (shared & 0xffff_ffff) | (count << 32);
                    [entry, function as u64, xy, zx, yz, halves, stream, attributes]
                });
                return Launch { function, parameters: word(2), at: 2, key: key.filter(|_| word(3) == 0) };
            }
            let two = |index: usize| -> u64 {
                u64::from(call.argument::<u32>(index)) | (u64::from(call.argument::<u32>(index + 1)) << 32)
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

/// The longest text that is kept, and the most parameters.
const LONGEST: usize = 1000;
const PARAMETERS: usize = 16;

/// A launch in words. No function is at address 0, which an empty one has in its key.
struct Words {
    key: Key,
    /// How often handles had ended when it was written.
    given_up: u64,
    /// It is written: others are too long, or have names that JSON does not take as they are.
    is_kept: bool,
    /// The parameters, and how many there are.
    values: [u64; PARAMETERS],
    count: usize,
    /// Bytes in front of what leads to the parameters.
    before: usize,
    /// Where the kernel's name begins, where each parameter ends, and where the first one begins.
    kernel: usize,
    ends: [usize; PARAMETERS + 1],
    bytes: [u8; LONGEST],
}

impl Words {
    const EMPTY: Words = Words {
        key: [0; 8],
        given_up: 0,
        is_kept: false,
        values: [0; PARAMETERS],
        count: 0,
        before: 0,
        kernel: 0,
        ends: [0; PARAMETERS + 1],
        bytes: [0; LONGEST],
    };

    /// Puts bytes behind a place, and returns where they end. `None`: there is no room.
    fn put(&mut self, at: usize, bytes: &[u8]) -> Option<usize> {
        self.bytes.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
        Some(at + bytes.len())
    }

    /// Writes parameters from one on again. `None`: they do not fit.
    fn write(&mut self, from: usize, kernel: &Kernel, numbers: &mut Numbers) -> Option<()> {
        let mut at = self.ends[from];
        for i in from..self.count {
            if i > 0 {
                at = self.put(at, b", ")?;
            }
            at = self.put(at, kernel.word(i, numbers)?.bytes())?;
            self.ends[i + 1] = at;
        }
        self.put(at, b")").map(|_| ())
    }

    /// Makes the text that of parameters that were read. `None`: it cannot be.
    #[inline]
    fn update(&mut self, kernel: &Kernel, numbers: &mut Numbers, parameters: usize) -> Option<()> {
        let new = kernel.read(parameters, numbers)?;
        let known = self.values.get_mut(..new.len())?;
        if known == new {
            return Some(());
        }
        let mut values = [0; PARAMETERS];
        values[..new.len()].copy_from_slice(new);
        for i in 0..self.count {
            if values[i] != self.values[i] {
                let word = kernel.word(i, numbers)?;
                let start = self.ends[i] + if i > 0 { 2 } else { 0 };
                if word.bytes().len() != self.ends[i + 1] - start {
                    self.values = values;
                    return self.write(i, kernel, numbers);
                }
                self.bytes[start..self.ends[i + 1]].copy_from_slice(word.bytes());
                self.values[i] = values[i];
            }
        }
        Some(())
    }
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
const WORDS: usize = 256;
const WORKS: usize = 16;

/// What a thread remembers.
#[derive(Default)]
pub struct Launches {
    kernels: [Known; KERNELS],
    words: Vec<(Option<Arc<Kernel>>, Words)>,
    works: Vec<Work>,
    numbers: Numbers,
    /// Whose turn it is to give way.
    turn: usize,
}

/// A number of which the lower bits depend on all bits of another one.
pub fn spread(number: u64) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

/// Finds one of some that are kept near the place that a number says. If there is none: a place for it, by turns.
#[inline]
fn find<T>(kept: &[T], most: usize, number: u64, turn: &mut usize, is: impl Fn(&T) -> bool) -> Result<usize, usize> {
    const NEAR: usize = 4;
    let first = spread(number);
    for i in 0..NEAR {
        let place = (first ^ i) % most;
        if kept.get(place).is_some_and(&is) {
            return Ok(place);
        }
    }
    *turn = turn.wrapping_add(1);
    Err((first ^ (*turn % NEAR)) % most)
}

impl Launches {
    /// The kernel of a launch, if anybody knows.
    pub fn kernel(&mut self, launch: &Launch) -> Option<&Arc<Kernel>> {
        let given_up = kernel::given_up();
        let is = |known: &Known| known.as_ref().is_some_and(|known| (known.0, known.1) == (launch.function, given_up));
        let place = match find(&self.kernels, KERNELS, launch.function as u64, &mut self.turn, is) {
            Ok(place) => place,
            Err(place) => {
                self.kernels[place] = Some((launch.function, given_up, kernel::find(launch.function)?));
                place
            }
        };
        self.kernels[place].as_ref().map(|(_, _, kernel)| kernel)
    }

    /// Writes a launch up to the bracket behind its kernel's parameters, and no more than `most` bytes of the kernel. `before` and
    /// `behind` write what is on both sides of what leads to the parameters, where that is not known. False: nothing is written, and
    /// has to be in another way.
    pub fn show(
        &mut self,
        launch: &Launch,
        most: usize,
        text: &mut Text,
        before: impl FnOnce(&mut Text),
        behind: impl FnOnce(&mut Text),
    ) -> bool {
        let Some(key) = &launch.key else { return false };
        let given_up = kernel::given_up();
        let sum = key.iter().fold(0u64, |sum, word| sum.rotate_left(11) ^ word);
        let is = |(_, words): &(_, Words)| words.key == *key && words.given_up == given_up;
        let place = match find(&self.words, WORDS, sum, &mut self.turn, is) {
            Ok(place) => place,
            Err(place) if self.begin(launch, (key, given_up, place), text, before, behind).is_some() => place,
            Err(_) => return false,
        };
        let (Some(kernel), words) = &mut self.words[place] else { return false };
        if !words.is_kept {
            return false;
        }
        if words.update(kernel, &mut self.numbers, launch.parameters).is_none() {
            *words = Words::EMPTY;
            return false;
        }
        let first = if launch.parameters == 0 { None } else { guard::read_pointer(launch.parameters).ok() };
        text.pen(|pen| {
            pen.push(&words.bytes[..words.before]);
            match first {
                Some(first) => {
                    pen.put(b"[");
                    pen.address(first);
                    pen.put(b"]");
                }
                None => pen.address(launch.parameters),
            }
            // The bracket is behind the last parameter.
            let end = (words.ends[words.count] + 1).min(words.kernel.saturating_add(most));
            pen.push(&words.bytes[words.before..end]);
        });
        true
    }

    /// Puts a launch into words. `None`: it cannot be kept.
    #[cold]
    fn begin(
        &mut self,
        launch: &Launch,
        (key, given_up, place): (&Key, u64, usize),
        text: &mut Text,
        before: impl FnOnce(&mut Text),
        behind: impl FnOnce(&mut Text),
    ) -> Option<()> {
        let kernel = self.kernel(launch)?.clone();
        self.words.resize_with(WORDS, || (None, Words::EMPTY));
        let (place, words) = &mut self.words[place];
        let (kernel, numbers) = (&**place.insert(kernel), &mut self.numbers);
        *words = Words::EMPTY;
        let values = kernel.read(launch.parameters, numbers)?;
        (words.key, words.given_up, words.count) = (*key, given_up, values.len());
        let name = kernel.start()?;
        words.values.get_mut(..values.len())?.copy_from_slice(values);
        let start = text.len();
        before(text);
        words.before = text.len() - start;
        behind(text);
        words.kernel = text.len() - start;
        text.push(name);
        let new = &text.bytes()[start..];
        // A handle that has no number may get one.
        let end = if new.contains(&b'@') { None } else { words.put(0, new) };
        text.shorten_since(start, 0);
        words.ends[0] = end?;
        words.write(0, kernel, numbers)?;
        words.is_kept = true;
        Some(())
    }

    /// Writes work of the device as `write` does it.
    pub fn work(
        &mut self,
        name: &str,
        (grid, block): ([u32; 3], [u32; 3]),
        text: &mut Text,
        write: impl FnOnce(&mut Text),
    ) {
        let sum = name.as_ptr().addr() as u64 ^ (u64::from(grid[0]) << 40) ^ (u64::from(block[0]) << 56);
        let is = |known: &Work| (known.grid, known.block, known.name.as_str()) == (grid, block, name);
        let place = match find(&self.works, WORKS, sum, &mut self.turn, is) {
            Ok(place) => return text.push(&self.works[place].text),
            Err(place) => place,
        };
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

#[cfg(test)]
impl Launch {
    /// The same launch, of which nothing is kept.
    pub fn unknown(self) -> Launch {
        Launch { key: None, ..self }
    }
}
