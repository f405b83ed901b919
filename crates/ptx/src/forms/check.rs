//! What the compiler does with the tables: it checks that their words are in the lists of opcodes and modifiers and that no opcode is
//! without form, and notes where the lines of each opcode are. A process that has to find that out pays a tenth of a millisecond.

use super::tables::{GROUPS, SETS, VECTORS, WIDE_VECTORS};
use crate::opcode::Opcode;
use crate::{modifier, opcode};

/// Where a line of the tables is that gives an opcode forms.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// The number of the opcode, and of the group.
    pub opcode: u16,
    pub group: u16,
    /// The line in the group's text.
    pub from: u16,
    pub to: u16,
}

/// All lines, for each of their opcodes.
#[allow(long_running_const_eval)]
pub(super) static LINES: [Line; COUNT] = index::<COUNT>().0;

#[allow(long_running_const_eval)]
const COUNT: usize = index::<0>().1;

#[allow(long_running_const_eval)]
const _: () = {
    let (mut with_form, mut line, lines) = ([false; Opcode::ALL.len()], 0, index::<COUNT>().0);
    while line < COUNT {
        with_form[lines[line].opcode as usize] = true;
        line += 1;
    }
    let mut number = 0;
    while number < with_form.len() {
        if !with_form[number] {
            opcode_without_form(Opcode::ALL[number].text());
        }
        number += 1;
    }
    let mut set = 0;
    while set < SETS.len() {
        modifiers(SETS[set].1.as_bytes(), 0, SETS[set].1.len());
        set += 1;
    }
    let (mut vector, mut wide) = (0, 0);
    while vector < VECTORS.len() {
        modifiers(VECTORS[vector].0.as_bytes(), 0, VECTORS[vector].0.len());
        vector += 1;
    }
    while wide < WIDE_VECTORS.len() {
        modifiers(WIDE_VECTORS[wide].0.as_bytes(), 0, WIDE_VECTORS[wide].0.len());
        wide += 1;
    }
};

/// The first `N` lines, and how many there are.
const fn index<const N: usize>() -> ([Line; N], usize) {
    let mut lines = [Line { opcode: 0, group: 0, from: 0, to: 0 }; N];
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        let text = GROUPS[group].1.as_bytes();
        assert!(text.len() <= u16::MAX as usize);
        let mut at = 0;
        while at < text.len() {
            let mut end = at;
            while text[end] != b'\n' {
                end += 1;
            }
            let behind_opcodes = part(text, at, end);
            let (mut first, mut behind) = word(text, at, behind_opcodes);
            while first < behind {
                let Some(opcode) = opcode::WORDS.find_in(text, first, behind) else {
                    opcode_not_in_the_list(part_of(text, first, behind))
                };
                if count < N {
                    lines[count] = Line { opcode: opcode as u16, group: group as u16, from: at as u16, to: end as u16 };
                }
                count += 1;
                (first, behind) = word(text, behind, behind_opcodes);
            }
            if behind_opcodes < end {
                modifiers(text, behind_opcodes + 2, part(text, behind_opcodes + 2, end));
            }
            at = end + 1;
        }
        group += 1;
    }
    (lines, count)
}

/// Where ` :` or `@` is, or the end.
const fn part(text: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end && text[at] != b'@' && !(text[at] == b' ' && at + 1 < end && text[at + 1] == b':') {
        at += 1;
    }
    at
}

/// Goes over the words of a text between two places; they are separated by blanks, `|`, `?` and `!`.
const fn word(text: &[u8], from: usize, end: usize) -> (usize, usize) {
    let mut first = from;
    while first < end && matches!(text[first], b' ' | b'|' | b'?' | b'!') {
        first += 1;
    }
    let mut behind = first;
    while behind < end && !matches!(text[behind], b' ' | b'|' | b'?' | b'!') {
        behind += 1;
    }
    (first, behind)
}

const fn modifiers(text: &[u8], from: usize, end: usize) {
    let (mut first, mut behind) = word(text, from, end);
    while first < behind {
        // Sets, `*`, and extents of matrices.
        let other = matches!(text[first], b'$' | b'*') || text[first] == b'm' && text[first + 1].is_ascii_digit();
        if !other && modifier::WORDS.find_in(text, first, behind).is_none() {
            modifier_not_in_the_list(part_of(text, first, behind));
        }
        (first, behind) = word(text, behind, end);
    }
}

const fn part_of(text: &[u8], from: usize, to: usize) -> &str {
    match core::str::from_utf8(text.split_at(to).0.split_at(from).1) {
        Ok(word) => word,
        Err(_) => "",
    }
}

// The compiler shows the word and the name of the function.

const fn opcode_without_form(name: &str) -> ! {
    panic!("{}", name)
}

const fn opcode_not_in_the_list(name: &str) -> ! {
    panic!("{}", name)
}

const fn modifier_not_in_the_list(name: &str) -> ! {
    panic!("{}", name)
}
