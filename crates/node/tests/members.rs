//! Members of a node in processes of their own. This program is its own members: with NODE it joins, says so and stays.

use node::{ComputeMode, DEVICES, Key, Load, Member, Process, Watcher};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;

const DEVICE: usize = 1;

fn key(name: &str) -> Key {
    Key::new(name.as_bytes(), b"tests")
}

fn join(name: &str) -> &'static Member {
    Box::leak(Box::new(Member::join(key(name)).expect("this system has nodes")))
}

/// A member with 1,000 bytes and a context.
fn stay(name: &str) {
    let share = join(name).share(DEVICE).unwrap();
    share.bytes().fetch_add(1000, Ordering::AcqRel);
    share.claim_context().unwrap();
    share.track(Load::Copies).begin();
    println!("ready");
    loop {
        std::thread::park();
    }
}

fn member(name: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let mut child = command.env("NODE", name).stdout(Stdio::piped()).spawn().unwrap();
    let line = BufReader::new(child.stdout.take().unwrap()).lines().next();
    assert_eq!(line.unwrap().unwrap(), "ready");
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn pids(name: &str) -> Vec<u32> {
    Watcher::new(&key(name)).processes(DEVICE).iter().map(|process| process.pid).collect()
}

/// Calls a function while no file can be opened.
fn without_descriptors<R>(call: impl FnOnce() -> R) -> R {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    // SAFETY: as above; less is always allowed, and so is what was before.
    let set = |limit: libc::rlimit| unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    assert_eq!(set(libc::rlimit { rlim_cur: 0, ..limit }), 0);
    let result = call();
    assert_eq!(set(limit), 0);
    result
}

fn what_a_killed_process_held_is_free(name: &str) {
    let other = member(name);
    let own = join(name);
    let share = own.share(DEVICE).unwrap();
    assert_eq!((share.others(), own.share(0).unwrap().others()), (1000, 0));
    assert!(own.share(DEVICES).is_none());
    share.bytes().fetch_add(5, Ordering::AcqRel);
    assert_eq!(share.others(), 1000, "its own does not count");
    assert!(!share.sweep(), "it lives");
    let mut seen = Watcher::new(&key(name)).processes(DEVICE);
    seen.sort_by_key(|process| process.memory);
    let process = |pid, memory, contexts| Process { pid, memory, contexts };
    assert_eq!(seen, [process(std::process::id(), 5, 0), process(other.id(), 1000, 1)]);
    kill(other);
    assert_eq!(pids(name), [std::process::id()]);
    assert!(share.sweep() && !share.sweep());
    assert_eq!(share.others(), 0);
    // One that has ended, but that its parent has not asked about, soon counts no more.
    let mut other = member(name);
    other.kill().unwrap();
    while !share.sweep() {
        std::thread::yield_now();
    }
    assert_eq!(share.others(), 0);
    other.wait().unwrap();
    // Who has no descriptor to look with takes nothing off.
    let other = member(name);
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(!without_descriptors(|| share.sweep()), "it lives");
    assert_eq!(share.others(), 1000);
    kill(other);
}

fn a_node_lives_as_long_as_a_member(name: &str) {
    assert!(pids(name).is_empty(), "no node is begun by looking");
    let (first, second) = (member(name), member(name));
    kill(first);
    assert_eq!(pids(name), [second.id()], "found by the other member");
    kill(second);
    assert!(pids(name).is_empty());
    let third = member(name);
    assert_eq!(pids(name), [third.id()], "another node");
    kill(third);
}

fn many_join_at_once(name: &str) {
    let all: Vec<Child> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(|| member(name))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut expected: Vec<u32> = all.iter().map(Child::id).collect();
    let mut found = pids(name);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "all in one node");
    all.into_iter().for_each(kill);
}

fn a_compute_mode_holds_for_all(name: &str) {
    let key = key(name);
    assert!(ComputeMode::ExclusiveProcess.set(&key, DEVICE), "without any member");
    let other = member(name);
    let share = join(name).share(DEVICE).unwrap();
    assert_eq!(share.compute_mode(), ComputeMode::ExclusiveProcess);
    assert_eq!(share.claim_context(), Err(ComputeMode::ExclusiveProcess), "the other has one");
    assert_eq!(join(name).share(0).unwrap().claim_context(), Ok(()), "of another device");
    kill(other);
    assert_eq!(share.claim_context(), Ok(()), "it is gone");
    assert_eq!(share.claim_context(), Err(ComputeMode::ExclusiveProcess), "one, also of this process");
    share.context_gone();
    assert!(ComputeMode::Prohibited.set(&key, DEVICE));
    assert_eq!(share.claim_context(), Err(ComputeMode::Prohibited));
    assert!(ComputeMode::Default.set(&key, DEVICE));
    assert_eq!((share.claim_context(), share.claim_context()), (Ok(()), Ok(())));
}

fn what_runs_keeps_a_device_busy(name: &str) {
    let busy = || Watcher::new(&key(name)).busy(DEVICE);
    assert_eq!(busy(), (0, 0), "nobody is there");
    let other = member(name);
    // The other one copies all the time.
    while busy().1 < 10 {
        std::thread::yield_now();
    }
    assert_eq!(busy().0, 0, "it runs no kernel");
    assert_eq!(Watcher::new(&key(name)).busy(0), (0, 0));
    let kernels = join(name).share(DEVICE).unwrap().track(Load::Kernels);
    kernels.begin();
    while busy().0 < 10 {
        std::thread::yield_now();
    }
    kernels.end();
    kill(other);
    while busy() != (0, 0) {
        std::thread::yield_now();
    }
}

fn main() {
    if let Ok(name) = std::env::var("NODE") {
        return stay(&name);
    }
    let of_this_run = |test: &str| format!("{test} {}", std::process::id());
    what_a_killed_process_held_is_free(&of_this_run("killed"));
    a_node_lives_as_long_as_a_member(&of_this_run("lives"));
    many_join_at_once(&of_this_run("many"));
    a_compute_mode_holds_for_all(&of_this_run("modes"));
    what_runs_keeps_a_device_busy(&of_this_run("busy"));
    println!("test result: ok. 5 passed");
}
