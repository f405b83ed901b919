//! What differs in versions before 3.2 of the language, and for targets before sm_20.

use crate::cursor::{Parsed, Parser};
use crate::declare::DeclaredIn;
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::forms::Target;
use crate::instruction::Instruction;
use crate::lexer::Token;
use crate::modifier::Modifier;
use crate::module::{Linkage, Variable};
use crate::opcode::Opcode;

/// The last version of each generation of the language, from the first on.
const LAST: [u32; 8] = [5, 3, 2, 3, 1, 5, 8, 8];

/// Whether a version was ever published. Of the newest generation all are.
pub(super) fn is_version((major, minor): (u32, u32)) -> bool {
    major > 0 && LAST.get(major as usize - 1).is_none_or(|&last| minor <= last)
}

/// Targets up to the one that everything is run as, and the version (times ten) that each came with.
const TARGETS: [(u32, u32); 32] = [
    (10, 10),
    (11, 10),
    (12, 12),
    (13, 12),
    (20, 20),
    (21, 20),
    (30, 30),
    (32, 40),
    (35, 30),
    (37, 41),
    (50, 40),
    (52, 41),
    (53, 42),
    (60, 50),
    (61, 50),
    (62, 50),
    (70, 51),
    (72, 61),
    (75, 63),
    (80, 70),
    (86, 71),
    (87, 74),
    (88, 80),
    (89, 78),
    (90, 78),
    (100, 86),
    (101, 86),
    (103, 88),
    (107, 94),
    (110, 90),
    (120, 87),
    (121, 88),
];

/// The newest of them.
const NEWEST_TARGET: u32 = 121;

/// What is wrong with a target in a module of a version.
pub(super) fn check_target(name: &str, architecture: u32, version: (u32, u32), at: Position) -> Parsed<()> {
    let known = TARGETS.iter().find(|t| t.0 == architecture);
    if known.is_none() && architecture <= NEWEST_TARGET {
        return Err(Diagnostic::new(ErrorKind::Syntax, at, format!("Unsupported .target '{name}'")));
    }
    if known.is_some_and(|t| version.0 * 10 + version.1 < t.1) {
        let message = format!("PTX .version {}.{} does not support .target {name}", version.0, version.1);
        return Err(Diagnostic::new(ErrorKind::Semantics, at, message));
    }
    Ok(())
}

