//! Calls of the driver API at random, for as long as one likes: every function of the table, with objects that earlier
//! calls made, from several threads, under every schedule. No crash, no hang, no panic, and whatever is given back is
//! gone: memory of the host and of the devices, descriptors, threads, mappings.
//!
//! The types of the arguments come from the declarations; `arguments.rs` says what is drawn for each. A child process calls,
//! in rounds, after each of which everything is given back; its last calls lie in a file that the parent prints when the
//! child crashes or hangs. Each child has a seed. With one thread the same seed gives the same calls.
//!
//! ```text
//! CALLS_SECONDS=600 cargo test --release --test calls                # ten minutes in all (`make fuzz`)
//! CALLS_SEED=7 CALLS_SCHEDULE=lazy CALLS_THREADS=1 cargo test --test calls    # one child
//! CALLS_ROUND=700 ...        # begins with this round: with one thread, its calls without those before
//! CALLS_LAST=200 ...                                                 # how many of the last calls are printed
//! CALLS_WITHOUT=cuIpc,Pool ...        # without these functions, to narrow down which one is to blame
//! CALLS_ANSWERS=1 ...        # how often each function gave which answer
//! CALLS_GROWTH=1 ...         # what is in use after each round
//! ```

mod arguments;
mod caller;
mod chains;
mod kernels;
mod memory;
mod objects;
#[path = "../fuzz/random.rs"]
mod random;
mod record;
mod schema;
mod watch;

use caller::{Caller, Function, HOST, MANAGED, REGISTERED, World};
use cuda::table;
use objects::Objects;
use record::Record;
use schema::{Schema, Shape};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Calls of a thread between two times that everything is given back.
const ROUND: u64 = 2500;
/// Rounds that end with a state from which growth is counted.
const SETTLED: usize = 3;
/// Seconds without a call that begins or ends, after which a child hangs.
const PATIENCE: u64 = 40;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect(name))
}

/// Where the children of this process work.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("calls-{}", std::process::id()))
}

/// Whether a function destroys objects of a kind that [`caller::DESTROYERS`] lacks: what is left of them would change the rounds
/// to come.
fn is_forgotten(function: &Function, schema: &Schema) -> bool {
    let destroys =
        ["Destroy", "Release", "egister", "Unload", "Free"].iter().any(|verb| function.entry.base.contains(verb));
    let [param] = function.params.as_slice() else { return false };
    let Shape::Object(kind) = schema.types[param.ty].shape else { return false };
    // The first interface names memory by 32 bits, which no call of ours gives.
    let old = function.entry.since < 3020;
    destroys && !old && !caller::DESTROYERS.iter().any(|(name, _)| *name == schema.kinds[kind])
}

fn world(record: Record) -> &'static World {
    let api = declarations::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the declarations");
    let mut schema = Schema::default();
    let mut functions = Vec::new();
    let without = std::env::var("CALLS_WITHOUT").unwrap_or_default();
    for entry in table::sorted().iter().filter(|entry| caller::excluded(entry.name()).is_none()) {
        let params = schema.params(&api, entry.params);
        let left_out = without.split(',').any(|part| !part.is_empty() && entry.name().contains(part));
        let answers = (0..1000).map(|_| AtomicU64::new(0)).collect();
        functions.push(Function { entry, params, weight: if left_out { 0 } else { caller::weight(entry) }, answers });
    }
    for name in [HOST, REGISTERED, MANAGED] {
        schema.kind(name);
    }
    let by_name: HashMap<_, _> = functions.iter().enumerate().map(|(i, function)| (function.entry.name(), i)).collect();
    for function in &functions {
        assert!(!is_forgotten(function, &schema), "{} gives back what no round gives back", function.entry.name());
    }
    let objects = Mutex::new(Objects::new(schema.kinds.len()));
    let weights = functions.iter().map(|function| function.weight).sum();
    let linked = Mutex::default();
    Box::leak(Box::new(World { schema, functions, by_name, record, objects, linked, weights }))
}

/// How many of the last calls are printed, of all threads together. As many are kept of each.
fn last() -> usize {
    number("CALLS_LAST").unwrap_or(40).max(1) as usize
}

