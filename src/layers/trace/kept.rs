//! Lines that a thread has written, by all that they were made of. Most calls of a program are few questions, asked again and again with
//! the same answer; to find a line takes less time, and much less code, than to write it. As with launches, there is nothing in a line
//! that may change: a handle keeps the name that it was given once.

use super::keys::{Tags, is_same};
use crate::layers::call::Call;
use crate::show::{Kind, Piece, Shape, Text};
use crate::table::Entry;

/// The most arguments of a call of which lines are kept.
const MOST: usize = 4;

/// The longest line that is kept, without its times: four lines of the cache with what it is made of.
const LONGEST: usize = 256 - size_of::<Key>() - size_of::<u16>();

/// How an argument is looked at: a code of [`BITS`] bits, of which [`form`] puts together those of all arguments. 0: there is no more.
const BITS: u32 = 3;
/// A number or a handle of 4 bytes.
const WORD: u32 = 1;
/// Of 8 bytes.
const WIDE: u32 = 2;
/// The argument is its address.
const BEHIND: u32 = 4;

/// Where in [`Entry::layers`] that is.
const SHIFT: u32 = 20;

/// In [`Entry::layers`]: lines of the function are kept.
pub const KEPT: u32 = 1 << 19;

/// How the arguments of a function are looked at, for [`Entry::layers`]. 0: its lines are not kept.
pub fn bits(entry: &Entry) -> u32 {
    form(entry).map_or(0, |form| KEPT | (form << SHIFT))
}

/// `None`: an argument leads to more than a number, or there are too many.
fn form(entry: &Entry) -> Option<u32> {
    let size = |shape: &Shape| match shape.size {
        4 => Some(WORD),
        8 => Some(WORD | WIDE),
        _ => None,
    };
    let code = |shape: &Shape| match shape.kind {
        Kind::Plain | Kind::Handle(_) | Kind::Address | Kind::Memory { .. } | Kind::Function => size(shape),
        Kind::Pointer { to, .. } => match to.kind {
            Kind::Plain | Kind::Handle(_) | Kind::Address | Kind::Memory { .. } => Some(size(to)? | BEHIND),
            _ => None,
        },
        _ => None,
    };
    if entry.parameters.len() > MOST {
        return None;
    }
    let parameters = entry.parameters.iter().rev();
    parameters.map(|parameter| code(&parameter.ty.shape)).try_fold(0, |form, code| Some((form << BITS) | code?))
}

/// What a line is made of: the function, and its arguments or what they lead to, which is shown, and not where.
type Key = [u64; 1 + MOST];

/// In the word of the function: the first of the bits that say which addresses are NULL. Functions lie below.
const NULLS: u32 = 56;

/// Looks at a call that has succeeded. `None`: memory cannot be read.
#[inline(always)]
fn key(call: &Call) -> Option<Key> {
    let mut key = [0; 1 + MOST];
    key[0] = core::ptr::from_ref(call.entry).addr() as u64;
    let mut form = call.layers >> SHIFT;
    for i in 0..MOST {
        if form == 0 {
            break;
        }
        // SAFETY: the declaration gives the argument this size.
        let word = unsafe {
            match form & (BEHIND | WIDE) {
                0 => call.argument::<u32>(i).into(),
                _ => call.argument::<u64>(i),
            }
        };
        key[1 + i] = if form & BEHIND == 0 {
            word
        } else if word == 0 {
            key[0] |= 1 << (NULLS + i as u32);
            0
        } else if form & WIDE == 0 {
            guard::read_u32(word as usize).ok()?.into()
        } else {
            guard::read_pointer(word as usize).ok()? as u64
        };
        form >>= BITS;
    }
    Some(key)
}

/// One that is kept: what it is made of, and its text but for its times. No function is at address 0, which an empty one has in its
/// key. The text begins where the key ends: most lie in two lines of the cache.
#[derive(Clone)]
#[repr(C, align(64))]
struct Line {
    key: Key,
    text: Piece<LONGEST>,
}

const LINES: usize = 128;

/// Which bits of a word differ is not known: each word has its own way into the upper ones.
#[inline]
fn sum(key: &Key) -> u64 {
    let mut sum = 0u64;
    for (i, word) in key.iter().enumerate() {
        sum ^= word.rotate_left(7 * i as u32);
    }
    sum
}

/// What a thread remembers; empty before its first line.
#[repr(C)]
pub struct Lines {
    lines: Vec<Line>,
    /// Where the line with a sum is likely to be.
    tags: Tags<{ LINES / 4 }>,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { lines: Vec::new(), tags: Tags::EMPTY }
    }
}

impl Lines {
    /// Finds the text of a line but for its times, or has it written and keeps it. `None`: it cannot be kept.
    #[inline(always)]
    pub fn find(&mut self, call: &Call, write: impl FnOnce(&mut Text)) -> Option<&[u8]> {
        let key = key(call)?;
        let sum = sum(&key);
        let is = |place: &usize| self.lines.get(*place).is_some_and(|line| is_same(&line.key, &key));
        match self.tags.find(sum).filter(is) {
            Some(place) => self.lines.get(place).map(|line| line.text.bytes()),
            None => self.begin(sum, key, write),
        }
    }

    /// Writes a line that is not known, and keeps it.
    #[cold]
    #[inline(never)]
    fn begin(&mut self, sum: u64, key: Key, write: impl FnOnce(&mut Text)) -> Option<&[u8]> {
        let mut text = Text::default();
        write(&mut text);
        // A handle that has no number may get one.
        if text.bytes().contains(&b'@') {
            return None;
        }
        let text = Piece::of(text.bytes())?;
        self.lines.resize(LINES, Line { key: [0; 1 + MOST], text: Piece::EMPTY });
        let line = self.lines.get_mut(self.tags.take(sum))?;
        *line = Line { key, text };
        Some(line.text.bytes())
    }
}
