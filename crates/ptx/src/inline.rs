//! Calls replaced by the bodies of the functions that they call.
//!
//! [`inline`] makes a kernel's body anew: each direct call of a function that is small, does not call itself, and whose
//! parameters are only loaded, becomes the instructions of that function. All calls of a function share its registers and
//! variables, since it is never under way twice.

use crate::instruction::{Instruction, Operand};
use crate::modifier::Modifier;
use crate::module::{Body, Function, SourceLine, Variable};
use crate::opcode::Opcode;
use crate::types::{Space, Type};
use std::collections::HashMap;

/// Instructions of a function that takes the place of a call, with those of the functions that it calls.
const MOST_OF_ONE: usize = 1000;
/// Instructions by which a kernel may grow.
const MOST_GROWTH: usize = 4000;
/// Bytes of local memory by which a kernel may grow.
const MOST_LOCAL: usize = 16 << 10;
/// Functions that call each other, from the kernel on.
const DEEPEST: usize = 16;

/// The body of `kernel` with calls replaced, none if no call can be. `find` knows the functions of the module by name.
///
/// What is read of registers that were never written may be something else than in a call, where it is as undefined.
pub fn inline<'m, 'a>(kernel: &'m Function<'a>, find: &dyn Fn(&str) -> Option<&'m Function<'a>>) -> Option<Body<'a>> {
    let body = kernel.body.as_ref()?;
    if !body.instructions.iter().any(|i| i.opcode == Opcode::Call) {
        return None;
    }
    let mut made = Body { instructions: Vec::new(), sources: Vec::new(), ..body.clone() };
    let labels: Vec<usize> = {
        let mut inliner =
            Inliner { find, made: &mut made, sizes: HashMap::new(), places: HashMap::new(), growth: 0, local: 0 };
        let variables: Vec<u32> = (0..body.variables.len() as u32).collect();
        let copy = Copy { body, registers: 0, variables, kernel: Some(kernel.parameters.len()) };
        let labels = inliner.copy(&copy);
        if inliner.growth == 0 {
            return None;
        }
        labels
    };
    for (_, table) in &mut made.targets {
        table.iter_mut().for_each(|to| *to = labels.get(*to).copied().unwrap_or(*to));
    }
    Some(made)
}

/// A body that is copied into the kernel's, and what becomes of its registers and variables.
struct Copy<'m, 'a> {
    body: &'m Body<'a>,
    /// What its first register is called there.
    registers: u32,
    /// What its variables are called there.
    variables: Vec<u32>,
    /// For the kernel itself how many parameters it has.
    kernel: Option<usize>,
}

/// How a call hands over an argument or a result.
enum Passing<'a> {
    /// The function uses the caller's variable.
    Variable(u32),
    /// A value, through a variable of its own.
    Value(Operand<'a>),
}

/// What takes the place of a call.
struct Call<'m, 'a> {
    function: &'m Function<'a>,
    body: &'m Body<'a>,
    size: usize,
    /// Results, then arguments.
    passed: Vec<Passing<'a>>,
}

struct Inliner<'i, 'm, 'a> {
    find: &'i dyn Fn(&str) -> Option<&'m Function<'a>>,
    made: &'i mut Body<'a>,
    /// Instructions of functions that can take the place of a call; none of others, and of those that are being looked at.
    sizes: HashMap<&'a str, Option<usize>>,
    /// Where registers and variables of functions begin that are in the kernel.
    places: HashMap<&'a str, (u32, u32)>,
    growth: usize,
    local: usize,
}

