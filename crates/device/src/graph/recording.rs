//! Recording of captures: what is given to captured streams becomes nodes of a graph.
//!
//! `stream::capture` says which streams are in which capture and what that forbids; here is what becomes of the work.

use crate::copy::box_copy::BoxCopy;
use crate::copy::linear::LinearCopy;
use crate::graph::memory::GraphAllocation;
use crate::graph::nodes::{Graph, Node, Operation};
use crate::graph::recapture::{Recapture, Teller};
use crate::stream::capture;
use crate::stream::capture::EdgeData;
pub use crate::stream::capture::Mode;
use crate::stream::capture::{Capture, Recording};
use crate::stream::{Stream, Work};
use error::{Error, Result, refuse};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The graph that a capture becomes.
struct Recorded {
    graph: Arc<Graph>,
    /// The graph was made for the capture, and is destroyed with it when the capture fails.
    owned: bool,
    /// The graph's nodes are captured again.
    again: Option<Recapture>,
}

impl Recorded {
    /// Adds a node, or finds the one that this is again.
    fn insert(&self, operation: Operation, after: &[(usize, EdgeData)]) -> Result<usize> {
        match &self.again {
            None => Ok(self.graph.add(operation, after)?.handle),
            Some(again) => again.take(&self.graph, operation, after).ok_or_else(|| {
                refuse!(
                    Error::GRAPH_RECAPTURE_FAILURE,
                    "hStream: the graph that is captured again has no such node here; the capture is invalid now"
                )
            }),
        }
    }
}

impl Recording for Recorded {
    fn add(&self, work: Work, after: &[(usize, EdgeData)]) -> Result<Option<usize>> {
        let operation = match work {
            Work::Command(_) => {
                if let Some(kernel) = work.shared_command() {
                    Operation::Kernel(kernel)
                } else if let Some(memset) = work.command() {
                    Operation::Memset(*memset, None)
                } else if work.command::<LinearCopy>().is_some() || work.command::<BoxCopy>().is_some() {
                    Operation::Copy(work, None)
                } else {
                    return Ok(None);
                }
            }
            Work::Host(call) if !call.after_error => Operation::Host(call),
            Work::WaitValue(_) | Work::WriteValue(_) => Operation::MemoryOperations(vec![work], None),
            Work::Host(_) | Work::Task(_) | Work::Record(_) | Work::Wait(_) => return Ok(None),
        };
        self.insert(operation, after).map(Some)
    }

    fn tell(&self) -> bool {
        self.again.as_ref().is_none_or(Recapture::tell)
    }

    fn allocate(&self, stream: &Arc<Stream>, size: usize) -> Result<usize> {
        let context = stream.owner()?;
        let allocation = match self.again.as_ref().and_then(|again| again.allocation(size)) {
            Some(allocation) => allocation,
            None => GraphAllocation::create(&context.device, context.handle, size, None, true)?,
        };
        let address = allocation.address;
        record(stream, Operation::Allocate(allocation))?;
        Ok(address)
    }

    fn is_kernel(&self, node: usize) -> bool {
        Node::find(node).is_ok_and(|n| matches!(n.operation(), Operation::Kernel(_)))
    }

    fn all_lead_to(&self, open: &[usize], last: &[usize]) -> bool {
        self.graph.all_lead_to(open, last)
    }

    fn close(&self) {
        for node in self.graph.nodes() {
            if let Operation::Allocate(allocation) = node.operation() {
                allocation.captured.store(false, Ordering::Release);
            }
        }
    }

    fn discard(&self) {
        if self.owned {
            let _ = Graph::destroy(self.graph.handle);
        }
    }
}

/// The graph that a capture becomes.
pub fn graph_of(capture: &Capture) -> Result<&Arc<Graph>> {
    recorded(capture).map(|recorded| &recorded.graph)
}

fn recorded(capture: &Capture) -> Result<&Recorded> {
    let recording: &dyn Any = &*capture.recording;
    recording.downcast_ref::<Recorded>().ok_or(Error::ILLEGAL_STATE)
}

/// A graph of the program's own, and the nodes that the first captured one will depend on.
pub type CaptureTarget = (Arc<Graph>, Vec<(usize, EdgeData)>);

/// Begins a capture of a stream, into a graph of the program's own behind given nodes, or into a new one.
pub fn begin(stream: &Arc<Stream>, mode: Mode, into: Option<CaptureTarget>) -> Result<()> {
    check(stream)?;
    let owned = into.is_none();
    let (graph, next) = match into {
        Some((graph, next)) if next.iter().all(|(n, _)| graph.contains(*n)) => (graph, next),
        Some(_) => return Err(refuse!(Error::INVALID_VALUE, "dependencies has a node that is not in the graph")),
        None => (Graph::create()?, Vec::new()),
    };
    capture::begin(stream, mode, Box::new(Recorded { graph, owned, again: None }), next)
}

