//! Changes a record, for tests: `edit FROM TO FILE NEW` replaces a text in its contents by another one of the same length;
//! `edit --number SEED FILE NEW` puts another number in the place of one, or of three; `edit --grow MIB FILE NEW` puts so many MiB of
//! zeros in front; `edit --grid N FILE NEW` has the first launch of a kernel with that many blocks. The new file is whole: its checksums are right.

use record::{Argument, Data, Event, Memory, Reader, VERSION, Value, Writer};
use std::fs::File;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, file, new] = words.as_slice() else { panic!("FROM TO FILE NEW") };
    let (mut reader, program) = Reader::open(File::open(file).expect("the record")).expect("a record");
    let mut events = vec![Event::Begin { version: VERSION, program }];
    while let Some(event) = reader.next().expect("whole events") {
        events.push(event);
    }
    if from == "--number" {
        number(&mut events, to.parse().expect("a number"));
    } else if from == "--grow" {
        let piece = Event::Content { bytes: vec![0; 1 << 20], last: false };
        let pieces = vec![piece; to.parse().expect("a number")];
        events.splice(1..1, pieces);
    } else if from == "--grid" {
        grid(&mut events, to.parse().expect("a number"));
    } else {
        text(&mut events, from, to);
    }
    let mut writer = Writer::new(File::create(new).expect("the new record"));
    events.iter().for_each(|event| writer.put(event).expect("it is written"));
    writer.end().expect("the end is written");
}

fn text(events: &mut [Event], from: &str, to: &str) {
    assert_eq!(from.len(), to.len(), "both texts are as long");
    let mut changed = 0;
    for event in events {
        if let Event::Content { bytes, .. } = event {
            let places: Vec<usize> = (0..bytes.len().saturating_sub(from.len() - 1))
                .filter(|at| bytes[*at..].starts_with(from.as_bytes()))
                .collect();
            changed += places.len();
            places.iter().for_each(|at| bytes[*at..at + to.len()].copy_from_slice(to.as_bytes()));
        }
    }
    assert!(changed > 0, "{from:?} is nowhere in the record");
}

fn grid(events: &mut [Event], blocks: u64) {
    let is_launch = |event: &&Event| matches!(event, Event::Function { name } if name.starts_with("cuLaunchKernel"));
    let functions = events.iter().filter(|event| matches!(event, Event::Function { .. }));
    let launch = functions.clone().position(|event| is_launch(&event)).expect("a launch") as u32;
    let calls = events.iter_mut().filter_map(|event| match event {
        Event::Call(call) => Some(call),
        _ => None,
    });
    let call = calls.into_iter().find(|call| call.function == launch && call.code == 0).expect("a launch");
    // cuLaunchKernel(f, gridDimX, ...)
    call.arguments[1] = Argument::Word(blocks);
}

fn number(events: &mut [Event], seed: u64) {
    let mut count = 0;
    events.iter_mut().for_each(|event| numbers(event, &mut |_| count += 1));
    // One number, or three.
    let changes: Vec<(u64, u64)> = (0..if seed.is_multiple_of(3) { 3 } else { 1 })
        .map(|n| (seed + 1 + (n << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .map(|random| ((random >> 20) % count, random >> 8 & 7))
        .collect();
    let mut at = 0;
    for event in events {
        numbers(event, &mut |number| {
            if let Some((_, kind)) = changes.iter().find(|(chosen, _)| *chosen == at) {
                let new = match kind {
                    0 => 0,
                    1 => number.wrapping_add(1),
                    2 => *number / 2,
                    3 => number.wrapping_mul(2),
                    4 => number.wrapping_add(4096),
                    5 => 1 << 30,
                    6 => 1 << 40,
                    _ => u64::MAX,
                };
                println!("number {at} of {count}: {number:#x} becomes {new:#x}");
                *number = new;
            }
            at += 1;
        });
    }
}

type Change<'a> = &'a mut dyn FnMut(&mut u64);

/// All numbers of an event, of short contents the words.
fn numbers(event: &mut Event, change: Change<'_>) {
    const SHORT: usize = 512;
    match event {
        Event::Content { bytes, .. } if bytes.len() <= SHORT => {
            for word in bytes.chunks_exact_mut(8) {
                let mut number = word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
                change(&mut number);
                word.copy_from_slice(&number.to_le_bytes());
            }
        }
        Event::Call(call) => {
            small(&mut call.thread, change);
            small(&mut call.function, change);
            call.arguments.iter_mut().for_each(|argument| arguments(argument, change));
        }
        Event::Wait { stream, .. } => arguments(stream, change),
        Event::Written { object, offset, data: words } | Event::Expected { object, offset, data: words } => {
            small(object, change);
            change(offset);
            data(words, change);
        }
        Event::Dropped { object } => small(object, change),
        _ => {}
    }
}

fn small(number: &mut u32, change: Change<'_>) {
    let mut wide = u64::from(*number);
    change(&mut wide);
    *number = wide as u32;
}

fn arguments(argument: &mut Argument, change: Change<'_>) {
    match argument {
        Argument::Word(word) | Argument::Wild(word) | Argument::Code(word) => change(word),
        Argument::Object { id, offset } => {
            small(id, change);
            change(offset);
        }
        Argument::Memory(Memory { len, keep, before, after, .. }) => {
            change(len);
            keep.iter_mut().for_each(|id| small(id, change));
            before.iter_mut().chain(after).for_each(|words| data(words, change));
        }
        Argument::Function | Argument::Float(_) => {}
    }
}

fn data(Data { content, words }: &mut Data, change: Change<'_>) {
    small(content, change);
    for (at, value) in words {
        change(at);
        match value {
            Value::Is(argument) => arguments(argument, change),
            Value::New(id) => small(id, change),
            Value::Leads(inner) => data(inner, change),
            Value::Any | Value::Gap(_) => {}
        }
    }
}