impl<'m, 'a> Inliner<'_, 'm, 'a> {
    /// The instructions that a function comes to, if it can take the place of a call.
    fn size(&mut self, function: &'m Function<'a>, depth: usize) -> Option<usize> {
        if let Some(&size) = self.sizes.get(function.name) {
            return size;
        }
        // One that calls itself finds this.
        self.sizes.insert(function.name, None);
        let size = self.measure(function, depth);
        self.sizes.insert(function.name, size);
        size
    }

    fn measure(&mut self, function: &'m Function<'a>, depth: usize) -> Option<usize> {
        let body = function.body.as_ref().filter(|_| !function.entry && depth < DEEPEST)?;
        let passed = function.returns.len() + function.parameters.len();
        let is_private = |v: &Variable<'_>| matches!(v.space, Space::Parameter | Space::Local) && v.size > 0;
        let plain = body.targets.is_empty() && body.prototypes.is_empty() && body.instructions.len() <= MOST_OF_ONE;
        if !plain || !body.variables.iter().all(is_private) || body.variables.len() < passed {
            return None;
        }
        let mut size = body.instructions.len();
        for instruction in &body.instructions {
            // After `exit` lanes do not come back; the stack is given back when the function returns.
            if matches!(instruction.opcode, Opcode::Exit | Opcode::Alloca | Opcode::Stacksave | Opcode::Stackrestore) {
                return None;
            }
            let only_accessed = instruction.operands.iter().all(|operand| match operand {
                Operand::Address(base, _) if matches!(**base, Operand::Local(..)) => {
                    let Operand::Local(number, _) = **base else { return true };
                    let number = number as usize;
                    number >= passed
                        || instruction.opcode == Opcode::Ld
                        || instruction.opcode == Opcode::St && number < function.returns.len()
                }
                operand => !names_variable(operand, passed as u32),
            });
            if !only_accessed {
                return None;
            }
            if instruction.opcode == Opcode::Call {
                let name = callee(instruction)?;
                if let Some(called) = (self.find)(name).filter(|f| f.body.is_some()) {
                    size += self.size(called, depth + 1)?;
                }
            }
        }
        Some(size).filter(|&size| size <= MOST_OF_ONE)
    }

    /// What takes the place of a call, if anything can.
    fn call(&mut self, copy: &Copy<'m, 'a>, instruction: &Instruction<'a>) -> Option<Call<'m, 'a>> {
        let function = (self.find)(callee(instruction)?)?;
        let body = function.body.as_ref()?;
        let size = self.size(function, 0)?;
        let local = body.variables.iter().map(|v| v.size.saturating_add(v.align)).fold(0, usize::saturating_add);
        if self.growth + size > MOST_GROWTH || self.local.saturating_add(local) > MOST_LOCAL {
            return None;
        }
        let (results, arguments): (&[Operand<'a>], &[Operand<'a>]) = match instruction.operands.as_slice() {
            [Operand::List(results), Operand::Symbol(..), rest @ ..] => (results, list(rest)),
            [Operand::Symbol(..), rest @ ..] => (&[], list(rest)),
            _ => return None,
        };
        if results.len() != function.returns.len() || arguments.len() != function.parameters.len() {
            return None;
        }
        let formals = function.returns.iter().chain(&function.parameters);
        let mut passed = Vec::with_capacity(results.len() + arguments.len());
        for (n, (operand, formal)) in results.iter().chain(arguments).zip(formals).enumerate() {
            passed.push(match *operand {
                Operand::Local(number, 0) => {
                    let variable = copy.body.variables.get(number as usize)?;
                    let is_parameter = copy.kernel.is_some_and(|parameters| (number as usize) < parameters);
                    let fits = matches!(variable.space, Space::Parameter | Space::Local)
                        && variable.size == formal.size
                        && variable.align >= formal.align;
                    // A result must not change an argument that is still read.
                    if is_parameter || !fits || n < results.len() && arguments.contains(operand) {
                        return None;
                    }
                    Passing::Variable(copy.variables[number as usize])
                }
                Operand::Register(register) => {
                    let ty = copy.body.registers.get(register as usize)?;
                    if ty.bytes() != formal.size || !matches!(formal.size, 4 | 8) {
                        return None;
                    }
                    Passing::Value(Operand::Register(register + copy.registers))
                }
                Operand::Integer(value)
                    if n >= results.len() && matches!(formal.size, 4 | 8) && is_integer(formal.ty) =>
                {
                    Passing::Value(Operand::Integer(value))
                }
                _ => return None,
            });
        }
        Some(Call { function, body, size, passed })
    }

    /// Puts a function in the place of a call.
    fn put(&mut self, call: &Call<'m, 'a>, at: &Instruction<'a>) {
        let Call { function, body, .. } = *call;
        let made = &mut *self.made;
        let (registers, first) = *self.places.entry(function.name).or_insert_with(|| {
            let place = (made.registers.len() as u32, made.variables.len() as u32);
            made.registers.extend_from_slice(&body.registers);
            let local = |v: &Variable<'a>| Variable { space: Space::Local, ..v.clone() };
            made.variables.extend(body.variables.iter().map(local));
            self.local += body.variables.iter().map(|v| v.size + v.align).sum::<usize>();
            place
        });
        let mut variables: Vec<u32> = (first..first + body.variables.len() as u32).collect();
        let mut after = Vec::new();
        for (n, (passing, variable)) in call.passed.iter().zip(&mut variables).enumerate() {
            let value = match passing {
                Passing::Variable(own) => {
                    *variable = *own;
                    continue;
                }
                Passing::Value(value) => value.clone(),
            };
            let place = Operand::Address(Box::new(Operand::Local(*variable, 0)), 0);
            let is_result = n < function.returns.len();
            let instruction = Instruction {
                opcode: if is_result { Opcode::Ld } else { Opcode::St },
                modifiers: vec![Modifier::Local, body.variables[n].ty.bits()],
                operands: if is_result { vec![value, place] } else { vec![place, value] },
                guard: None,
                position: at.position,
            };
            if is_result { after.push(instruction) } else { made.instructions.push(instruction) }
        }
        self.growth += call.size;
        self.copy(&Copy { body, registers, variables, kernel: None });
        self.made.instructions.extend(after);
    }

    /// Appends a body. Where each of its instructions went; behind them where it ends.
    fn copy(&mut self, copy: &Copy<'m, 'a>) -> Vec<usize> {
        let all = &copy.body.instructions;
        let mut labels = Vec::with_capacity(all.len() + 1);
        // Instructions with labels of this body.
        let mut jumps = Vec::new();
        let mut sources = copy.body.sources.iter().peekable();
        let mut source: Option<SourceLine<'a>> = None;
        let returns = |i: &&Instruction<'a>| i.opcode == Opcode::Ret && i.guard.is_none();
        // Behind this a function only returns.
        let end = all.len() - all.iter().rev().take_while(returns).count();
        for (at, instruction) in all.iter().enumerate() {
            let here = self.made.instructions.len();
            labels.push(here);
            while let Some(&line) = sources.next_if(|line| line.instruction as usize <= at) {
                source = Some(line);
                self.made.sources.push(SourceLine { instruction: here as u32, ..line });
            }
            let called = if instruction.opcode == Opcode::Call { self.call(copy, instruction) } else { None };
            if let Some(call) = called {
                if let Some(guard) = instruction.guard {
                    let guard = crate::instruction::Guard {
                        register: guard.register + copy.registers,
                        negated: !guard.negated,
                    };
                    jumps.push(here);
                    self.made.instructions.push(jump(at + 1, Some(guard), instruction));
                }
                self.put(&call, instruction);
                let next = self.made.instructions.len() as u32;
                self.made.sources.extend(source.map(|line| SourceLine { instruction: next, ..line }));
                continue;
            }
            let mut instruction = instruction.clone();
            if copy.kernel.is_none() {
                instruction.guard.iter_mut().for_each(|guard| guard.register += copy.registers);
                if instruction.opcode == Opcode::Ret {
                    if at >= end {
                        continue;
                    }
                    instruction = jump(all.len(), instruction.guard, &instruction);
                } else {
                    instruction.operands.iter_mut().for_each(|operand| rename(operand, copy));
                    if matches!(instruction.opcode, Opcode::Ld | Opcode::St) {
                        let local = |m: &mut Modifier<'a>| {
                            if matches!(m, Modifier::Param | Modifier::ParamFunc) {
                                *m = Modifier::Local;
                            }
                        };
                        instruction.modifiers.iter_mut().for_each(local);
                    }
                }
            }
            if instruction.operands.iter().any(|operand| matches!(operand, Operand::Label(_))) {
                jumps.push(here);
            }
            self.made.instructions.push(instruction);
        }
        labels.push(self.made.instructions.len());
        for at in jumps {
            for operand in &mut self.made.instructions[at].operands {
                if let Operand::Label(to) = operand {
                    *to = labels.get(*to).copied().unwrap_or(*to);
                }
            }
        }
        labels
    }
}