/// Begins a capture of a stream over a graph of the program's own: its nodes again. The graph gives up its objects.
pub fn begin_again(stream: &Arc<Stream>, mode: Mode, graph: Arc<Graph>, teller: Option<Teller>) -> Result<()> {
    check(stream)?;
    graph.disown_all();
    let again = Some(Recapture::new(&graph, teller));
    capture::begin(stream, mode, Box::new(Recorded { graph, owned: false, again }), Vec::new())
}

/// Whether a capture can begin in a stream.
fn check(stream: &Stream) -> Result<()> {
    if stream.kind == crate::stream::StreamKind::Legacy {
        return Err(refuse!(
            Error::STREAM_CAPTURE_UNSUPPORTED,
            "hStream is the legacy default stream, which cannot capture"
        ));
    }
    if stream.capturing.load(Ordering::Acquire) {
        return Err(refuse!(Error::ILLEGAL_STATE, "hStream is capturing already"));
    }
    Ok(())
}

/// Ends the capture that began in `stream`. One over a graph has to have come to its last node.
fn end_whole(stream: &Arc<Stream>) -> Result<Arc<Capture>> {
    let capture = capture::end(stream)?;
    match &recorded(&capture)?.again {
        Some(again) if !again.is_whole() => Err(refuse!(
            Error::GRAPH_RECAPTURE_FAILURE,
            "hStream: the graph that is captured again has more nodes than were captured"
        )),
        _ => Ok(capture),
    }
}

/// Ends the capture that began in `stream` and returns its graph. Whatever the error, no stream is left in the capture,
/// except when it is not ended where it began.
pub fn end(stream: &Arc<Stream>) -> Result<Arc<Graph>> {
    graph_of(&*end_whole(stream)?).cloned()
}

/// Ends the capture that began in `stream` for a program that does not ask for the graph, which is destroyed unless it was the
/// program's own before.
pub fn end_unseen(stream: &Arc<Stream>) -> Result<()> {
    end_whole(stream)?.recording.discard();
    Ok(())
}

/// Adds a node behind what was captured of a stream so far.
pub fn record(stream: &Stream, operation: Operation) -> Result<()> {
    capture::record(stream, |capture, after| recorded(capture)?.insert(operation, after))
}

