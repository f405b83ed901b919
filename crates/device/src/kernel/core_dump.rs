//! Core dumps of kernels: what is put into the file, and where it goes.

use crate::base::core_dump;
use crate::base::core_dump::{Moment, Settings, flag};
use crate::kernel::fault::error_of;
use crate::memory::{Allocation, MemoryKind, space};
use crate::stream::context::Context;
use crate::stream::thread_state;
use core::fmt::Write as _;
use core::mem::MaybeUninit;
use dump::Section;
use engine::state::core_dump::{CoreState, FrameState, WarpState};
use ptx::{Space, Type};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// Bytes of one piece of memory that go into a dump.
const MOST: u64 = 1 << 30;

/// Memory as far as it can be read.
fn memory(at: u64, bytes: u64) -> Vec<u8> {
    let mut copy = Vec::new();
    let bytes = bytes.min(MOST) as usize;
    if copy.try_reserve_exact(bytes).is_err() {
        return Vec::new();
    }
    let spare: &mut [MaybeUninit<u8>] = &mut copy.spare_capacity_mut()[..bytes];
    if guard::read(spare, at as usize).is_ok() {
        // SAFETY: all of them were written.
        unsafe { copy.set_len(bytes) };
    }
    copy
}

fn space_name(space: Option<Space>) -> &'static str {
    match space {
        Some(Space::Global) => "global",
        Some(Space::Shared) => "shared",
        Some(Space::Local) => "local",
        Some(Space::Constant) => "constant",
        Some(Space::Parameter) => "parameter",
        _ => "generic",
    }
}

fn type_name(ty: Type) -> String {
    format!("{ty:?}").to_lowercase()
}

/// Threads of a warp, by lane.
fn lanes(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |lane| mask >> lane & 1 != 0)
}

fn frame(text: &mut String, warp: &WarpState, frame: &FrameState) {
    let _ = write!(
        text,
        "frame\t{}\tline\t{}\tlocal\t{}\t{}",
        frame.function, frame.line, frame.local.start, frame.local.end
    );
    if let Some((file, line)) = &frame.source {
        let _ = write!(text, "\tsource\t{file}\t{line}");
    }
    text.push('\n');
    for register in &frame.registers {
        let _ = write!(text, "register\t{}\t{}", register.name, type_name(register.ty));
        let of = |lane: u32| register.lanes[lane as usize];
        let mut live = lanes(warp.active).map(of);
        let first = live.next().unwrap_or(0);
        if live.all(|value| value == first) {
            // The same for all.
            let _ = write!(text, "\t{first:#x}");
        } else {
            (0..32).for_each(|lane| _ = write!(text, "\t{:#x}", of(lane)));
        }
        text.push('\n');
    }
}

/// What happened, as lines.
fn describe(context: &Context, core: &CoreState<'_>) -> String {
    let mut text = format!("core\t{}\n", dump::VERSION);
    let program = std::env::current_exe().map_or(String::new(), |path| path.display().to_string());
    let _ = writeln!(text, "process\t{}\t{program}", std::process::id());
    let device = &context.device;
    let _ = writeln!(text, "device\t{}\t{}", device.ordinal, device.profile.name);
    let _ = writeln!(text, "context\t{:#x}", context.handle);
    let error = error_of(core.failure.fault);
    let _ = writeln!(text, "fault\t{:?}\t{}\t{}", core.failure.fault, error.code(), error.name().unwrap_or(""));
    let three = |[x, y, z]: [u32; 3]| format!("{x}\t{y}\t{z}");
    let _ = writeln!(text, "kernel\t{}\tgrid\t{}", core.kernel, core.grid_id);
    let _ = writeln!(text, "blocks\t{}", three(core.shape.grid));
    let _ = writeln!(text, "threads\t{}", three(core.shape.block));
    let block = &core.block;
    let _ = writeln!(text, "block\t{}", three(block.index));
    let _ = writeln!(text, "line\t{}", core.failure.line);
    let _ = writeln!(text, "shared\t{:#x}\t{}\t{}", block.shared.0, block.shared.1, core.dynamic_shared);
    let _ = writeln!(text, "parameters\t{}", core.parameter_bytes);
    let [x, y, _] = core.shape.block;
    let thread = |warp: &WarpState, lane: u32| {
        let number = warp.index * 32 + lane;
        format!("{}\t{}\t{}", number % x, number / x % y, number / (x * y))
    };
    if let (Some(access), Some(warp)) = (&block.access, block.faulty.and_then(|at| block.warps.get(at))) {
        let _ = writeln!(
            text,
            "access\t{}\t{}\t{}\t{:#x}\tthread\t{}",
            access.instruction,
            space_name(access.space),
            access.bytes,
            access.addresses[access.lane as usize],
            thread(warp, access.lane)
        );
        for lane in lanes(warp.faulty) {
            let _ = writeln!(text, "address\t{}\t{:#x}", lane, access.addresses[lane as usize]);
        }
    } else if let Some(warp) = block.faulty.and_then(|at| block.warps.get(at)) {
        let _ = writeln!(text, "thread\t{}", thread(warp, warp.faulty.trailing_zeros().min(31)));
    }
    for (at, warp) in block.warps.iter().enumerate() {
        let _ = writeln!(
            text,
            "warp\t{}\talive\t{:#010x}\tactive\t{:#010x}\tfaulty\t{:#010x}{}",
            warp.index,
            warp.alive,
            warp.active,
            warp.faulty,
            if block.faulty == Some(at) { "\there" } else { "" }
        );
        warp.frames.iter().for_each(|f| frame(&mut text, warp, f));
    }
    text
}

