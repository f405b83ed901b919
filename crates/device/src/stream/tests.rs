use super::*;
use crate::copy::linear::LinearCopy;
use crate::testing;
use error::Error;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

fn context() -> Arc<context::Context> {
    testing::devices();
    context::Context::create(crate::base::devices::device(0).unwrap(), 0, 3020).unwrap()
}

fn stream(context: &Arc<context::Context>, kind: StreamKind) -> Arc<Stream> {
    Stream::create(context, kind, 0, 0).unwrap()
}

/// A host function that holds its stream until opened.
fn gate() -> (Work, Arc<AtomicBool>) {
    let open = Arc::new(AtomicBool::new(false));
    let seen = open.clone();
    let work = Work::Host(HostCall::new((0, 0), move || {
        while !seen.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_micros(50));
        }
    }));
    (work, open)
}

fn push(log: &Arc<Mutex<Vec<u32>>>, n: u32) -> Work {
    let log = log.clone();
    Work::Task(Arc::new(move || {
        log.lock().push(n);
        Ok(())
    }))
}

#[test]
fn a_held_stream_queues_and_keeps_order() {
    let context = context();
    let s = stream(&context, StreamKind::NonBlocking);
    let log = Arc::new(Mutex::new(Vec::new()));
    let (hold, open) = gate();
    s.submit(hold);
    for n in 0..100 {
        s.submit(push(&log, n));
    }
    assert!(!s.is_idle());
    assert!(log.lock().is_empty());
    open.store(true, Ordering::Release);
    s.synchronize().unwrap();
    assert_eq!(*log.lock(), (0..100).collect::<Vec<_>>());
    assert!(s.is_idle() && context.group.is_idle());
}

/// A command that is queued, and counts how often it is run.
struct Queued(Arc<AtomicUsize>);

