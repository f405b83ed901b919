//! `doppel replay`: asks a device what a program has asked, and says where it answers otherwise.

mod apart;
mod bounds;
mod compare;
mod machine;

use crate::arguments::Replay;
use crate::library::{self, Driver};
use crate::{Failure, print, print_json};
use machine::Machine;
use record::{Damage, Event, Reader};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Differences that are shown; the others are counted.
const SHOWN: usize = 20;
/// A recorder knows fewer remarks.
const MOST_REMARKS: usize = 1000;

/// Replays. The exit status is 1 where anything differs, or the file does not end as it should.
pub fn replay(query: &Replay) -> Result<u8, Failure> {
    let name = query.file.to_string_lossy();
    let file = std::fs::File::open(&query.file).map_err(|why| Failure::new(format!("cannot read {name}: {why}")))?;
    let (mut reader, program) =
        Reader::open(std::io::BufReader::new(file)).map_err(|damage| Failure::new(format!("{name} {damage}")))?;
    let progress = apart::Progress::new()?;
    if let Some(end) = apart::run(&progress, query.memory, query.patience)? {
        let why = match end {
            apart::End::Status(status) => return Ok(status),
            apart::End::Signal(signal, calls) => {
                format!("call {calls} ended the replay by signal {signal}: the file is damaged, or the driver at fault")
            }
            apart::End::Memory(limit, calls) => {
                format!(
                    "by call {calls} the replay took more than {limit} bytes of memory (--host-memory), and was ended"
                )
            }
            apart::End::Time(limit, calls) => {
                format!("call {calls} took more than {} seconds (--timeout), and the replay was ended", limit.as_secs())
            }
        };
        if query.json {
            print_json(&json!({ "file": name, "program": program, "ended": why }))?;
        } else {
            print(&format!("{name}: {why}\n"))?;
        }
        return Ok(1);
    }
    let folder = library::folder()?;
    for (name, value) in &query.variables {
        // SAFETY: no other thread runs: the library starts its threads at `cuInit`.
        unsafe { std::env::set_var(name, value) };
    }
    if std::env::var_os("DOPPEL_NODE").is_none() {
        // SAFETY: as above.
        unsafe { std::env::set_var("DOPPEL_NODE", "none") };
    }
    // The library reads its variables once.
    library::check(&folder, &query.variables)?;
    let driver = Driver::open(&folder)?;
    let mut machine = Machine::new(&driver, &query.tolerances);
    let mut remarks = BTreeSet::new();
    let mut found = 0;
    let damage = loop {
        match reader.next() {
            Ok(Some(Event::Remark { text })) if remarks.len() < MOST_REMARKS => drop(remarks.insert(text)),
            Ok(Some(Event::Remark { .. })) => {}
            Ok(Some(Event::End { found: words })) => found = words,
            Ok(Some(event)) => {
                if let Event::Call(_) = &event {
                    progress.next();
                }
                if let Err(what) = machine.step(event) {
                    break Some(Damage::Damaged(what));
                }
                if machine.no_driver {
                    remarks.insert("nothing more was asked, as the driver does not initialise".into());
                    break None;
                }
            }
            Ok(None) => break None,
            Err(damage) => break Some(damage),
        }
    };
    let status = u8::from(damage.is_some() || machine.differences > 0);
    if query.json {
        print_json(&json!({
            "file": name,
            "program": program,
            "calls": machine.calls,
            "launches": machine.launches,
            "bytes_compared": machine.compared,
            "tolerated": machine.tolerated,
            "differences": machine.differences,
            "shown": machine.shown.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "about_the_machine": machine.loose_functions,
            "words_taken_for_addresses": found,
            "addresses_of_functions": machine.code.len(),
            "remarks": remarks,
            "damage": damage.map(|damage| damage.to_string()),
        }))?;
        return Ok(status);
    }
    let mut text = String::new();
    for difference in &machine.shown {
        let _ = writeln!(text, "{difference}");
    }
    if machine.differences > SHOWN {
        let _ = writeln!(text, "and {} more", machine.differences - SHOWN);
    }
    for remark in &remarks {
        let _ = writeln!(text, "remark: {remark}");
    }
    if machine.loose > 0 {
        let functions: Vec<&str> = machine.loose_functions.iter().map(String::as_str).collect();
        let _ = writeln!(text, "remark: {} answers about the machine differ: {}", machine.loose, functions.join(", "));
    }
    if let Some((then, now)) = machine.devices {
        let _ =
            writeln!(text, "remark: the number of devices was {then}, and is {now}: --devices says how many there are");
    }
    if !machine.code.is_empty() {
        let count = machine.code.len();
        let _ =
            writeln!(text, "remark: {count} words that came back are addresses of functions of the emulated device");
    }
    if found > 0 {
        let _ = writeln!(text, "remark: {found} words of copied data lie in live memory, and were taken for addresses");
    }
    if let Some(damage) = &damage {
        let _ = writeln!(text, "{name} {damage}");
    }
    let differences = match machine.differences {
        0 if damage.is_some() => "equal up to there".to_owned(),
        0 => "equal".to_owned(),
        1 => "1 difference".to_owned(),
        n => format!("{n} differences"),
    };
    let tolerated = match machine.tolerated {
        0 => String::new(),
        n => format!(", {n} numbers within the tolerance"),
    };
    let _ = writeln!(
        text,
        "{program}: {} calls, {} launches, {} bytes compared{tolerated}: {differences}",
        machine.calls, machine.launches, machine.compared
    );
    print(&text)?;
    Ok(status)
}