/// What instructions of the first years need: opcode, a modifier if it is one form only, the oldest target, and the oldest
/// version (times ten).
const NEEDS: [(Opcode, Option<Modifier<'static>>, u32, u32); 26] = [
    (Opcode::Atom, None, 11, 11),
    (Opcode::Atom, Some(Modifier::F32), 20, 20),
    (Opcode::Bar, Some(Modifier::Arrive), 20, 20),
    (Opcode::Bar, Some(Modifier::Red), 20, 20),
    (Opcode::Bfe, None, 20, 20),
    (Opcode::Bfi, None, 20, 20),
    (Opcode::Bfind, None, 20, 20),
    (Opcode::Brev, None, 20, 20),
    (Opcode::Clz, None, 20, 20),
    (Opcode::Copysign, None, 20, 20),
    (Opcode::Cvta, None, 20, 20),
    (Opcode::Fma, Some(Modifier::F32), 20, 20),
    (Opcode::Fma, Some(Modifier::F64), 10, 14),
    (Opcode::Isspacep, None, 20, 20),
    (Opcode::Ldu, None, 20, 20),
    (Opcode::Membar, None, 10, 14),
    (Opcode::Membar, Some(Modifier::Sys), 20, 20),
    (Opcode::Pmevent, None, 10, 14),
    (Opcode::Popc, None, 20, 20),
    (Opcode::Prefetch, None, 20, 20),
    (Opcode::Prefetchu, None, 20, 20),
    (Opcode::Prmt, None, 20, 20),
    (Opcode::Red, None, 11, 12),
    (Opcode::Red, Some(Modifier::F32), 20, 20),
    (Opcode::Vote, None, 12, 12),
    (Opcode::Vote, Some(Modifier::Ballot), 20, 20),
];

/// What an instruction lacks in a module for the first devices or of the first versions.
fn check_needs(i: &Instruction<'_>, target: Target) -> Parsed<()> {
    let version = target.version.0 * 10 + target.version.1;
    let own = NEEDS.iter().filter(|need| need.0 == i.opcode && need.1.is_none_or(|modifier| i.has(modifier)));
    let mut unmet = own.filter(|need| target.architecture < need.2 || version < need.3);
    let Some(&(opcode, modifier, least, since)) = unmet.next() else { return Ok(()) };
    let name = modifier.map_or_else(|| opcode.to_string(), |modifier| format!("{opcode}.{modifier}"));
    let message = if version < since {
        format!("Feature '{name}' requires PTX ISA .version {}.{} or later", since / 10, since % 10)
    } else {
        format!("Instruction '{name}' requires .target sm_{least} or higher")
    };
    Err(Diagnostic::new(ErrorKind::Semantics, i.position, message))
}

/// Gives an instruction of an old module the modifiers that it would have to have in a newer one.
///
/// Before version 1.4 there is one way to divide and to take roots, and no word for it: approximate for `f32`, else
/// rounded to nearest. `mad.f32` needs no rounding up to version 3.1, nor for the first devices. Those know no
/// subnormal `f32` numbers.
pub(super) fn modernise(i: &mut Instruction<'_>, target: Target) -> Parsed<()> {
    let version = target.version.0 * 10 + target.version.1;
    let first = target.architecture < 20;
    if !first && version > 31 {
        return Ok(());
    }
    let words = [Modifier::Ftz, Modifier::Approx, Modifier::Full];
    if version < 14
        && let Some(word) = words.into_iter().find(|&word| i.has(word))
    {
        let message = format!("Feature '.{word}' requires PTX ISA .version 1.4 or later");
        return Err(Diagnostic::new(ErrorKind::Semantics, i.position, message));
    }
    check_needs(i, target)?;
    let (f32, f64) = (i.has(Modifier::F32), i.has(Modifier::F64));
    let rounded = [Modifier::Approx, Modifier::Full, Modifier::Rn, Modifier::Rz, Modifier::Rm, Modifier::Rp];
    let rounded = rounded.into_iter().any(|word| i.has(word));
    let implied = match i.opcode {
        _ if rounded || !f32 && !f64 => None,
        Opcode::Mad if f32 => Some(Modifier::Rn),
        Opcode::Div | Opcode::Rcp | Opcode::Sqrt | Opcode::Sin | Opcode::Cos | Opcode::Lg2 | Opcode::Ex2
            if version < 14 && f32 =>
        {
            Some(Modifier::Approx)
        }
        Opcode::Rsqrt if version < 14 => Some(Modifier::Approx),
        Opcode::Div | Opcode::Rcp | Opcode::Sqrt | Opcode::Mad if version < 14 => Some(Modifier::Rn),
        _ => None,
    };
    i.modifiers.extend(implied);
    let flushes = match i.opcode {
        Opcode::Add
        | Opcode::Sub
        | Opcode::Mul
        | Opcode::Mad
        | Opcode::Fma
        | Opcode::Div
        | Opcode::Abs
        | Opcode::Neg
        | Opcode::Min
        | Opcode::Max
        | Opcode::Rcp
        | Opcode::Sqrt
        | Opcode::Rsqrt
        | Opcode::Sin
        | Opcode::Cos
        | Opcode::Lg2
        | Opcode::Ex2
        | Opcode::Set
        | Opcode::Setp => i.modifiers.last() == Some(&Modifier::F32) || f32 && implied.is_some(),
        Opcode::Slct => i.modifiers.last() == Some(&Modifier::F32),
        // Between the precisions they do not before version 1.5.
        Opcode::Cvt => f32 && !i.has(Modifier::F16) && (!f64 || version >= 15),
        _ => false,
    };
    if first && flushes && !i.has(Modifier::Ftz) {
        i.modifiers.push(Modifier::Ftz);
    }
    Ok(())
}

impl<'a> Parser<'a> {
    /// Refuses what came with a later version.
    pub(super) fn since(&self, feature: &str, (major, minor): (u32, u32)) -> Parsed<()> {
        if self.module.version >= (major, minor) {
            return Ok(());
        }
        let message = format!("Feature '{feature}' requires PTX ISA .version {major}.{minor} or later");
        Err(Diagnostic::new(ErrorKind::Semantics, self.position, message))
    }

    /// True where kernels declare their parameters inside.
    pub(super) fn has_parameters_inside(&self) -> bool {
        self.module.version < (1, 4)
    }

    /// The parameters that a kernel declares inside: the current token begins its body, and does so again afterwards.
    pub(super) fn parameters_inside(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let start = self.here();
        let (mut depth, mut fresh, mut all) = (0u32, false, Vec::new());
        loop {
            match self.token {
                Token::End => break,
                Token::Sign(b'{') => depth += 1,
                Token::Sign(b'}') if depth <= 1 => break,
                Token::Sign(b'}') => depth -= 1,
                Token::Dot("param") if fresh && depth == 1 => {
                    all.append(&mut self.variables(Linkage::Internal, DeclaredIn::Parameter)?);
                    fresh = false;
                    continue;
                }
                _ => {}
            }
            fresh = matches!(self.token, Token::Sign(b'{' | b'}' | b';' | b':'));
            self.advance()?;
        }
        self.go_back(start);
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use crate::{ErrorKind, Space, Type, parse};

    fn modifiers(version: &str, target: &str, instruction: &str) -> String {
        let size = if version < "2.3" { "" } else { ".address_size 64\n" };
        let text = format!(
            ".version {version}\n.target {target}\n{size}.entry k {{ .reg .f32 f<4>; .reg .f64 g<4>; .reg .u32 r<4>;\n\
             .reg .pred p<2>; {instruction} exit; }}"
        );
        match parse(&text) {
            Ok(module) => module.functions[0].body.as_ref().unwrap().instructions[0].full_name(),
            Err(problem) => problem.message,
        }
    }

    #[test]
    fn what_old_instructions_leave_out() {
        for (version, target, instruction, whole) in [
            ("1.0", "sm_10", "mad.f32 f0,f1,f2,f3;", "mad.f32.rn.ftz"),
            ("1.4", "sm_13", "mad.sat.f32 f0,f1,f2,f3;", "mad.sat.f32.rn.ftz"),
            ("8.0", "sm_13", "mad.f32 f0,f1,f2,f3;", "mad.f32.rn.ftz"),
            ("2.0", "sm_20", "mad.f32 f0,f1,f2,f3;", "mad.f32.rn"),
            ("3.1", "sm_30", "mad.ftz.f32 f0,f1,f2,f3;", "mad.ftz.f32.rn"),
            ("3.2", "sm_30", "mad.f32 f0,f1,f2,f3;", "Rounding modifier required for instruction 'mad'"),
            ("1.3", "sm_13", "div.f32 f0,f1,f2;", "div.f32.approx.ftz"),
            ("1.3", "sm_13", "div.f64 g0,g1,g2;", "div.f64.rn"),
            ("1.3", "sm_13", "rsqrt.f64 g0,g1;", "rsqrt.f64.approx"),
            ("1.3", "sm_13", "sin.f32 f0,f1;", "sin.f32.approx.ftz"),
            ("1.3", "sm_13", "sin.approx.f32 f0,f1;", "Feature '.approx' requires PTX ISA .version 1.4 or later"),
            ("1.4", "sm_13", "sin.approx.f32 f0,f1;", "sin.approx.f32.ftz"),
            ("1.4", "sm_13", "setp.lt.f32 p0,f0,f1;", "setp.lt.f32.ftz"),
            ("1.4", "sm_13", "set.lt.f32.s32 f0,r0,r1;", "set.lt.f32.s32"),
            ("1.4", "sm_13", "cvt.rn.f32.f64 f0,g0;", "cvt.rn.f32.f64"),
            ("1.5", "sm_13", "cvt.rn.f32.f64 f0,g0;", "cvt.rn.f32.f64.ftz"),
            ("1.5", "sm_13", "add.f64 g0,g1,g2;", "add.f64"),
            ("2.0", "sm_20", "add.f32 f0,f1,f2;", "add.f32"),
        ] {
            assert_eq!(modifiers(version, target, instruction), whole, "{version} {target} {instruction}");
        }
        assert_ne!(modifiers("1.4", "sm_13", "div.f32 f0,f1,f2;"), "div.f32");
    }

    #[test]
    fn versions_and_targets() {
        let of = |version: &str, target: &str| {
            parse(&format!(".version {version}\n.target {target}\n.entry k {{ exit; }}")).map(drop).map_err(|e| e.kind)
        };
        for version in ["0.9", "1.6", "2.4", "3.3", "4.4", "5.2", "6.6", "7.9", "8.9", "99.0"] {
            assert_eq!(of(version, "sm_10"), Err(ErrorKind::Version), "{version}");
        }
        for version in ["1.0", "1.5", "2.3", "3.2", "4.3", "5.1", "6.5", "7.8", "8.8", "9.0"] {
            assert_eq!(of(version, "sm_10"), Ok(()), "{version}");
        }
        assert_eq!(of("1.4", "sm_20"), Err(ErrorKind::Semantics));
        assert_eq!(of("8.0", "sm_14"), Err(ErrorKind::Syntax));
        assert_eq!(of("1.4", "sm_10, map_f64_to_f32"), Ok(()));
        assert_eq!(of("1.4", "sm_13, map_f64_to_f32"), Err(ErrorKind::Semantics));
        assert_eq!(of("1.4", "sm_10, sm_13"), Ok(()));
        assert_eq!(of("1.4", "sm_10, texmode_independent"), Err(ErrorKind::Semantics));
        assert_eq!(of("7.8", "compute_90"), Ok(()));
        assert_eq!(of("7.7", "compute_90"), Err(ErrorKind::Semantics));
    }

    #[test]
    fn what_came_later() {
        let needs = |version: &str, target: &str, instruction: &str| {
            let message = modifiers(version, target, instruction);
            assert!(message.contains("requires"), "{version} {target} {instruction}: {message}");
        };
        needs("1.4", "sm_13", "popc.b32 r0, r1;");
        needs("2.0", "sm_13", "popc.b32 r0, r1;");
        needs("1.3", "sm_13", "membar.gl;");
        needs("1.4", "sm_13", "fma.rn.f32 f0, f1, f2, f3;");
        assert_eq!(modifiers("2.0", "sm_20", "popc.b32 r0, r1;"), "popc.b32");
        assert_eq!(modifiers("1.4", "sm_13", "membar.gl;"), "membar.gl");
        let of = |version: &str, text: &str| {
            parse(&format!(".version {version}\n.target sm_10\n{text}")).map(drop).map_err(|e| e.message)
        };
        for (before, since, text) in [
            ("2.2", "2.3", ".address_size 64"),
            ("1.2", "1.3", ".entry k .maxntid 32 { exit; }"),
            ("2.0", "2.1", ".entry k .reqntid 32 { exit; }"),
            ("1.5", "2.0", ".pragma \"x\";"),
            ("1.4", "1.5", ".global .texref t;"),
            ("3.0", "3.1", ".weak .global .u32 w;"),
        ] {
            assert!(of(before, text).unwrap_err().contains("requires PTX ISA .version"), "{before} {text}");
            assert_eq!(of(since, text), Ok(()), "{since} {text}");
        }
    }

    #[test]
    fn parameters_inside_of_kernels() {
        let text = ".version 1.3\n.target sm_13\n.entry k\n{ .reg .u32 r<3>; .shared .u32 s[4];\n.param .u64 a;\n\
                    .param .align 8 .b8 b[12];\nL: ld.param.u32 r0, [b+8]; { .reg .u32 q; } bra L; }";
        let module = parse(text).unwrap();
        let kernel = &module.functions[0];
        assert_eq!(kernel.parameters.iter().map(|p| (p.name, p.size)).collect::<Vec<_>>(), [("a", 8), ("b", 12)]);
        assert_eq!(kernel.body.as_ref().unwrap().variables.len(), 3);
        let newer = text.replace("1.3", "1.4");
        assert!(parse(&newer).unwrap_err().message.contains("must be declared within .entry parameter list"));
    }

    #[test]
    fn other_old_words() {
        let of = |version: &str, text: &str| {
            let size = if version < "2.3" { "" } else { ".address_size 64" };
            let text = format!("{}.version {version}\n.target sm_13\n{size}\n{text}", "# 1 \"a.cu\"\n");
            parse(&text).map(|m| m.variables.first().map(|v| (v.ty, v.space))).map_err(|e| e.message)
        };
        let texture = Ok(Some((Type::TextureReference, Space::Global)));
        assert_eq!(of("1.4", ".tex .u32 t;"), texture);
        assert!(of("1.4", ".tex .f32 t;").unwrap_err().contains("must be type .u32 or .u64"));
        assert!(of("1.5", ".tex .u32 t;").unwrap_err().contains("Deprecated feature: '.tex'"));
        assert!(of("2.1", ".const[0] .u32 c; .entry k { .reg .u32 r; ld.const[0].u32 r, [c]; exit; }").is_ok());
        assert!(of("2.2", ".const .u32 c; .entry k { .reg .u32 r; ld.const[0].u32 r, [c]; exit; }").is_err());
        assert!(of("1.5", ".const[2] .u32 c = 5;").unwrap_err().contains("reserved for external incomplete arrays"));
        assert!(of("1.4", "@@DWARF .section .debug_info, \"\", @progbits\n@@DWARF .4byte 1\n.global .u32 g;").is_ok());
        assert!(of("2.0", "@@DWARF .4byte 1\n").unwrap_err().contains("'@@DWARF directive'"));
        assert!(of("1.4", ".func (.reg .u32 a, .reg .u32 b) f () { mov.u32 a, 1; mov.u32 b, 2; ret; }").is_ok());
    }
}
