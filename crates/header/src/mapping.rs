//! Which symbol a plain function name means in C: the macros at the end of `cuda.h`.

use declarations::{Api, Function};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The CUDA version whose interface a plain name means, and the value of `CUDA_VERSION`.
pub const CUDA_VERSION: u32 = 13000;

/// Newer symbols with another signature that do not take over the plain name: source code calls them by their full name.
const KEPT: &[&str] = &["cuCtxGetDevice", "cuCtxSynchronize", "cuStreamGetCtx"];

/// Plain names that mean a symbol of another name.
const RENAMED: &[(&str, &str)] = &[("cuGraphInstantiate", "cuGraphInstantiateWithFlags")];

/// One macro.
struct Mapping<'a> {
    name: &'a str,
    target: &'a Function,
}

fn mappings<'a>(functions: &[&'a Function]) -> Vec<Mapping<'a>> {
    let mut newest: BTreeMap<&str, &Function> = BTreeMap::new();
    let mut order = Vec::new();
    for &function in functions {
        let base = function.base();
        if !order.contains(&base) {
            order.push(base);
        }
        let kept = KEPT.contains(&base) && function.name != base;
        let newer = newest.get(base).is_none_or(|other| other.keys.since < function.keys.since);
        if function.keys.since <= CUDA_VERSION && newer && !kept {
            newest.insert(base, function);
        }
    }
    let mut all = Vec::new();
    for base in order {
        let renamed = RENAMED.iter().find(|(name, _)| *name == base);
        let target = match renamed {
            Some((_, target)) => functions.iter().copied().find(|function| function.name == *target),
            None => newest.get(base).copied(),
        };
        let taken = target.map(|target| target.name.as_str());
        if let Some(target) = target {
            all.push(Mapping { name: base, target });
        }
        // Symbols that no plain name means have twins all the same.
        for &function in functions.iter().filter(|function| function.base() == base) {
            let unnamed = KEPT.contains(&base) || function.keys.since > CUDA_VERSION;
            if unnamed && function.keys.twin.is_some() && Some(function.name.as_str()) != taken {
                all.push(Mapping { name: &function.name, target: function });
            }
        }
    }
    all
}

/// The macro part for the functions of one header.
pub fn macros(api: &Api, belongs: impl Fn(&Function) -> bool) -> String {
    let functions: Vec<&Function> =
        api.functions.iter().filter(|function| function.keys.header && belongs(function)).collect();
    let mut plain = String::new();
    let mut per_thread = String::new();
    for Mapping { name, target } in mappings(&functions) {
        let symbol = &target.name;
        match target.keys.twin.as_deref() {
            None if name != symbol => writeln!(plain, "#define {name} {symbol}"),
            None => Ok(()),
            Some(twin) => {
                let wrapped = format!("__CUDA_API_{}({symbol})", twin.to_uppercase());
                // A macro that only names itself would be of use in per-thread mode alone.
                let to = if name == symbol { &mut per_thread } else { &mut plain };
                writeln!(to, "#define {name} {wrapped}")
            }
        }
        .expect("writing to a string");
    }
    let mut out = plain;
    if !per_thread.is_empty() {
        let _ = write!(out, "\n#if defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)\n{per_thread}#endif\n");
    }
    out
}