/// A branch in the place of another instruction.
fn jump<'a>(to: usize, guard: Option<crate::instruction::Guard>, of: &Instruction<'a>) -> Instruction<'a> {
    Instruction {
        opcode: Opcode::Bra,
        modifiers: Vec::new(),
        operands: vec![Operand::Label(to)],
        guard,
        position: of.position,
    }
}

/// The name of the function that an instruction calls directly.
fn callee<'a>(instruction: &Instruction<'a>) -> Option<&'a str> {
    match instruction.operands.as_slice() {
        [Operand::Symbol(name, _), ..] | [Operand::List(_), Operand::Symbol(name, _), ..] => Some(name),
        _ => None,
    }
}

/// The arguments of a call.
fn list<'o, 'a>(operands: &'o [Operand<'a>]) -> &'o [Operand<'a>] {
    match operands {
        [Operand::List(all), ..] => all,
        _ => &[],
    }
}

fn is_integer(ty: Type) -> bool {
    !matches!(ty, Type::F16 | Type::F32 | Type::F64)
}

/// True for an operand with one of the first `count` variables of a function in it.
fn names_variable(operand: &Operand<'_>, count: u32) -> bool {
    match operand {
        Operand::Local(number, _) => *number < count,
        Operand::Address(of, _) | Operand::Negative(of) => names_variable(of, count),
        Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => {
            all.iter().any(|o| names_variable(o, count))
        }
        Operand::Pair(a, b) => names_variable(a, count) || names_variable(b, count),
        _ => false,
    }
}

