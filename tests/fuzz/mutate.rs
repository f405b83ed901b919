//! Changes to inputs: of bytes, and of the tokens of PTX.

pub use crate::random::Random;

fn range(random: &mut Random, len: usize) -> core::ops::Range<usize> {
    let from = random.below(len + 1);
    let most = (len - from).min(1 << (1 + random.below(8)));
    from..from + random.below(most + 1)
}

/// Sizes, offsets and kinds that are at the edge of something.
const NUMBERS: [u64; 20] = [
    0,
    1,
    2,
    7,
    8,
    63,
    64,
    0xff,
    0x100,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fff8,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fff8,
    0xffff_ffff_ffff_ffff,
];

/// Changes bytes, in a few places.
#[allow(dead_code, reason = "the tool that changes kernels changes tokens alone")]
pub fn bytes(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        if input.is_empty() {
            input.push(random.next() as u8);
        }
        let at = random.below(input.len());
        match random.below(9) {
            0 => input[at] ^= 1 << random.below(8),
            1 => input[at] = random.next() as u8,
            2 => input.truncate(at),
            3 => drop(input.drain(range(random, input.len()))),
            4 => {
                let piece = input[range(random, input.len())].to_vec();
                input.splice(at..at, piece);
            }
            5 => {
                let piece = other[range(random, other.len())].to_vec();
                input.splice(at..at, piece);
            }
            width => {
                let width = [2, 4, 8][width - 6];
                let number = random.pick(&NUMBERS).wrapping_add(random.next() % 3).wrapping_sub(1);
                // Fields lie at even places.
                let at = at / width * width;
                let end = input.len().min(at + width);
                input[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
        }
    }
}

/// Words, numbers and signs, with the blanks behind each.
pub fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || "_$%.".contains(c) => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut all: Vec<String> = Vec::new();
    let mut last = 3;
    for c in text.chars() {
        let this = kind(c);
        match all.last_mut() {
            Some(token) if this == 1 || (this == 0 && last == 0 && c != '.') => token.push(c),
            _ => all.push(c.to_string()),
        }
        last = this;
    }
    all
}

/// Changes tokens, in a few places. `words` are tokens of other texts.
pub fn text(input: &str, words: &[String], random: &mut Random) -> String {
    let mut all = tokens(input);
    for _ in 0..1 + random.below(4) {
        if all.is_empty() {
            all.push(random.pick(words).clone());
        }
        let at = random.below(all.len());
        match random.below(12) {
            0 => drop(all.remove(at)),
            1 => all[at] = random.pick(words).clone(),
            2 => all.insert(at, random.pick(words).clone()),
            3 => {
                let to = random.below(all.len());
                all.swap(at, to);
            }
            4 => drop(all.drain(range(random, all.len()))),
            5 => {
                let piece = all[range(random, all.len())].to_vec();
                all.splice(at..at, piece);
            }
            6 => {
                // One token, again and again: depth, length, size.
                let again = vec![all[at].clone(); 1 << random.below(14)];
                all.splice(at..at, again);
            }
            7 => all[at] = format!("{} ", random.pick(&NUMBERS)),
            8 => all[at] = format!("0x{:x}", random.pick(&NUMBERS)),
            9 => {
                let sign = *random.pick(b"(){}[]<>,;:@!-+*/.\"%_|=~");
                let repeated = char::from(sign).to_string().repeat(1 << random.below(14));
                all.insert(at, repeated);
            }
            10 => all[at] = all[at].repeat(1 << random.below(14)),
            _ => {
                // A number in place of a number.
                let numbers: Vec<usize> =
                    (0..all.len()).filter(|&i| all[i].starts_with(|c: char| c.is_ascii_digit())).collect();
                if !numbers.is_empty() {
                    let at = *random.pick(&numbers);
                    all[at] = format!("{} ", random.pick(&NUMBERS));
                }
            }
        }
    }
    all.concat()
}