/// What a child does.
fn child(seed: u64, threads: usize) -> ExitCode {
    watch::catch_crashes();
    let record = Record::open(Path::new("record"), false, last()).expect("the parent made it");
    let world = world(record);
    memory::make(threads + 1);
    watch::watch_progress(record, PATIENCE);
    std::thread::spawn(|| {
        loop {
            for (open, time) in [(true, 3), (false, 1)] {
                memory::set_gates(open);
                std::thread::sleep(Duration::from_millis(time));
            }
        }
    });
    let seconds = number("CALLS_SECONDS").unwrap_or(4);
    let end = Instant::now() + Duration::from_secs(seconds);
    let most = number("CALLS_COUNT").unwrap_or(u64::MAX);
    let (mut growth, mut left) = (watch::Growth::default(), 0);
    let mut round = number("CALLS_ROUND").unwrap_or(0);
    Caller::new(world, seed, 0, 0).simple("cuInit", &[0]);
    while Instant::now() < end && record.total() < most {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let stop = &stop;
                scope.spawn(move || {
                    watch::own_stack();
                    let mut caller = Caller::new(world, seed, thread, round);
                    caller.enter_context();
                    for _ in 0..ROUND {
                        caller.go();
                        // A long round ends with the time; with one thread only the number of calls counts.
                        if stop.load(Relaxed) || threads > 1 && Instant::now() > end {
                            break;
                        }
                    }
                    stop.store(threads > 1, Relaxed);
                    caller.leave();
                });
            }
        });
        let mut janitor = Caller::new(world, seed, threads, round);
        if !janitor.clear() {
            // The rounds to come would have to live with it, and what they use could not be compared.
            eprintln!("round {round} left a primary context that nobody can give back");
            break;
        }
        round += 1;
        let used = janitor.device_memory(left);
        growth.look(used);
        if std::env::var_os("CALLS_GROWTH").is_some() {
            eprintln!("round {round}: {}", growth.last());
        }
        if used > left {
            eprintln!("round {round} left {used} bytes of the devices in use\n{}", janitor.device_parts());
        }
        left = used;
        for more in growth.look_closer(round as usize > SETTLED) {
            eprintln!("round {round} left {more}");
        }
    }
    if std::env::var_os("CALLS_ANSWERS").is_some() {
        eprintln!("{}{}", watch::descriptors(), watch::large_mappings());
        for function in &world.functions {
            let answers = function.answers.iter().map(|count| count.load(Relaxed)).enumerate();
            let answers = answers.filter(|answer| answer.1 != 0).map(|(code, count)| format!(" {code}: {count}"));
            eprintln!("{}{}", function.entry.name(), answers.collect::<String>());
        }
    }
    eprintln!("{} calls in {round} rounds; {growth}", record.total());
    match growth.fault(SETTLED) {
        None => ExitCode::SUCCESS,
        Some(fault) => {
            eprintln!("grows: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a child; what it did as text, or what went wrong.
fn run(schedule: &str, threads: usize, seed: u64, seconds: u64) -> Result<String, String> {
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    std::fs::write(folder.join("code.ptx"), kernels::IMAGES[0]).map_err(|e| e.to_string())?;
    let record = Record::open(&folder.join("record"), true, last()).map_err(|e| e.to_string())?;
    let log = std::fs::File::create(folder.join("log")).map_err(|e| e.to_string())?;
    let mut command = Command::new(std::env::current_exe().map_err(|e| e.to_string())?);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("DOPPEL_") || name.starts_with("CUDA_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(&folder)
        .env("CALLS_CHILD", seed.to_string())
        .env("CALLS_THREADS", threads.to_string())
        .env("CALLS_SECONDS", seconds.to_string())
        .env("DOPPEL_MODE", "cpu")
        .env("DOPPEL_NODE", "none")
        .env("DOPPEL_LOG", "off")
        .env("DOPPEL_DEVICES", "2")
        .env("DOPPEL_DEVICE_MEMORY", "256MiB")
        // A wrong size may be one that takes for ever.
        .env("DOPPEL_KERNEL_TIMEOUT", "0.5")
        .env("DOPPEL_SCHEDULE", schedule)
        .env("DOPPEL_FAILURE", "contexts")
        // Core dumps are left, but do not end the child.
        .env("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort")
        .stdin(Stdio::null())
        // What kernels print.
        .stdout(Stdio::null())
        .stderr(log);
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    // The child watches itself; this is for one that cannot even do that.
    let mut seen = (0, Instant::now());
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status.to_string() + if status.success() { "" } else { " " };
        }
        if record.total() != seen.0 {
            seen = (record.total(), Instant::now());
        }
        if seen.1.elapsed() > Duration::from_secs(2 * PATIENCE + 60) {
            let _ = child.kill();
            let _ = child.wait();
            break "hangs and does not notice ".into();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let said = std::fs::read(folder.join("log")).map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&said).into_owned();
    if !status.ends_with(' ') {
        if std::env::var_os("CALLS_ANSWERS").is_some() {
            print!("{said}");
        }
        let last = said.lines().rev().find(|line| line.contains(" calls in ")).unwrap_or("no word of it");
        return Ok(last.to_string());
    }
    let names = table::sorted().iter().filter(|entry| caller::excluded(entry.name()).is_none());
    let names: Vec<_> = names.map(|entry| (entry.name().to_string(), entry.params.matches(": ").count())).collect();
    let calls = record.last(last(), |index| names[index].clone());
    let from = said.len().saturating_sub(60_000);
    let from = (from..said.len()).find(|&at| said.is_char_boundary(at)).unwrap_or(0);
    Err(format!("{status}\nit said:\n{}\nthe last calls:\n{calls}", &said[from..]))
}

fn main() -> ExitCode {
    let threads = number("CALLS_THREADS").map(|threads| threads as usize);
    if let Some(seed) = number("CALLS_CHILD") {
        return child(seed, threads.unwrap_or(1));
    }
    // `cargo test NAME` asks every test program.
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !"calls".contains(&word)) {
        println!("0 passed, 0 failed");
        return ExitCode::SUCCESS;
    }
    let mut runs = Vec::new();
    for schedule in ["eager", "lazy", "random:5"] {
        runs.extend([1, 4].map(|threads| (schedule.to_string(), threads)));
    }
    if let Ok(only) = std::env::var("CALLS_SCHEDULE") {
        runs = [1, 4].map(|threads| (only.clone(), threads)).into();
    }
    if let Some(threads) = threads {
        runs.retain(|run| run.1 == threads);
    }
    // One after the other: each has its own folder to itself.
    let seconds = number("CALLS_SECONDS").unwrap_or(24).div_ceil(runs.len() as u64);
    let first = number("CALLS_SEED").unwrap_or(1);
    let mut failed = 0;
    for (i, (schedule, threads)) in runs.iter().enumerate() {
        let seed = if number("CALLS_SEED").is_some() { first } else { first + i as u64 };
        match run(schedule, *threads, seed, seconds) {
            Ok(said) => println!("ok      schedule {schedule}, {threads} threads, seed {seed}: {said}"),
            Err(fault) => {
                println!("FAILED  schedule {schedule}, {threads} threads, seed {seed}: {fault}");
                failed += 1;
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder());
    println!("{} passed, {failed} failed", runs.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
