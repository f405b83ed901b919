//! Changes the contents of a record, for tests: `edit FROM TO FILE NEW` replaces a text by another one of the same length.

use record::{Event, Reader, VERSION, Writer};
use std::fs::File;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, file, new] = words.as_slice() else { panic!("FROM TO FILE NEW") };
    assert_eq!(from.len(), to.len(), "both texts are as long");
    let (mut reader, program) = Reader::open(File::open(file).expect("the record")).expect("a record");
    let mut writer = Writer::new(File::create(new).expect("the new record"));
    writer.put(&Event::Begin { version: VERSION, program }).expect("it is written");
    let mut changed = 0;
    while let Some(mut event) = reader.next().expect("whole events") {
        if let Event::Content { bytes, .. } = &mut event {
            let places: Vec<usize> = (0..bytes.len().saturating_sub(from.len() - 1))
                .filter(|at| bytes[*at..].starts_with(from.as_bytes()))
                .collect();
            changed += places.len();
            places.iter().for_each(|at| bytes[*at..at + to.len()].copy_from_slice(to.as_bytes()));
        }
        writer.put(&event).expect("it is written");
    }
    writer.end().expect("it is written");
    assert!(changed > 0, "{from} is not in the record");
}
