//! What stands between the program and whoever answers, on demand: layers around calls. A function that a layer is about has
//! its slot lead to a shim, which `#[entry]` makes beside the export; all other functions, and all while no layer is on, are
//! called as ever.
//!
//! - `trace`: `DOPPEL_TRACE`.
//! - `faults`: `DOPPEL_FAULT`, behind the trace, which shows what the program gets.
//! - `record`: `DOPPEL_RECORD`, behind the faults: a call that fails on purpose was not made.
//! - `quota`: `DOPPEL_MEMORY_LIMIT` and `DOPPEL_CHECK=leaks` in front of the real driver. The emulated device has both of its own.

mod call;
mod faults;
mod names;
mod quota;
mod real;
mod record;
mod trace;

pub use call::Call;

use call::{Behind, ENDS_KERNELS, FAULTY, QUOTA, RANGE, RECORDED, TRACED};
use names::no_function;

use crate::table::{self, Entry};
use settings::config::{self, Calls, Check, Start};
use settings::log;

/// Makes the slots lead through the layers that the environment asks for. Called once, when the mode is decided, before any
/// function of the real driver is bound.
pub fn put(start: &'static Start, forward: bool) {
    let limits = Some(&start.limits).filter(|limits| forward && limits.is_on());
    let leaks = if forward { leaks() } else { None };
    let counted = limits.is_some() || leaks.is_some();
    if counted {
        quota::start(limits, leaks);
    }
    if let Some(settings) = &start.trace {
        for (name, calls) in
            [("DOPPEL_TRACE_CALLS", Some(&settings.calls)), ("DOPPEL_TRACE_STACKS", settings.stacks.as_ref())]
        {
            if let Some(why) = calls.and_then(|calls| no_function(calls.patterns())) {
                config::refuse(name, &std::env::var(name).unwrap_or_default(), &why);
            }
        }
        trace::start(settings, forward);
    }
    if let Some(value) = &start.fault
        && let Err(why) = faults::start(value)
    {
        config::refuse("DOPPEL_FAULT", value, &why);
    }
    let recorded = start.record.as_deref().is_some_and(record::start);
    for entry in table::ENTRIES {
        let quota = if counted { quota::bits(entry).unwrap_or(0) } else { 0 };
        let traced = start.trace.as_ref().map_or(0, |settings| trace::bits(entry, settings));
        let recorded = if recorded && record::is_about(entry) { RECORDED } else { 0 };
        let bits = quota | traced | recorded | if faults::is_about(entry) { FAULTY } else { 0 };
        if bits != 0 {
            entry.put_layers(bits);
        }
    }
}

/// What is wanted of leaks in front of the real driver, whose device does nothing else that `DOPPEL_CHECK` is about.
fn leaks() -> Option<&'static Check> {
    std::env::var_os("DOPPEL_CHECK").filter(|words| !words.is_empty())?;
    let check = &config::settings()?.check;
    if check.accesses() {
        log::warn!(
            "DOPPEL_CHECK: in front of a real driver only leaks are looked for; compute-sanitizer looks at its kernels"
        );
    }
    check.leaks.then_some(check)
}

/// What is wrong with a value of `DOPPEL_TRACE_CALLS` or `DOPPEL_TRACE_STACKS`, whose form is that of a list.
pub fn calls_complaint(value: &str) -> Option<String> {
    no_function(Calls::parse(value)?.patterns())
}

/// What is wrong with a value of `DOPPEL_FAULT`.
pub fn fault_complaint(value: &str) -> Option<String> {
    faults::rules(value).err()
}

/// Makes a call through the layers.
///
/// # Safety
/// `arguments` are pointers to the arguments of `entry`, in the order of its declaration, which `behind` takes.
#[unsafe(link_section = ".text.trace")]
pub unsafe fn around(entry: &'static Entry, arguments: &[*const ()], behind: Behind) -> u32 {
    // SAFETY: as the caller says.
    let mut call = unsafe { Call::new(entry, arguments, behind) };
    let layers = call.layers;
    let traced = layers & TRACED != 0 && trace::range::is_open();
    if !traced && layers & (QUOTA | RECORDED | FAULTY | ENDS_KERNELS | RANGE) == 0 || call::is_ours() {
        return call.make();
    }
    let code = if traced { trace::around(&mut call, behind_trace) } else { behind_trace(&mut call) };
    if layers & (ENDS_KERNELS | RANGE) != 0 {
        after(entry, layers, code);
    }
    code
}

/// Makes a call through what is behind the trace.
#[inline(always)]
fn behind_trace(call: &mut Call) -> u32 {
    if call.layers & (FAULTY | RECORDED | QUOTA) == 0 { call.make() } else { behind_trace_if_any(call) }
}

#[inline(never)]
fn behind_trace_if_any(call: &mut Call) -> u32 {
    let behind_record = |call: &mut Call| if call.layers & QUOTA != 0 { quota::around(call) } else { call.make() };
    let behind_faults = |call: &mut Call| {
        if call.layers & RECORDED != 0 { record::around(call, behind_record) } else { behind_record(call) }
    };
    if call.layers & FAULTY != 0 { faults::around(call, behind_faults) } else { behind_faults(call) }
}

/// What follows a call that ends kernels, or what is traced.
#[cold]
#[inline(never)]
fn after(entry: &'static Entry, layers: u32, code: u32) {
    if layers & ENDS_KERNELS != 0 {
        trace::kernel::after(code);
    }
    if layers & RANGE != 0 {
        trace::range::after(entry);
    }
}
