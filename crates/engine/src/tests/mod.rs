//! Kernels as text, run by the interpreter alone: memory is that of the test.

mod abreast;
mod asynchronous;
mod bitwise;
mod bounds;
mod chains;
mod check;
mod copies;
mod forms;
mod functions;
pub mod host;
mod levels;
mod matrix_forms;
mod mistakes;
mod models;
mod modules;
mod nested;
mod newer_targets;
mod races;
mod registers;
mod regressions;
mod rows;
mod straight;
mod surfaces;
mod threads;
mod tiers;
mod turns;

use crate::running::launch::Launch;
use crate::running::{force_engine, with_avx2};
use crate::state::check::Checker;
use crate::state::fault::Failure;
use crate::state::grid::{LaunchShape, Thread};
use crate::state::services::{AddressRange, Assertion, NoServices, Services};
use crate::state::warp::Program;
use settings::config::Engine;
use std::collections::HashMap;
use std::sync::Arc;

/// What stands before the kernels of all tests.
const HEAD: &str = ".version 9.2\n.target sm_90a\n.address_size 64\n";

/// A kernel `k` of a text with or without head, ready to run with these parameters of 64 bits.
pub fn launch(text: &str, grid: u32, block: u32, parameters: &[u64]) -> Launch {
    let head = if text.starts_with(".version") { "" } else { HEAD };
    let text = format!("{head}{text}");
    let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::build(&module, &HashMap::new()).unwrap_or_else(|e| panic!("{e}"));
    let kernel = program.functions.iter().position(|f| f.name == "k").expect("no kernel k") as u32;
    Launch {
        program: Arc::new(program),
        kernel,
        shape: LaunchShape { grid: [grid, 1, 1], block: [block, 1, 1] },
        cluster: None,
        parameters: parameters.to_vec(),
        dynamic_shared: 0,
        cooperative: false,
        resident: 132,
        stack_limit: 1024,
        cores: 132,
        places: None,
        limit: None,
        services: Arc::new(NoServices),
        images: None,
        host: &host::HOST,
        depth: 0,
    }
}

/// Services of a test: nothing is printed, and there is no memory.
#[derive(Default)]
struct Served {
    checker: Option<Arc<dyn Checker>>,
    /// Kernels may access what the host of the tests has, and this; everything without it.
    more: Option<AddressRange>,
    /// Nearly all that kernels may access is this; the host's comes beside it.
    whole: Option<AddressRange>,
}

/// Services with a checker of accesses.
fn checked_by(checker: &Arc<impl Checker + 'static>) -> Arc<dyn Services> {
    Arc::new(Served { checker: Some(checker.clone()), ..Served::default() })
}

/// Services of kernels that may access what the host of the tests has, and `more`.
fn fenced(more: AddressRange) -> Arc<dyn Services> {
    Arc::new(Served { more: Some(more), ..Served::default() })
}

/// Services of kernels that may access one range, which compiled code looks at by itself, and what the host of the tests has.
fn within(whole: AddressRange) -> Arc<dyn Services> {
    Arc::new(Served { more: Some(host::accessible()), whole: Some(whole), ..Served::default() })
}

impl Services for Served {
    fn print(&self, _: u64, _: u64) -> Option<i32> {
        Some(0)
    }
    fn assertion(&self, _: Thread, _: Assertion) {}
    fn allocate(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) -> bool {
        true
    }
    fn checker(&self) -> Option<&dyn Checker> {
        self.checker.as_deref()
    }
    fn accessible(&self) -> AddressRange {
        self.whole.unwrap_or_else(|| self.more.map_or(AddressRange::ALL, |_| host::accessible()))
    }
    fn accessible_at(&self, address: u64) -> AddressRange {
        self.more.filter(|more| more.holds(address, 1)).unwrap_or(AddressRange::NOTHING)
    }
}

/// Words that accesses of every size fit.
#[repr(align(16))]
pub struct Words<const N: usize>(pub [u32; N]);

/// Runs such a kernel with the address of `words` as its parameter.
pub fn run(text: &str, grid: u32, block: u32, words: &mut [u32]) -> Result<(), Failure> {
    launch(text, grid, block, &[words.as_mut_ptr() as u64]).run()
}

/// A kernel with a parameter: `%out` holds it, `%t` the thread of the block, `%mine` the address of its word.
pub fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 a) {{\n.reg .pred %p<9>; .reg .b32 %r<30>, %t; .reg .b64 %rd<30>, %out, %mine;\n\
         ld.param.u64 %out, [a]; mov.u32 %t, %tid.x; mul.wide.u32 %rd29, %t, 4; add.s64 %mine, %out, %rd29;\n\
         {body}\nret;\n}}\n"
    )
}

/// What a kernel with this body makes of numbers, which is the same interpreted, and compiled for this machine and for AVX2.
pub fn same(body: &str, block: u32) {
    let words: Vec<u32> = (0..1024u32).map(|n| n.wrapping_mul(2_654_435_769) >> (n * 7 % 29)).collect();
    let run = |engine| {
        let mut words = words.clone();
        let launch = launch(&kernel(body), 1, block, &[words.as_mut_ptr() as u64]);
        force_engine(engine, || launch.run()).unwrap();
        words
    };
    let interpreted = run(Engine::Interpret);
    assert!(interpreted != words, "{body}");
    assert!(interpreted == run(Engine::Compile), "{block} {body}");
    assert!(interpreted == with_avx2(|| run(Engine::Compile)), "AVX2: {block} {body}");
}