/// The sections of a dump.
fn sections(context: &Context, settings: &Settings, core: &CoreState<'_>, text: String) -> Vec<Section> {
    let section = |name: &str, address: u64, bytes: Vec<u8>| Section { name: name.to_owned(), address, bytes };
    let mut all = vec![section(dump::CORE, 0, text.into_bytes())];
    if let Some(text) = core.text {
        all.push(section(dump::PTX, 0, text.as_bytes().to_vec()));
    }
    let mut parameters: Vec<u8> = core.parameters.iter().flat_map(|word| word.to_le_bytes()).collect();
    parameters.truncate(core.parameter_bytes);
    all.push(section(dump::PARAMETERS, 0, parameters));
    // A lightweight dump of ours has the memory of the block that went wrong: it is small, and says most.
    let skips = |bit: u32| settings.flags & bit != 0 && !settings.is_light();
    let (shared, bytes) = core.block.shared;
    if !skips(flag::SKIP_SHARED) {
        all.push(section(dump::SHARED, shared, memory(shared, bytes)));
    }
    if let Some(warp) = core.block.faulty.and_then(|at| core.block.warps.get(at)) {
        let end = warp.frames.iter().map(|frame| frame.local.end).max().unwrap_or(0).min(warp.stride);
        for lane in lanes(warp.active) {
            let at = warp.local.get(lane as usize).copied().unwrap_or(0);
            if end > 0 && at != 0 && !skips(flag::SKIP_LOCAL) {
                all.push(section(dump::LOCAL, at, memory(at, end)));
            }
        }
    }
    if settings.flags & flag::SKIP_GLOBAL == 0 && !settings.is_light() {
        let device = |a: &Allocation| {
            let kinds =
                matches!(a.kind, MemoryKind::Device | MemoryKind::Managed(_) | MemoryKind::Pool | MemoryKind::Mapped);
            kinds && Arc::ptr_eq(&a.device, &context.device)
        };
        let mut left: Vec<Arc<Allocation>> = space().map_or(Vec::new(), |space| space.collect(device));
        left.sort_by_key(|a| a.base);
        // The table of sections counts to 65535.
        left.truncate(60_000);
        all.extend(left.iter().map(|a| section(dump::GLOBAL, a.base as u64, memory(a.base as u64, a.size as u64))));
    }
    all
}

/// Whether a kernel of a context that goes wrong leaves a dump: then kernels are built for that.
pub fn is_wanted(context: &Context) -> bool {
    let core = &context.settings.lock().core;
    core.enabled != 0
}

/// Writes the dump of a kernel that went wrong, or that the user wants to look into. Ends the process.
#[cold]
pub fn leave(context: &Context, core: &CoreState<'_>) {
    let settings = context.settings.lock().core.clone();
    // A callback that waited for this kernel would wait for ever.
    let tell = |moment| thread_state::in_callback(|| core_dump::tell(moment, context.device.ordinal));
    tell(Moment::Start);
    let path = settings.path();
    let text = describe(context, core);
    let file = dump::write(&sections(context, &settings, core, text));
    core_dump::put(Path::new(OsStr::from_bytes(&path)), &format!("kernel {}", core.kernel), &file);
    tell(Moment::End);
    core_dump::is_given();
    core_dump::end_process(&settings);
}
