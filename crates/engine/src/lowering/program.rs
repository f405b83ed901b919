//! Modules to programs: where variables lie, which functions may come to which, and what they need.

use crate::lowering::context::{Around, BuildOptions, layout};
use crate::lowering::function;
use crate::state::bounds::LARGEST_ALIGNMENT;
use crate::state::program::{Callee, Uses, system};
use crate::state::warp::{Code, Program};
use ptx::{Diagnostic, ErrorKind, Function, Module, Opcode, Operand, Space, Variable};
use std::collections::HashMap;

/// An offset in shared memory. What is too large stays so, and is refused with the function that uses it.
fn narrow(offset: u64) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// Names in a function's code.
fn mentioned<'m, 'a>(function: &'m Function<'a>) -> impl Iterator<Item = &'a str> + 'm {
    fn names<'a>(operand: &ptx::Operand<'a>, all: &mut Vec<&'a str>) {
        use ptx::Operand::*;
        match operand {
            Symbol(name, _) => all.push(name),
            Address(base, _) => names(base, all),
            Indexed(list) | Vector(list) | List(list) => list.iter().for_each(|o| names(o, all)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for instruction in function.body.iter().flat_map(|b| &b.instructions) {
        instruction.operands.iter().for_each(|o| names(o, &mut all));
    }
    all.into_iter()
}

/// Which functions each function names, by number. Worked out once: modules may hold thousands that call each other.
fn callees(module: &Module<'_>, functions: &HashMap<&str, u32>) -> Vec<Vec<u32>> {
    let of = |function| {
        let mut all: Vec<u32> = mentioned(function).filter_map(|name| functions.get(name).copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    module.functions.iter().map(of).collect()
}

/// Who calls what, turned round.
fn callers(callees: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut callers = vec![Vec::new(); callees.len()];
    for (caller, callees) in (0u32..).zip(callees) {
        callees.iter().for_each(|&callee| callers[callee as usize].push(caller));
    }
    callers
}

/// Marks the functions that may call a marked one, directly or not.
fn spread(marked: &mut [bool], callers: &[Vec<u32>]) {
    let mut work: Vec<usize> = (0..marked.len()).filter(|&at| marked[at]).collect();
    while let Some(function) = work.pop() {
        for &caller in &callers[function] {
            if !core::mem::replace(&mut marked[caller as usize], true) {
                work.push(caller as usize);
            }
        }
    }
}

impl Program {
    /// Prepares a module whose variables have these addresses.
    pub fn build(module: &Module<'_>, addresses: &HashMap<String, u64>) -> Result<Program, Diagnostic> {
        Program::build_for(module, addresses, BuildOptions { strict: true, ..BuildOptions::default() })
    }

    /// The same, as it is wanted.
    pub fn build_for(
        module: &Module<'_>,
        addresses: &HashMap<String, u64>,
        wanted: BuildOptions,
    ) -> Result<Program, Diagnostic> {
        let private = module.functions.iter().flat_map(|f| {
            let own = f.body.iter().flat_map(|b| &b.variables);
            f.parameters.iter().chain(&f.returns).chain(own)
        });
        let allocated = module.functions.iter().flat_map(|f| &f.body).flat_map(|b| &b.instructions).filter_map(|i| {
            match (i.opcode, i.operands.get(2)) {
                (Opcode::Alloca, Some(Operand::Integer(align))) => usize::try_from(*align).ok(),
                _ => None,
            }
        });
        let declared = private.chain(&module.variables).map(|v| v.align);
        let alignment = declared.chain(allocated).max().unwrap_or(1);
        let alignment = alignment.clamp(128, LARGEST_ALIGNMENT).next_power_of_two() as u64;
        let mut around = Around {
            module,
            addresses,
            shared: HashMap::new(),
            own_shared: HashMap::new(),
            functions: HashMap::new(),
            declared: HashMap::new(),
            alignment,
            wanted,
        };
        for (number, function) in module.functions.iter().enumerate() {
            around.functions.insert(function.name, number as u32);
        }
        around.declared = around.functions.clone();
        // Another name of a function is the function itself: also its address.
        for (alias, of) in &module.aliases {
            if let Some(&number) = around.functions.get(of) {
                around.functions.insert(alias, number);
            }
        }
        let fixed = |v: &&Variable<'_>| v.space == Space::Shared && v.size > 0;
        let (offsets, bytes) = layout(module.variables.iter().filter(fixed));
        for (variable, offset) in module.variables.iter().filter(fixed).zip(offsets) {
            around.shared.insert(variable.name, narrow(offset));
        }
        // Variables of functions that several kernels may call come behind those of the module.
        let is_shared = |v: &&Variable<'_>| v.space == Space::Shared;
        let own = |f: &Function<'_>| layout(f.body.iter().flat_map(|b| &b.variables).filter(is_shared)).1;
        let mut common = bytes;
        for function in module.functions.iter().filter(|f| !f.entry) {
            let bytes = own(function);
            if bytes > 0 {
                common = common.next_multiple_of(alignment);
            }
            around.own_shared.insert(function.name, narrow(common));
            common += bytes;
        }
        let callees = callees(module, &around.functions);
        let own_common = |f: &Function<'_>| !f.entry && own(f) > 0;
        let names_common = |f: &Function<'_>| mentioned(f).any(|name| around.shared.contains_key(name));
        let mut uses_common = vec![false; module.functions.len()];
        // Without such variables the calls need no search.
        if common > 0 {
            uses_common = module.functions.iter().map(|f| own_common(f) || names_common(f)).collect();
            spread(&mut uses_common, &callers(&callees));
        }
        let bases: Vec<(&str, u32)> = (0..)
            .zip(&module.functions)
            .filter(|(_, f)| f.entry)
            .map(|(number, f): (usize, _)| (f.name, if uses_common[number] { narrow(common) } else { 0 }))
            .collect();
        around.own_shared.extend(bases);
        let in_constants = || module.variables.iter().filter(|v| v.space == Space::Constant);
        let constant = layout(in_constants()).1;
        let place = |v: &Variable<'_>| addresses.get(v.name).map(|&at| (at, at.saturating_add(v.size as u64)));
        let constants =
            in_constants().filter_map(place).fold(core::ops::Range { start: u64::MAX, end: 0 }, |all, (start, end)| {
                all.start.min(start)..all.end.max(end)
            });
        let own = module.functions.iter().flat_map(|f| f.body.iter().flat_map(|b| &b.variables));
        let dynamic = own.chain(&module.variables).filter(|v| v.space == Space::Shared && v.size == 0);
        let dynamic = dynamic.map(|v| v.align).max();
        let dynamic_alignment = dynamic.unwrap_or(1).clamp(16, LARGEST_ALIGNMENT).next_power_of_two() as u32;
        let shared_piece = if dynamic.is_some() { dynamic_alignment } else { 1 };
        let checked = wanted.checked;
        let mut program =
            Program { functions: Vec::new(), alignment, dynamic_alignment, constant, constants, checked, text: None };
        for function in &module.functions {
            let mut code = function::function(&around, function)?;
            code.shared_size = code.shared.checked_next_multiple_of(shared_piece).unwrap_or(code.shared);
            program.functions.push(code);
        }
        let missing = |&number: &u32| {
            let callee = module.functions.get(number as usize);
            callee.filter(|f| f.body.is_none() && system(f.name).is_none())
        };
        for (function, callees) in module.functions.iter().zip(&callees) {
            if let Some(missing) = callees.iter().find_map(missing) {
                let message = format!("Unresolved extern function '{}'", missing.name);
                return Err(Diagnostic::new(ErrorKind::Semantics, function.position, message));
            }
        }
        program.spread_missing(&callees);
        let mut stacks = vec![Stack::Unknown; program.functions.len()];
        for number in 0..program.functions.len() {
            program.functions[number].stack = program.stack(number as u32, &mut stacks);
        }
        let called = program.functions.iter().filter(|f| !f.entry).map(Uses::of).fold(Uses::default(), Uses::and);
        for code in &mut program.functions {
            code.uses = Uses::of(code).and(called);
        }
        Ok(program)
    }

    /// A function that may call one that cannot run cannot run, either.
    fn spread_missing(&mut self, callees: &[Vec<u32>]) {
        let cannot = |code: &Code| code.missing.is_some();
        let mut work: Vec<u32> = (0..).zip(&self.functions).filter(|(_, code)| cannot(code)).map(|(n, _)| n).collect();
        if work.is_empty() {
            return;
        }
        let callers = callers(callees);
        while let Some(function) = work.pop() {
            // Naming a kernel means launching it: that launch reports the reason.
            if self.functions[function as usize].entry {
                continue;
            }
            for &caller in &callers[function as usize] {
                if self.functions[caller as usize].missing.is_none() {
                    self.functions[caller as usize].missing = self.functions[function as usize].missing.clone();
                    work.push(caller);
                }
            }
        }
    }

    /// Bytes of local memory that a function and what it calls need. Each function is visited once.
    fn stack(&self, function: u32, known: &mut [Stack]) -> Option<u64> {
        /// A function on the way down: which of its calls come next, and the most that one needs.
        struct Frame {
            function: u32,
            site: usize,
            deepest: Option<u64>,
        }
        let mut frames: Vec<Frame> = Vec::new();
        let mut next = Some(function);
        let mut result = Some(0);
        loop {
            if let Some(function) = next.take() {
                result = match known.get(function as usize) {
                    Some(Stack::Known(bytes)) => *bytes,
                    // A function whose search is still under way: this is a recursion.
                    Some(Stack::Asked) | None => None,
                    Some(Stack::Unknown) => {
                        known[function as usize] = Stack::Asked;
                        frames.push(Frame { function, site: 0, deepest: Some(0) });
                        Some(0)
                    }
                };
            }
            let Some(frame) = frames.last_mut() else { return result };
            frame.deepest = frame.deepest.zip(result).map(|(a, b)| a.max(b));
            let code = &self.functions[frame.function as usize];
            frame.site += 1;
            match code.sites.get(frame.site - 1).map(|site| site.target) {
                Some(Callee::Function(callee)) => next = Some(callee),
                Some(Callee::Register(_)) => result = None,
                Some(Callee::System(_)) => result = Some(0),
                None => {
                    let deepest = frame.deepest.filter(|_| !code.allocates_stack);
                    result = deepest.map(|bytes| bytes + code.local);
                    known[frame.function as usize] = Stack::Known(result);
                    frames.pop();
                }
            }
        }
    }
}

/// What is known of the local memory that a function needs.
#[derive(Clone, Copy)]
enum Stack {
    Unknown,
    /// The search is under way.
    Asked,
    /// Bytes, `None` if there is no bound.
    Known(Option<u64>),
}
