//! What the compiler checks of the tables: their words are in the lists of opcodes and modifiers, and no opcode is without form.

use super::{GROUPS, SETS, VECTORS, WIDE_VECTORS};
use crate::opcode::Opcode;
use crate::{modifier, opcode};

#[allow(long_running_const_eval)]
const _: () = {
    let (mut with_form, mut group) = ([false; Opcode::ALL.len()], 0);
    while group < GROUPS.len() {
        lines(GROUPS[group].1.as_bytes(), &mut with_form);
        group += 1;
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

const fn lines(text: &[u8], with_form: &mut [bool; Opcode::ALL.len()]) {
    let mut at = 0;
    while at < text.len() {
        let mut end = at;
        while text[end] != b'\n' {
            end += 1;
        }
        if end > at {
            let first = part(text, at, end);
            opcodes(text, at, first, with_form);
            if first < end {
                modifiers(text, first + 2, part(text, first + 2, end));
            }
        }
        at = end + 1;
    }
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

const fn opcodes(text: &[u8], from: usize, end: usize, with_form: &mut [bool; Opcode::ALL.len()]) {
    let (mut first, mut behind) = word(text, from, end);
    while first < behind {
        match opcode::WORDS.find_in(text, first, behind) {
            Some(number) => with_form[number] = true,
            None => opcode_not_in_the_list(part_of(text, first, behind)),
        }
        (first, behind) = word(text, behind, end);
    }
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
