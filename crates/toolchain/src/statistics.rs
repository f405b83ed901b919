//! What `-v` prints.

use ptx::instruction::Operand;
use ptx::{Body, Function, Module, Opcode, Space};
use std::fmt::Write;

/// Constant memory that a driver keeps in front of a kernel's parameters, on devices before 9.0.
const BEFORE_PARAMETERS: usize = 352;
/// The first architecture whose assembler says nothing of constant memory.
const WITHOUT_CONSTANTS: u32 = 90;
/// Barriers of a block.
const BARRIERS: u64 = 16;

/// What is said of a module.
pub struct Wanted<'a> {
    /// `sm_90`.
    pub name: &'a str,
    /// 90.
    pub number: u32,
    /// Functions are said, too.
    pub relocatable: bool,
    /// Progress is said, too (`-v2`).
    pub progress: bool,
    /// `-maxrregcount`.
    pub most_registers: Option<u32>,
    /// How long it took to read.
    pub milliseconds: f64,
}

/// The lines.
pub fn describe(module: &Module<'_>, wanted: &Wanted<'_>) -> String {
    let mut text = String::new();
    // Last functions come first.
    let defined = || module.functions.iter().rev().filter_map(|f| f.body.as_ref().map(|body| (f, body)));
    let said: Vec<_> = defined().filter(|(f, _)| f.entry || wanted.relocatable).collect();
    if wanted.progress {
        for (function, _) in &said {
            let _ = writeln!(text, "ptxas info    : Processing {}", function.name);
        }
    }
    let bytes = |space| packed(module.variables.iter().filter(|v| v.space == space).map(|v| (v.size, v.align)));
    let _ = write!(text, "ptxas info    : {} bytes gmem", bytes(Space::Global));
    let constant = bytes(Space::Constant);
    if constant > 0 && wanted.number < WITHOUT_CONSTANTS {
        let _ = write!(text, ", {constant} bytes cmem[3]");
    }
    text.push('\n');
    let shared: usize = bytes(Space::Shared);
    let each = wanted.milliseconds / said.len().max(1) as f64;
    for (function, body) in said {
        describe_function(&mut text, (function, body), wanted, shared);
        let _ = writeln!(text, "ptxas info    : Compile time = {each:.3} ms");
    }
    text
}

fn describe_function(
    text: &mut String,
    (function, body): (&Function<'_>, &Body<'_>),
    wanted: &Wanted<'_>,
    shared: usize,
) {
    let of = |space| packed(body.variables.iter().filter(|v| v.space == space).map(|v| (v.size, v.align)));
    let stack = of(Space::Local);
    if function.entry {
        let _ = writeln!(text, "ptxas info    : Compiling entry function '{}' for '{}'", function.name, wanted.name);
    }
    let _ = writeln!(
        text,
        "ptxas info    : Function properties for {}\n    {stack} bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
        function.name
    );
    if !function.entry {
        return;
    }
    let needed = ptx::pressure::registers(body).min(function.most_registers.unwrap_or(u32::MAX));
    let registers = ptx::pressure::announced(needed, wanted.most_registers);
    let _ = write!(text, "ptxas info    : Used {registers} registers, used {} barriers", barriers(body));
    if stack > 0 && !wanted.relocatable {
        let _ = write!(text, ", {stack} bytes cumulative stack size");
    }
    let shared = shared + of(Space::Shared);
    if shared > 0 {
        let _ = write!(text, ", {shared} bytes smem");
    }
    if wanted.number < WITHOUT_CONSTANTS {
        let parameters = packed(function.parameters.iter().map(|p| (p.size, p.align)));
        let _ = write!(text, ", {} bytes cmem[0]", BEFORE_PARAMETERS + parameters);
    }
    text.push('\n');
}

/// Bytes of things that lie behind each other.
fn packed(all: impl Iterator<Item = (usize, usize)>) -> usize {
    all.fold(0, |end: usize, (size, align)| {
        end.checked_next_multiple_of(align.max(1)).unwrap_or(end).saturating_add(size)
    })
}

/// Barriers up to the highest that is named; all if a register says which.
fn barriers(body: &Body<'_>) -> u64 {
    let waits = body.instructions.iter().filter(|i| matches!(i.opcode, Opcode::Bar | Opcode::Barrier));
    let number = waits.filter_map(|i| {
        if i.has(ptx::Modifier::Warp) || i.has(ptx::Modifier::Cluster) {
            return None;
        }
        let red = usize::from(i.has(ptx::Modifier::Red));
        match i.operands.get(red) {
            Some(Operand::Integer(number)) => Some(number.saturating_add(1).min(BARRIERS)),
            _ => Some(BARRIERS),
        }
    });
    number.max().unwrap_or(0)
}
