//! Looks at a block whose kernel went wrong.

use crate::state::core_dump::{Access, BadAccess, BlockState, FrameState, Plain, RegisterState, WarpState};
use crate::state::frame::{Frame, Slot};
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Program, Warp};
use ptx::{Space, Type};
use std::sync::Arc;

/// The registers of a frame. Functions that were not built for core dumps know no names, and may not have kept all values.
fn registers(program: &Program, frame: &Frame) -> Vec<RegisterState> {
    let Some(code) = program.functions.get(frame.function as usize) else { return Vec::new() };
    let name = |at: usize| {
        let plain = code.plain.as_ref()?;
        let (_, name) = plain.names.iter().find(|&&(register, _)| register as usize == at)?;
        Some(name.to_string())
    };
    let state = |(at, (&ty, &Slot(words))): (usize, (&Type, &Slot))| {
        let narrow = |lane: usize| words[lane / 2] >> (lane % 2 * 32) & 0xffff_ffff;
        let lanes = core::array::from_fn(|lane| match ty {
            Type::Pred => words[0] >> lane & 1,
            _ if ty.bytes() >= 8 => words[lane],
            _ => narrow(lane) & (u64::MAX >> (64 - 8 * ty.bytes().clamp(1, 4))),
        });
        RegisterState { name: name(at).unwrap_or_else(|| format!("register {at}")), ty, lanes }
    };
    code.types.iter().zip(frame.memory.iter()).enumerate().map(state).collect()
}

/// Frames of a part of a warp that stands at a step of the innermost one.
fn frames(program: &Program, all: &[Frame], position: u32) -> Vec<FrameState> {
    let (mut position, mut site) = (Some(position), 0);
    let state = |frame: &Frame| {
        let code = program.functions.get(frame.function as usize)?;
        let called = |plain: &Plain| plain.calls.iter().find(|call| call.0 == site).map(|call| call.1);
        let at = position.take().or_else(|| code.plain.as_deref().and_then(called));
        site = frame.site;
        let line = at.and_then(|at| code.lines.get(at as usize)).copied().unwrap_or(0);
        let source = at.and_then(|at| code.source(at)).map(|(file, line)| (Arc::from(file), line));
        let local = frame.base..frame.base + code.local;
        Some(FrameState { function: code.name.clone(), line, source, registers: registers(program, frame), local })
    };
    all.iter().rev().filter_map(state).collect()
}

/// The access that a warp was at, with the addresses of its lanes.
fn access(warp: &Warp<'_>, around: &Surroundings) -> Option<BadAccess> {
    let (code, frame) = (warp.code(), warp.top()?);
    let plain = code.plain.as_ref()?;
    let access: &Access = plain.accesses.iter().find(|access| access.steps.contains(&warp.position))?;
    let Slot(words) = access.base.and_then(|base| frame.memory.get(base as usize)).copied().unwrap_or(Slot([0; 32]));
    let wide = access.base.is_none_or(|base| code.types.get(base as usize).is_some_and(|ty| ty.bytes() >= 8));
    let addresses: [u64; 32] = core::array::from_fn(|lane| {
        let base = if wide { words[lane] } else { words[lane / 2] >> (lane % 2 * 32) & 0xffff_ffff };
        base.wrapping_add(access.offset)
    });
    let wrong = |&lane: &u32| {
        let address = addresses[lane as usize];
        let there = match access.space {
            Some(Space::Shared) => address.saturating_add(access.bytes) <= around.shared_bytes.into(),
            Some(Space::Local) => address.saturating_add(access.bytes) <= warp.stride,
            _ => warp.may_access(address, access.bytes as usize),
        };
        !there || !address.is_multiple_of(access.bytes.clamp(1, 16).next_power_of_two())
    };
    let lanes = || (0..32).filter(|lane| warp.mask >> lane & 1 != 0);
    let lane = lanes().find(wrong).or_else(|| lanes().next())?;
    let instruction = access.instruction.to_string();
    Some(BadAccess { instruction, space: access.space, bytes: access.bytes, lane, addresses })
}

/// What is in a block now. `running` is the warp that went wrong, if one did.
pub(super) fn block(warps: &[Warp<'_>], around: &Surroundings, running: Option<usize>) -> BlockState {
    let mut state = BlockState {
        index: around.block,
        shared: (around.shared, around.shared_bytes.into()),
        warps: Vec::new(),
        faulty: None,
        access: running.and_then(|at| access(warps.get(at)?, around)),
    };
    for (at, warp) in warps.iter().enumerate() {
        let local: Vec<u64> = (0..32).map(|lane| warp.local_of(lane)).collect();
        let mut part = |active: u32, faulty: u32, frames: Vec<FrameState>| {
            let (index, alive, stride) = (warp.index, warp.alive, warp.stride);
            state.warps.push(WarpState { index, alive, active, faulty, frames, local: local.clone(), stride });
        };
        if running == Some(at) || warp.active != 0 && warp.alive != 0 {
            let faulty = if running == Some(at) { warp.mask } else { 0 };
            part(warp.active, faulty, frames(warp.program(), &warp.frames, warp.position));
            if running == Some(at) {
                state.faulty = Some(state.warps.len() - 1);
            }
        }
        let mut parked = |active: u32, frames: Vec<FrameState>| {
            let (index, alive, stride) = (warp.index, warp.alive, warp.stride);
            state.warps.push(WarpState { index, alive, active, faulty: 0, frames, local: local.clone(), stride });
        };
        for fiber in &warp.parked {
            parked(fiber.active, frames(warp.program(), &fiber.frames, fiber.position));
        }
    }
    state
}