/// Sets or extends what the next node of a stream will depend on.
pub fn set_dependencies(stream: &Stream, nodes: Vec<(usize, EdgeData)>, add: bool) -> Result<()> {
    capture::set_dependencies(stream, nodes, add, |capture, node| graph_of(capture).is_ok_and(|g| g.contains(node)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::capture::{Status, status};
    use crate::stream::event::{Event, wait};
    use crate::stream::{HostCall, StreamKind};
    use crate::testing::context;

    fn host() -> Work {
        Work::Host(HostCall::new((0, 0), || {}))
    }

    // Relaxed mode throughout: a stricter capture would refuse calls of tests that run beside this one.

    #[test]
    fn forks_must_be_joined() {
        let context = context();
        let streams: Vec<_> =
            (0..2).map(|_| Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap()).collect();
        let (a, b) = (&streams[0], &streams[1]);
        let event = Event::create(&context, false, None).unwrap();
        for join in [true, false] {
            begin(a, Mode::Relaxed, None).unwrap();
            assert_eq!(begin(a, Mode::Relaxed, None), Err(Error::ILLEGAL_STATE));
            a.enqueue(host()).unwrap();
            event.record(a).unwrap();
            wait(b, &event).unwrap();
            b.enqueue(host()).unwrap();
            assert_eq!(status(b).unwrap().0, Status::Active);
            if join {
                event.record(b).unwrap();
                wait(a, &event).unwrap();
                let graph = end(a).unwrap();
                assert_eq!((graph.nodes().len(), graph.edges().len(), graph.roots().len()), (2, 1, 1));
                Graph::destroy(graph.handle).unwrap();
            } else {
                assert_eq!(end(a).err(), Some(Error::STREAM_CAPTURE_UNJOINED));
            }
            assert_eq!(status(b).unwrap().0, Status::None);
            assert_eq!(wait(b, &event), Err(Error::INVALID_VALUE), "the capture is over");
        }
        context.destroy();
    }

    #[test]
    fn work_of_destroyed_streams_must_be_joined_too() {
        let context = context();
        let event = Event::create(&context, false, None).unwrap();
        let create = || Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        for (works, joins, nodes) in
            [(true, true, Ok(2)), (true, false, Err(Error::STREAM_CAPTURE_UNJOINED)), (false, false, Ok(1))]
        {
            let (a, b) = (create(), create());
            begin(&a, Mode::Relaxed, None).unwrap();
            a.enqueue(host()).unwrap();
            event.record(&a).unwrap();
            wait(&b, &event).unwrap();
            if works {
                b.enqueue(host()).unwrap();
            }
            if joins {
                event.record(&b).unwrap();
            }
            Stream::destroy(b.handle).unwrap();
            if joins {
                wait(&a, &event).unwrap();
            }
            assert_eq!(status(&a).unwrap().0, Status::Active);
            let graph = end(&a);
            assert_eq!(graph.as_ref().map(|g| g.nodes().len()).map_err(|e| *e), nodes);
            if let Ok(graph) = graph {
                Graph::destroy(graph.handle).unwrap();
            }
        }
        // Without the stream that it began in, no call can end it.
        let (a, b) = (create(), create());
        begin(&a, Mode::Relaxed, None).unwrap();
        event.record(&a).unwrap();
        wait(&b, &event).unwrap();
        Stream::destroy(a.handle).unwrap();
        assert_eq!(status(&b).unwrap().0, Status::None);
        assert_eq!(end(&b).err(), Some(Error::ILLEGAL_STATE));
        context.destroy();
    }

    #[test]
    fn work_that_a_graph_cannot_hold_invalidates_the_capture() {
        let context = context();
        let stream = Stream::create(&context, StreamKind::Blocking, 0, 0).unwrap();
        begin(&stream, Mode::Relaxed, None).unwrap();
        assert_eq!(context.legacy_stream().enqueue(host()), Err(Error::STREAM_CAPTURE_IMPLICIT));
        assert_eq!(stream.enqueue(host()), Err(Error::STREAM_CAPTURE_INVALIDATED));
        assert_eq!(end(&stream).err(), Some(Error::STREAM_CAPTURE_INVALIDATED));
        assert_eq!(context.legacy_stream().enqueue(host()), Ok(()));
        begin(&stream, Mode::Relaxed, None).unwrap();
        assert_eq!(stream.perform(host()), Err(Error::STREAM_CAPTURE_UNSUPPORTED));
        assert_eq!(status(&stream).unwrap().0, Status::Invalidated);
        // A context can go in the middle of a capture.
        assert!(context.destroy());
        assert_eq!(status(&stream).unwrap().0, Status::None);
    }

    #[test]
    fn a_graph_that_is_destroyed_while_it_is_captured_does_not_stay() {
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let event = Event::create(&context, false, None).unwrap();
        begin(&stream, Mode::Relaxed, None).unwrap();
        let (_, capture) = status(&stream).unwrap();
        let graph = graph_of(&capture.unwrap()).unwrap().clone();
        Graph::destroy(graph.handle).unwrap();
        // The event is in the graph, and stands for a point of the capture.
        record(&stream, Operation::Record(event.clone())).unwrap();
        event.record(&stream).unwrap();
        let node = graph.nodes()[0].handle;
        drop(graph);
        let graph = Arc::downgrade(&end(&stream).unwrap());
        assert!(graph.upgrade().is_none() && Node::find(node).is_err(), "nobody can destroy it");
        assert_eq!(event.check_uncaptured(), Err(Error::INVALID_VALUE));
        assert_eq!(wait(&stream, &event), Err(Error::INVALID_VALUE));
        Event::destroy(event.handle).unwrap();
        Stream::destroy(stream.handle).unwrap();
        context.destroy();
    }

    #[test]
    fn a_child_graph_that_never_becomes_a_node_is_destroyed() {
        let plain: EdgeData = [0; 8];
        let context = context();
        let stream = Stream::create(&context, StreamKind::NonBlocking, 0, 0).unwrap();
        let graph = Graph::create().unwrap();
        let a = graph.add(Operation::Empty, &[]).unwrap().handle;
        begin(&stream, Mode::Relaxed, None).unwrap();
        let _ = capture::refuse(&stream);
        let ways: [&dyn Fn(Operation); 3] =
            [&drop, &|child| assert!(graph.add(child, &[(a, plain), (a, plain)]).is_err()), &|child| {
                assert_eq!(record(&stream, child), Err(Error::STREAM_CAPTURE_INVALIDATED))
            }];
        for way in ways {
            let child = graph.embed().unwrap();
            let (handle, node) = (child.handle, child.nodes()[0].handle);
            assert!(Graph::find(handle).is_ok() && Node::find(node).is_ok());
            way(Operation::Child(child));
            assert!(Graph::find(handle).is_err() && Node::find(node).is_err());
        }
        assert!(end(&stream).is_err());
        Graph::destroy(graph.handle).unwrap();
        context.destroy();
    }
}
