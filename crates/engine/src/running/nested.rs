//! Runs grids and what their threads launch.

use crate::running::launch::{Deadline, Launch};
use crate::state::fault::{Failure, Fault};
use crate::state::grid::LaunchShape;
use crate::state::nested::{Item, Nested, Planned};

/// A launch by a kernel, as a launch.
fn prepared(parent: &Launch, planned: Planned, depth: u32) -> Launch {
    Launch {
        program: parent.program.clone(),
        kernel: planned.kernel.unwrap_or(0),
        shape: LaunchShape { grid: planned.grid, block: planned.block },
        cluster: None,
        parameters: planned.parameters,
        dynamic_shared: planned.shared,
        cooperative: false,
        resident: parent.resident,
        stack_limit: parent.stack_limit,
        cores: parent.cores,
        places: parent.places.clone(),
        limit: parent.limit,
        services: parent.services.clone(),
        images: parent.images.clone(),
        host: parent.host,
        depth,
    }
}

impl Launch {
    /// Runs the grid and all that it launches, in the time that the grid has.
    pub fn run(&self) -> Result<(), Failure> {
        run_until(self, Deadline::after(self.limit))
    }
}

fn run_until(launch: &Launch, end: Deadline) -> Result<(), Failure> {
    let mut tail = grid_and_children(launch, end)?;
    // What a tail launch launches last comes before the next one. No recursion: such chains may be long.
    tail.reverse();
    while let Some(item) = tail.pop() {
        match item {
            Item::Launch(planned) => {
                let next = prepared(launch, planned, launch.depth);
                let more = grid_and_children(&next, end)?;
                tail.extend(more.into_iter().rev());
            }
            other => do_item(launch, other, end)?,
        }
    }
    Ok(())
}

/// Runs a grid and what it launched; gives what it left for the end.
fn grid_and_children(launch: &Launch, end: Deadline) -> Result<Vec<Item>, Failure> {
    let nested = Nested::new(launch.host, launch.services.graph());
    launch.run_grid(&nested, end)?;
    let (queue, tail) = nested.into_items();
    for item in queue {
        do_item(launch, item, end)?;
    }
    Ok(tail)
}

fn do_item(launch: &Launch, item: Item, end: Deadline) -> Result<(), Failure> {
    let each = |extent: [u64; 3], row: &mut dyn FnMut(u64, u64) -> bool| {
        extent[0] == 0
            || extent[1] == 0
            || (0..extent[2]).all(|z| (0..extent[1]).all(|y| row(y, z) && !(y % 64 == 0 && end.is_over())))
    };
    let reaches = |address: usize, bytes: u64| launch.services.may_access(address as u64, bytes);
    let writes = |address: usize, bytes: u64| {
        if let Some(checker) = launch.services.checker() {
            checker.writes(address as u64, bytes);
        }
    };
    let done = match item {
        Item::Launch(planned) => return run_until(&prepared(launch, planned, launch.depth + 1), end),
        Item::Copy { to, from, extent } => each(extent, &mut |y, z| {
            let (to, from) = (to.row(y, z), from.row(y, z));
            writes(to, extent[0]);
            reaches(to, extent[0]) && reaches(from, extent[0]) && guard::copy(to, from, extent[0] as usize).is_ok()
        }),
        Item::Fill { to, value, extent } => each(extent, &mut |y, z| {
            let (row, bytes) = (to.row(y, z) as *mut u8, extent[0] as usize);
            writes(row as usize, extent[0]);
            // SAFETY: guarded.
            reaches(row as usize, extent[0]) && guard::run(move || unsafe { core::ptr::write_bytes(row, value, bytes) })
        }),
    };
    let fault = if end.is_over() { Fault::TimedOut } else { Fault::IllegalAddress };
    if done { Ok(()) } else { Err(Failure { fault, line: 0 }) }
}
