//! What lives: for tests that give everything back and look for what is left.

use crate::base::notify::REGISTRATIONS;
use crate::memory::physical::HANDLES;
use crate::memory::pool::POOLS;
use crate::memory::{host_usage, space};
use crate::{array, devices, graph, kernel, stream};
use std::collections::BTreeMap;

/// How many objects of each kind live, how many allocations of each kind the address space holds, and how many bytes count as
/// in use for what.
pub fn census() -> BTreeMap<String, u64> {
    let tables = [
        stream::context::CONTEXTS.count(),
        stream::STREAMS.count(),
        stream::event::EVENTS.count(),
        array::ARRAYS.count(),
        array::MIPMAPPED.count(),
        array::texture::TEXTURES.count(),
        array::texture::SURFACES.count(),
        array::reference::REFERENCES.count(),
        array::reference::SURFACE_REFERENCES.count(),
        array::external::MEMORIES.count(),
        array::semaphore::SEMAPHORES.count(),
        HANDLES.count(),
        POOLS.count(),
        kernel::module::MODULES.count(),
        kernel::function::FUNCTIONS.count(),
        kernel::library::LIBRARIES.count(),
        kernel::library::KERNELS.count(),
        kernel::link::LINKS.count(),
        kernel::condition::CONDITIONS.count(),
        graph::nodes::GRAPHS.count(),
        graph::nodes::NODES.count(),
        graph::exec::EXECS.count(),
        graph::user_object::OBJECTS.count(),
        REGISTRATIONS.count(),
    ];
    let mut all: BTreeMap<String, u64> = tables.map(|(noun, count)| (format!("objects: {noun}"), count as u64)).into();
    for device in devices() {
        for (purpose, bytes) in device.usage.parts() {
            all.insert(format!("bytes on device {}: {purpose:?}", device.ordinal), bytes);
        }
    }
    all.insert("bytes of host memory".into(), host_usage().bytes());
    for allocation in space().into_iter().flat_map(|space| space.collect(|_| true)) {
        *all.entry(format!("allocations: {:?}", allocation.kind)).or_default() += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::usage::Purpose;
    use crate::memory::pool::charge;
    use crate::testing::devices as start;

    #[test]
    fn what_lives_is_counted() {
        start();
        let graph = graph::Graph::create().unwrap();
        let held = charge(&devices()[1], Purpose::Graphs, 12345).unwrap();
        let before = census();
        assert!(before["objects: graph"] >= 1 && before["bytes on device 1: Graphs"] >= 12345);
        drop(held);
        graph::Graph::destroy(graph.handle).unwrap();
    }
}
