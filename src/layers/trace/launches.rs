//! What a thread remembers of its launches: their arguments in words, and their kernels. Programs launch the same kernels in the
//! same shapes again and again, and to put that into words takes longer than all the rest of a call. A text is found by all that it
//! was made of, and has nothing in it that may change: a handle keeps the name that it was given once, whatever it is a handle of.

use super::kernel::{self, Floats, Kernel, Shown, Word};
use super::keys::{self, Tags, is_same};
use super::sink::prefetch;
use crate::layers::call::{Call, LAUNCH_BY_CONFIG};
use crate::show::Text;
use core::mem::MaybeUninit;
use core::ptr;
use guard::Number;
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
    #[inline]
    pub fn of(call: &Call) -> Launch {
        let by_config = call.layers & LAUNCH_BY_CONFIG != 0;
        // Functions lie at even addresses: whether there is an array of parameters is not seen in it, but in the text.
        let function_and =
            |parameters: usize| core::ptr::from_ref(call.entry).addr() as u64 | u64::from(parameters == 0);
        // SAFETY: a word, an address and numbers of 4 bytes, as these functions are declared.
        unsafe {
            let word = |index: usize| call.argument::<usize>(index);
            if by_config {
                let (config, function, parameters) = (word(0), word(1), word(2));
                let key = words(config).map(|[xy, zx, yz, shared, stream, attributes, count]| {
                    // Half of these two is not part of the structure.
                    let halves = (shared & 0xffff_ffff) | (count << 32);
                    [function_and(parameters), function as u64, xy, zx, yz, halves, stream, attributes]
                });
                return Launch { function, parameters, at: 2, key: key.filter(|_| word(3) == 0) };
            }
            let two = |index: usize| -> u64 {
                u64::from(call.argument::<u32>(index)) | (u64::from(call.argument::<u32>(index + 1)) << 32)
            };
            let (function, shared, stream, parameters) = (word(0), call.argument::<u32>(7), word(8), word(9));
            let key =
                [function_and(parameters), function as u64, two(1), two(3), two(5), shared.into(), stream as u64, 0];
            // Some launches have no argument for parameters in one piece: it reads as 0.
            Launch { function, parameters, at: 9, key: Some(key).filter(|_| word(10) == 0) }
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

/// A launch in words, with all that is needed to write it again: what is elsewhere may take long to come from memory.
#[repr(align(64))]
struct Words {
    /// What the launch is. No function is at address 0, which an empty one has in its key.
    key: Key,
    /// They are written: others are too long, or have names that JSON does not take as they are.
    is_kept: bool,
    /// How many values there are: where the first parameter is, and the parameters.
    count: u16,
    /// Where the kernel's name begins, and where its last parameter ends.
    kernel: u16,
    end: u16,
    values: [u64; 1 + PARAMETERS],
    /// Where the text of each value begins and ends.
    places: [(u16, u16); 1 + PARAMETERS],
    /// How parameters are read and shown.
    numbers: [Number; PARAMETERS],
    shown: [Shown; PARAMETERS],
    bytes: [u8; LONGEST],
}

impl Words {
    const EMPTY: Words = Words {
        key: [0; 8],
        is_kept: false,
        count: 0,
        kernel: 0,
        end: 0,
        values: [0; 1 + PARAMETERS],
        places: [(0, 0); 1 + PARAMETERS],
        numbers: [Number::of(0); PARAMETERS],
        shown: [Shown::NONE; PARAMETERS],
        bytes: [0; LONGEST],
    };

    /// Puts bytes at the end. `None`: there is no room.
    fn push(&mut self, bytes: &[u8]) -> Option<()> {
        let start = usize::from(self.end);
        let end = start + bytes.len();
        self.bytes.get_mut(start..end)?.copy_from_slice(bytes);
        self.end = end as u16;
        Some(())
    }

    /// Puts the text of the next value at the end.
    fn push_value(&mut self, value: u64, word: &Word) -> Option<()> {
        let start = self.end;
        self.push(word.bytes())?;
        let i = usize::from(self.count);
        *self.values.get_mut(i)? = value;
        *self.places.get_mut(i)? = (start, self.end);
        self.count += 1;
        Some(())
    }

    /// Reads where the first parameter of a launch is, and its parameters.
    #[inline(always)]
    fn read(&self, parameters: usize) -> Option<[u64; 1 + PARAMETERS]> {
        let mut values = [0; 1 + PARAMETERS];
        let (first, rest) = values.split_first_mut()?;
        *first = if parameters == 0 { 0 } else { guard::read_pointer(parameters).ok()? as u64 };
        guard::read_numbers(rest, parameters, self.numbers.get(..usize::from(self.count).saturating_sub(1))?).ok()?;
        Some(values)
    }

    /// Makes the text that of other values. `None`: it cannot be.
    #[inline(never)]
    fn update(&mut self, new: &[u64; 1 + PARAMETERS], floats: &mut Floats, parameters: usize) -> Option<()> {
        for (i, &new) in new.iter().enumerate().take(self.count.into()) {
            if new != self.values[i] {
                let word = match i.checked_sub(1) {
                    None => kernel::place(new, parameters),
                    Some(parameter) => self.shown[parameter].word(new, floats)?,
                };
                self.replace(i, &word)?;
                self.values[i] = new;
            }
        }
        Some(())
    }

    /// Replaces the text of a value.
    #[inline(always)]
    fn replace(&mut self, i: usize, word: &Word) -> Option<()> {
        let (start, before) = *self.places.get(i)?;
        let after = start + word.bytes().len() as u16;
        if after != before {
            self.move_behind(i, before, after)?;
        }
        self.bytes.get_mut(start.into()..after.into())?.copy_from_slice(word.bytes());
        Some(())
    }

    /// Moves what is behind the text of a value.
    #[cold]
    fn move_behind(&mut self, i: usize, before: u16, after: u16) -> Option<()> {
        let moved = |place: u16| if place >= before { place - before + after } else { place };
        let end = moved(self.end);
        if usize::from(end) > LONGEST {
            return None;
        }
        self.bytes.copy_within(usize::from(before)..usize::from(self.end), after.into());
        (self.kernel, self.end) = (moved(self.kernel), end);
        self.places.get_mut(i)?.1 = after;
        for place in self.places.get_mut(i + 1..self.count.into())? {
            *place = (moved(place.0), moved(place.1));
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

/// A kernel that was launched: its handle, and what is known of it.
type Known = Option<(usize, Arc<Kernel>)>;

const KERNELS: usize = 16;
const WORDS: usize = 256;
const WORKS: usize = 16;
impl Default for Launches {
    fn default() -> Launches {
        Launches {
            given_up: 0,
            kernels: Default::default(),
            tags: Tags::EMPTY,
            words: Vec::new(),
            works: Vec::new(),
            floats: Floats::default(),
            turn: 0,
        }
    }
}

/// A number that depends on all that a launch is.
#[inline(always)]
fn sum(key: &Key) -> u64 {
    key.iter().fold(0u64, |sum, word| sum.rotate_left(11) ^ word)
}

/// What a thread remembers. First is what leads to the rest of it.
#[repr(C)]
pub struct Launches {
    /// How often handles had ended: what is kept is of those that there were then.
    given_up: u64,
    words: Vec<Words>,
    /// Where in [`Self::words`] the launch with a sum is likely to be.
    tags: Tags<{ WORDS / 4 }>,
    kernels: [Known; KERNELS],
    works: Vec<Work>,
    floats: Floats,
    /// Whose turn it is to give way.
    turn: usize,
}

impl Launches {
    /// Forgets launches of handles that have ended.
    #[inline]
    fn look_at_handles(&mut self) {
        let given_up = kernel::given_up();
        if self.given_up != given_up {
            self.given_up = given_up;
            self.kernels = Default::default();
            self.words.iter_mut().for_each(|words| words.key = [0; 8]);
        }
    }

    /// The kernel of a launch, if anybody knows.
    pub fn kernel(&mut self, launch: &Launch) -> Option<&Arc<Kernel>> {
        self.look_at_handles();
        let (function, number) = (launch.function, launch.function as u64);
        let is = |known: &Known| known.as_ref().is_some_and(|known| known.0 == function);
        let place = match keys::find(&self.kernels, KERNELS, number, is) {
            Some(place) => place,
            None => {
                let place = keys::place(KERNELS, number, &mut self.turn);
                self.kernels[place] = Some((function, kernel::find(function)?));
                place
            }
        };
        self.kernels[place].as_ref().map(|(_, kernel)| kernel)
    }

    /// The text of a launch up to the bracket behind its kernel's parameters, and no more than `most` bytes of the kernel. `before`
    /// and `behind` write what is on both sides of what leads to the parameters, where that is not known. `None`: it has to be
    /// written in another way.
    #[inline]
    pub fn text(
        &mut self,
        launch: &Launch,
        most: usize,
        before: impl FnOnce(&mut Text),
        behind: impl FnOnce(&mut Text),
    ) -> Option<&[u8]> {
        let key = launch.key.as_ref()?;
        self.look_at_handles();
        let sum = sum(key);
        let is = |place: &usize| self.words.get(*place).is_some_and(|words| is_same(&words.key, key));
        let place = match self.tags.find(sum).filter(is) {
            Some(place) => place,
            None => self.begin(launch, key, sum, before, behind)?,
        };
        let words = self.words.get_mut(place)?;
        if !words.is_kept {
            return None;
        }
        let new = words.read(launch.parameters)?;
        if !is_same(&words.values, &new) && words.update(&new, &mut self.floats, launch.parameters).is_none() {
            words.key = [0; 8];
            return None;
        }
        words.bytes.get(..usize::from(words.end).min(usize::from(words.kernel).saturating_add(most)))
    }

    /// Asks for the memory in which a launch is likely to be. To come from there it takes as long as all the rest.
    #[inline]
    pub fn prefetch(&self, launch: &Launch) {
        const LINE: usize = 64;
        /// Lines of a text of common length.
        const TEXT: usize = 7;
        if let Some(key) = &launch.key
            && let Some(place) = self.tags.find(sum(key))
            && let Some(words) = self.words.get(place)
        {
            for line in 0..(core::mem::offset_of!(Words, bytes) / LINE + TEXT) {
                prefetch(ptr::from_ref(words).cast::<u8>().wrapping_add(line * LINE));
            }
        }
    }

    /// Puts a launch into words, and returns where they are. `None`: it cannot be kept.
    #[cold]
    #[inline(never)]
    fn begin(
        &mut self,
        launch: &Launch,
        key: &Key,
        sum: u64,
        before: impl FnOnce(&mut Text),
        behind: impl FnOnce(&mut Text),
    ) -> Option<usize> {
        let kernel = self.kernel(launch)?.clone();
        self.words.resize_with(WORDS, || Words::EMPTY);
        let place = self.tags.take(sum);
        let words = self.words.get_mut(place)?;
        *words = Words::EMPTY;
        // One that cannot be kept is not looked at again.
        words.key = *key;
        let name = kernel.start()?;
        let parameters = kernel.parameters();
        for (i, (number, shown)) in parameters.iter().enumerate() {
            *words.numbers.get_mut(i)? = *number;
            *words.shown.get_mut(i)? = *shown;
        }
        words.count = 1 + parameters.len() as u16;
        let values = words.read(launch.parameters);
        words.count = 0;
        let values = values?;
        let mut text = Text::default();
        before(&mut text);
        words.push(text.bytes())?;
        words.push_value(values[0], &kernel::place(values[0], launch.parameters))?;
        let mut text_behind = Text::default();
        behind(&mut text_behind);
        // A handle that has no number may get one.
        if text.bytes().contains(&b'@') || text_behind.bytes().contains(&b'@') {
            words.key = [0; 8];
            return None;
        }
        words.push(text_behind.bytes())?;
        words.kernel = words.end;
        words.push(name)?;
        for (i, (_, shown)) in parameters.iter().enumerate() {
            if i > 0 {
                words.push(b", ")?;
            }
            let value = *values.get(1 + i)?;
            words.push_value(value, &shown.word(value, &mut self.floats)?)?;
        }
        words.push(b")")?;
        words.is_kept = true;
        Some(place)
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
        if let Some(place) = keys::find(&self.works, WORKS, sum, is) {
            return text.push(&self.works[place].text);
        }
        let start = text.len();
        write(text);
        if name.len() <= LONGEST {
            self.works.resize_with(WORKS, Work::default);
            let known = &mut self.works[keys::place(WORKS, sum, &mut self.turn)];
            (known.grid, known.block) = (grid, block);
            name.clone_into(&mut known.name);
            text.bytes()[start..].clone_into(&mut known.text);
        }
    }
}