impl Command for Queued {
    fn run(&self) -> error::Result<()> {
        self.0.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    fn is_prompt(&self) -> bool {
        false
    }

    fn is_brief(&self) -> bool {
        false
    }
}

#[test]
fn work_that_is_put_off_is_done_whoever_waits_for_it() {
    let context = context();
    let streams: Vec<_> = (0..3).map(|_| stream(&context, StreamKind::NonBlocking)).collect();
    let done = Arc::new(AtomicUsize::new(0));
    let mut given = 0;
    for n in 0..3000 {
        // Behind an operation helpers look for the next one: they are asked to wake a worker.
        crate::base::parallel::on_cores(2, &|_| true);
        let some = &streams[..1 + n % 3];
        for s in some {
            s.submit(Work::Command(Arc::new(Queued(done.clone()))));
            given += 1;
        }
        (0..n % 500).for_each(|_| core::hint::spin_loop());
        if n % 2 == 0 {
            some.iter().for_each(|s| s.synchronize().unwrap());
        }
        // Without anybody who runs it in the workers' place.
        let began = std::time::Instant::now();
        while done.load(Ordering::Acquire) < given {
            assert!(began.elapsed() < Duration::from_secs(60), "lost in turn {n}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn the_legacy_stream_orders_blocking_streams_only() {
    let context = context();
    let blocking = stream(&context, StreamKind::Blocking);
    let free = stream(&context, StreamKind::NonBlocking);
    let log = Arc::new(Mutex::new(Vec::new()));
    let (hold, open) = gate();
    blocking.submit(hold);
    context.legacy_stream().submit(push(&log, 1));
    blocking.submit(push(&log, 2));
    context.thread_stream().submit(push(&log, 3));
    free.submit(push(&log, 0));
    free.synchronize().unwrap();
    assert_eq!(*log.lock(), [0]);
    open.store(true, Ordering::Release);
    context.synchronize().unwrap();
    assert_eq!(log.lock()[..2], [0, 1]);
    assert_eq!(log.lock().len(), 4);
}

#[test]
fn waits_cross_streams_and_contexts_end() {
    let context = context();
    let (a, b, c) = (
        stream(&context, StreamKind::NonBlocking),
        stream(&context, StreamKind::NonBlocking),
        stream(&context, StreamKind::NonBlocking),
    );
    let log = Arc::new(Mutex::new(Vec::new()));
    let (hold, open) = gate();
    a.submit(hold);
    let first = a.submit(push(&log, 1));
    b.submit(Work::Wait(first));
    let second = b.submit(push(&log, 2));
    c.submit(Work::Wait(second));
    c.submit(push(&log, 3));
    let opener = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        open.store(true, Ordering::Release);
    });
    c.synchronize().unwrap();
    assert_eq!(*log.lock(), [1, 2, 3]);
    opener.join().unwrap();
    let word = Box::leak(Box::new(0u32));
    let wait =
        WaitValue { address: std::ptr::from_ref(word) as usize, value: 1, wide: false, condition: Condition::Eq };
    a.submit(Work::WaitValue(wait));
    assert!(context.destroy(), "a wait that never ends does not hold the context");
    assert!(!context.destroy());
}

#[test]
fn what_is_kept_goes_with_the_last_work_that_was_given_before() {
    struct Kept(Arc<Mutex<Vec<u32>>>);
    impl Drop for Kept {
        fn drop(&mut self) {
            self.0.lock().push(9);
        }
    }
    let context = context();
    let (a, b) = (stream(&context, StreamKind::NonBlocking), stream(&context, StreamKind::NonBlocking));
    let log = Arc::new(Mutex::new(Vec::new()));
    context.group.keep(Arc::new(Kept(log.clone())));
    assert_eq!(*log.lock(), [9], "nothing is in flight");
    log.lock().clear();
    let (hold, open) = gate();
    let held = a.submit(hold);
    b.submit(Work::Wait(held));
    let last = b.submit(push(&log, 1));
    context.group.keep(Arc::new(Kept(log.clone())));
    a.submit(push(&log, 2));
    assert!(log.lock().is_empty());
    open.store(true, Ordering::Release);
    last.wait();
    let seen: Vec<u32> = log.lock().iter().copied().filter(|&n| n != 2).collect();
    assert_eq!(seen, [1, 9], "gone before the point is complete");
    context.synchronize().unwrap();
    assert_eq!(log.lock().iter().filter(|&&n| n == 9).count(), 1);
    last.keep(Arc::new(Kept(log.clone())));
    assert_eq!(log.lock().last(), Some(&9));
    context.destroy();
}

#[test]
fn many_threads_many_streams() {
    let context = context();
    let streams: Vec<_> = (0..6)
        .map(|i| stream(&context, if i % 2 == 0 { StreamKind::Blocking } else { StreamKind::NonBlocking }))
        .collect();
    let ran = Arc::new(AtomicU64::new(0));
    let mut given = 0;
    std::thread::scope(|scope| {
        for t in 0..8u64 {
            given += 2000;
            let (streams, ran, context) = (&streams, &ran, &context);
            scope.spawn(move || {
                let mut x = t * 7919 + 1;
                for _ in 0..2000 {
                    x ^= x << 13;
                    x ^= x >> 7;
                    x ^= x << 17;
                    let s = &streams[x as usize % streams.len()];
                    let counter = ran.clone();
                    let count = move || {
                        counter.fetch_add(1, Ordering::Relaxed);
                    };
                    match x >> 8 & 15 {
                        0 => drop(s.submit(Work::Host(HostCall::new((0, 0), count)))),
                        1 => {
                            let fence = streams[(x >> 16) as usize % streams.len()].tail();
                            s.submit(Work::Wait(fence));
                            count();
                        }
                        2 => {
                            let counted = move || {
                                count();
                                Ok(())
                            };
                            drop(context.legacy_stream().submit(Work::Task(Arc::new(counted))));
                        }
                        3 => {
                            s.synchronize().unwrap();
                            count();
                        }
                        _ => {
                            let counted = move || {
                                count();
                                Ok(())
                            };
                            drop(s.submit(Work::Task(Arc::new(counted))));
                        }
                    }
                }
            });
        }
    });
    context.synchronize().unwrap();
    assert_eq!(ran.load(Ordering::Relaxed), given);
    assert!(context.group.is_idle());
}

#[test]
fn an_asynchronous_error_stays() {
    let context = testing::context_alone();
    let s = stream(&context, StreamKind::NonBlocking);
    s.submit(Work::of(LinearCopy::new(0x10000, 0x20000, 16)));
    assert_eq!(s.synchronize(), Err(Error::ILLEGAL_ADDRESS));
    assert_eq!(context.synchronize(), Err(Error::ILLEGAL_ADDRESS));
}

#[test]
fn an_error_is_that_of_the_process() {
    let first = testing::context_alone();
    let second = context::Context::create(&first.device, 0, 3020).unwrap();
    let elsewhere = context();
    stream(&second, StreamKind::NonBlocking).submit(Work::of(LinearCopy::new(0x10000, 0x20000, 16)));
    assert_eq!(second.synchronize(), Err(Error::ILLEGAL_ADDRESS));
    assert_eq!(first.synchronize(), Err(Error::ILLEGAL_ADDRESS));
    assert_eq!(elsewhere.synchronize(), Ok(()));
    let another = || context::Context::create(&first.device, 0, 3020).map(|c| c.destroy());
    assert_eq!(another(), Err(Error::ILLEGAL_ADDRESS));
    assert!(second.destroy());
    assert_eq!(another(), Err(Error::ILLEGAL_ADDRESS));
    assert!(first.destroy());
    assert_eq!(another(), Err(Error::ILLEGAL_ADDRESS), "also when no context has the error any more");
}

#[test]
fn only_a_quiet_stream_takes_the_short_way() {
    let context = testing::context_alone();
    let blocking = stream(&context, StreamKind::Blocking);
    let free = stream(&context, StreamKind::NonBlocking);
    let look = || {
        let mut seen = vec![context::is_quiet(0, false), context::is_quiet(1, false)];
        for s in [&blocking, &free] {
            // The thread remembers the stream that it used last.
            let _ = context::with_stream(s.handle, false, |_| Ok(()));
            seen.push(context::is_quiet(s.handle, false));
        }
        seen
    };
    assert_eq!(look(), [false, false, true, true], "no context is current");
    context::push(context.clone());
    assert_eq!(look(), [true; 4]);
    assert!(!context::is_quiet(0, true) && !context::is_quiet(2, false) && !context::is_quiet(77, false));
    assert!(!context::is_quiet(blocking.handle, false), "another one was used last");
    let (hold, open) = gate();
    blocking.submit(hold);
    assert_eq!(look(), [false; 4]);
    open.store(true, Ordering::Release);
    context.synchronize().unwrap();
    assert_eq!(look(), [true; 4]);
    crate::graph::recording::begin(&blocking, capture::Mode::Relaxed, None).unwrap();
    assert_eq!(look()[..3], [false; 3]);
    super::super::graph::Graph::destroy(crate::graph::recording::end(&blocking).unwrap().handle).unwrap();
    crate::graph::recording::begin(&free, capture::Mode::Relaxed, None).unwrap();
    assert_eq!(look(), [true, true, true, false]);
    super::super::graph::Graph::destroy(crate::graph::recording::end(&free).unwrap().handle).unwrap();
    assert_eq!(look(), [true; 4]);
    let (handle, kept) = (free.handle, free.clone());
    let _ = context::with_stream(handle, false, |_| Ok(()));
    Stream::destroy(handle).unwrap();
    assert!(!context::is_quiet(handle, false) && kept.is_quiet(), "the handle is gone");
    assert!(context::is_ready());
    // Other tests of this process want contexts.
    context.group.fail_alone(Error::ILLEGAL_ADDRESS);
    assert!(!context::is_ready() && !context::is_quiet(0, false) && !blocking.is_quiet());
    assert!(context::pop().is_some_and(|c| Arc::ptr_eq(&c.context, &context)));
    context.destroy();
}

#[test]
fn a_dead_context_is_not_ready() {
    let (first, second) = (context(), context());
    context::push(first.clone());
    context::push(second.clone());
    assert!(context::is_ready() && context::is_quiet(0, false));
    second.destroy();
    assert!(!context::is_ready() && !context::is_quiet(0, false));
    context::pop();
    assert!(context::is_ready() && context::is_quiet(0, false));
    thread_state::in_callback(|| assert!(!context::is_ready()));
    std::thread::spawn(|| assert!(!context::is_ready())).join().unwrap();
    context::set_top(second);
    assert!(!context::is_ready());
    context::pop();
    assert!(!context::is_ready() && context::current_handle() == 0);
    first.destroy();
}

#[test]
fn a_host_function_finds_the_ones_before_it_complete() {
    let context = context();
    let (a, b) = (stream(&context, StreamKind::NonBlocking), stream(&context, StreamKind::NonBlocking));
    let early = Arc::new(AtomicUsize::new(0));
    let wait_until = |holds: &dyn Fn() -> bool| {
        while !holds() {
            std::thread::yield_now();
        }
    };
    for _ in 0..2000 {
        let (entered, open) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (inside, opened) = (entered.clone(), open.clone());
        a.submit(Work::Host(HostCall::new((0, 0), move || {
            inside.store(true, Ordering::Release);
            while !opened.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        })));
        wait_until(&|| entered.load(Ordering::Acquire));
        let (first, early) = (a.clone(), early.clone());
        b.submit(Work::Host(HostCall::new((0, 0), move || {
            if !first.is_idle() {
                early.fetch_add(1, Ordering::Relaxed);
            }
        })));
        wait_until(&|| !context.group.lane.lock().waiting.is_empty());
        open.store(true, Ordering::Release);
        b.synchronize().unwrap();
        a.synchronize().unwrap();
    }
    assert_eq!(early.load(Ordering::Relaxed), 0);
    context.destroy();
}

#[test]
fn host_functions_of_many_contexts_may_wait_for_each_other() {
    const MANY: usize = 600;
    let contexts: Vec<_> = (0..MANY).map(|_| context()).collect();
    let arrived = Arc::new(AtomicUsize::new(0));
    let together = Arc::new(AtomicUsize::new(0));
    let streams: Vec<_> = contexts.iter().map(|c| stream(c, StreamKind::NonBlocking)).collect();
    for s in &streams {
        let (arrived, together) = (arrived.clone(), together.clone());
        s.submit(Work::Host(HostCall::new((0, 0), move || {
            arrived.fetch_add(1, Ordering::AcqRel);
            for _ in 0..20_000 {
                if arrived.load(Ordering::Acquire) == MANY {
                    together.fetch_add(1, Ordering::AcqRel);
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        })));
    }
    streams.iter().for_each(|s| s.synchronize().unwrap());
    assert_eq!(together.load(Ordering::Acquire), MANY);
    for c in &contexts {
        c.destroy();
    }
}