/// Gives registers and variables the names that they have in the kernel.
fn rename(operand: &mut Operand<'_>, copy: &Copy<'_, '_>) {
    match operand {
        Operand::Register(register) | Operand::Not(register) | Operand::Part(register, _) => {
            *register += copy.registers
        }
        Operand::Local(number, _) => *number = copy.variables[*number as usize],
        Operand::Address(of, _) | Operand::Negative(of) => rename(of, copy),
        Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => {
            all.iter_mut().for_each(|operand| rename(operand, copy));
        }
        Operand::Pair(a, b) => {
            rename(a, copy);
            rename(b, copy);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as ptx;

    /// The kernel `k` of a text, with calls replaced: how many are left, its registers, and its labels.
    fn inlined(functions: &str, code: &str) -> Option<(usize, usize)> {
        let text = format!(
            ".version 8.7\n.target sm_90\n.address_size 64\n{functions}\n.visible .entry k(.param .b64 n) {{
             .reg .b32 %r<4>; .reg .pred %p; .param .b32 p, q; .param .b64 w; {code} ret; }}"
        );
        let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let kernel = module.function("k").unwrap();
        let body = inline(kernel, &|name| module.function(name))?;
        let labels = body.instructions.iter().flat_map(|i| &i.operands).filter_map(|o| match o {
            Operand::Label(to) => Some(*to),
            _ => None,
        });
        assert!(labels.max().unwrap_or(0) <= body.instructions.len());
        Some((body.instructions.iter().filter(|i| i.opcode == Opcode::Call).count(), body.registers.len()))
    }

    const F: &str =
        ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 x; ld.param.b32 x, [a]; st.param.b32 [r], x; ret; }";

    #[test]
    fn calls_are_replaced() {
        assert_eq!(inlined(F, "add.u32 %r0, %r1, %r2;"), None);
        assert_eq!(inlined(F, "call (q), f, (p); mov.u32 %r0, %r1;"), Some((0, 3)));
        // Two calls of one share registers.
        assert_eq!(inlined(F, "call (q), f, (p); @%p call (%r1), f, (%r1);"), Some((0, 3)));
        let g = format!("{F} .func (.param .b32 r) g(.param .b32 a) {{ .param .b32 b; call (r), f, (b); ret; }}");
        assert_eq!(inlined(&g, "call (q), g, (p);"), None, "the result is handed on");
        let g = format!("{F} .func g() {{ .param .b32 b, c; call (c), f, (b); ret; }}");
        assert_eq!(inlined(&g, "call g; call (q), f, (p);"), Some((0, 1)));
        assert_eq!(inlined(".extern .func h(); .func g() { call h; }", "call g;"), Some((1, 0)));
    }

    #[test]
    fn calls_that_stay() {
        let one = |body: &str| {
            inlined(&format!(".func (.param .b32 r) f(.param .b32 a) {{ .reg .b64 x; {body} }}"), "call (q), f, (p);")
        };
        assert_eq!(one("ret;"), Some((0, 0)));
        for body in [
            "exit;",
            "stacksave.u64 x;",
            "mov.u64 x, a;",
            ".shared .b8 s[8]; mov.u64 x, s;",
            "call (r), f, (a);",
            ".param .b32 b, c; call (b), f, (c);",
            ".reg .u32 i; T: .branchtargets L; L: brx.idx i, T;",
        ] {
            assert_eq!(one(body), None, "{body}");
        }
        // Arguments that are not what the function takes, a result that is an argument, a kernel's parameter.
        for call in
            ["call (q), f, (w);", "call (q), f, (p, p);", "call (p), f, (p);", "call (q), f, (n);", "call f, (p);"]
        {
            assert_eq!(inlined(F, call), None, "{call}");
        }
        let two = ".func f() { call g; } .func g() { call f; }".replace(".func f", ".func g(); .func f");
        assert_eq!(inlined(&two, "call f; call g;"), None);
        let long = format!(".func f() {{ .reg .b32 x; {} }}", "add.u32 x, x, 1; ".repeat(900));
        assert_eq!(inlined(&long, &"call f;".repeat(7)), Some((3, 1)), "a kernel does not grow without bounds");
    }

    #[test]
    fn lines_follow_the_code() {
        let text = ".version 8.7\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n
            .func f() { .reg .b32 x; .loc 1 7 0\n add.u32 x, x, 1; ret; }
            .visible .entry k() { .reg .b32 %r; .loc 1 20 0\n mov.u32 %r, 1; call f; mov.u32 %r, 2;
            .loc 1 21 0\n mov.u32 %r, 3; ret; }";
        let module = ptx::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let body = inline(module.function("k").unwrap(), &|name| module.function(name)).unwrap();
        let line = |at: u32| body.sources.iter().rfind(|s| s.instruction <= at).map(|s| s.line);
        assert_eq!((0..5).map(line).collect::<Vec<_>>(), [Some(20), Some(7), Some(20), Some(21), Some(21)]);
    }
}
