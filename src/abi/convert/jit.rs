//! The options of compiler and linker: arrays of names and values, through which logs go back.

use crate::abi::ptr::{InMut, InOut, Out};
use crate::abi::types::{
    CU_JIT_CACHE_MODE, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_GLOBAL_SYMBOL_ADDRESSES,
    CU_JIT_GLOBAL_SYMBOL_COUNT, CU_JIT_GLOBAL_SYMBOL_NAMES, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_MAX_REGISTERS, CU_JIT_MIN_CTA_PER_SM, CU_JIT_NEW_SM3X_OPT, CU_JIT_NUM_OPTIONS, CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_REFERENCED_KERNEL_NAMES, CU_JIT_REFERENCED_VARIABLE_NAMES, CU_JIT_SPLIT_COMPILE, CU_JIT_TARGET,
    CU_JIT_WALL_TIME, CUjit_option,
};
use core::ffi::{c_char, c_uint, c_void};
use device::kernel::module::Options;
use error::{Error, Result, refuse, refuse_if};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where a log goes.
#[derive(Clone, Copy, Default)]
struct Log {
    buffer: usize,
    size: usize,
    /// The buffer was named, with or without its size.
    named: bool,
    /// The option whose value becomes the bytes that were written.
    written: Option<usize>,
}

/// The options of a call.
pub struct Jit {
    /// The options that the device uses, and its messages.
    pub options: Options,
    values: InOut<*mut c_void>,
    errors: Log,
    remarks: Log,
    wall_time: Option<usize>,
    begun: std::time::Instant,
}

/// Options of links in progress, by the link's handle. The buffers are the program's: logs are added to as the link goes on.
static LINKS: Mutex<BTreeMap<usize, Arc<Mutex<Jit>>>> = Mutex::new(BTreeMap::new());

/// Keeps the options that a link was created with.
pub fn keep(link: usize, jit: Jit) {
    LINKS.lock().insert(link, Arc::new(Mutex::new(jit)));
}

/// Drops the options: the link is destroyed.
pub fn forget(link: usize) {
    LINKS.lock().remove(&link);
}

/// Runs a step of a link with the options of its creation, and reports its messages.
pub fn in_link<T>(link: usize, step: impl FnOnce(&mut Options) -> Result<T>) -> Result<T> {
    let jit = LINKS
        .lock()
        .get(&link)
        .cloned()
        .ok_or_else(|| refuse!(Error::INVALID_HANDLE, "state {:#x} is not a live link", link))?;
    let mut jit = jit.lock();
    let result = step(&mut jit.options);
    let reported = jit.report();
    let value = result?;
    reported.map(|()| value)
}

impl Jit {
    /// Reads `count` options. Unknown ones are `CUDA_ERROR_INVALID_VALUE`.
    pub fn read(count: c_uint, options: InMut<CUjit_option>, values: InOut<*mut c_void>) -> Result<Jit> {
        let mut jit = Jit {
            options: Options::default(),
            values,
            errors: Log::default(),
            remarks: Log::default(),
            wall_time: None,
            begun: std::time::Instant::now(),
        };
        if count == 0 {
            return Ok(jit);
        }
        refuse_if!(Error::INVALID_VALUE, options.is_null(), "options is NULL");
        refuse_if!(Error::INVALID_VALUE, values.is_null(), "optionValues is NULL");
        let names = options.slice(count as usize)?;
        let given = values.slice(count as usize)?;
        let mut symbols = (false, false, false);
        for (index, (name, value)) in names.into_iter().zip(given).enumerate() {
            let value = value as usize;
            match name {
                CU_JIT_INFO_LOG_BUFFER => (jit.remarks.buffer, jit.remarks.named) = (value, true),
                CU_JIT_ERROR_LOG_BUFFER => (jit.errors.buffer, jit.errors.named) = (value, true),
                CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {
                    (jit.remarks.size, jit.remarks.written) = (value & 0xffff_ffff, Some(index));
                }
                CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {
                    (jit.errors.size, jit.errors.written) = (value & 0xffff_ffff, Some(index));
                }
                CU_JIT_MAX_REGISTERS => {
                    refuse_if!(Error::INVALID_VALUE, value as u32 == 0, "optionValues: CU_JIT_MAX_REGISTERS is 0");
                    jit.options.most_registers = Some(value as u32);
                }
                CU_JIT_TARGET => jit.options.target = Some(target(value as u32)?),
                CU_JIT_CACHE_MODE => {
                    let mode = value as u32;
                    refuse_if!(Error::INVALID_VALUE, mode > 2, "optionValues: CU_JIT_CACHE_MODE is {}", mode);
                }
                CU_JIT_REFERENCED_KERNEL_NAMES | CU_JIT_REFERENCED_VARIABLE_NAMES if value == 0 => {
                    return Err(refuse!(Error::INVALID_VALUE, "optionValues: the value of {:?} is NULL", name));
                }
                CU_JIT_GLOBAL_SYMBOL_NAMES => symbols.0 = true,
                CU_JIT_GLOBAL_SYMBOL_ADDRESSES => symbols.1 = true,
                CU_JIT_GLOBAL_SYMBOL_COUNT => symbols.2 = true,
                // What the real compiler refuses when it runs.
                CU_JIT_NEW_SM3X_OPT => jit.options.refused = Some("CU_JIT_NEW_SM3X_OPT"),
                CU_JIT_OPTIMIZATION_LEVEL if (value as i32) < 0 => {
                    jit.options.refused = Some("CU_JIT_OPTIMIZATION_LEVEL");
                }
                CU_JIT_MIN_CTA_PER_SM if (value as i32) < 0 => jit.options.refused = Some("CU_JIT_MIN_CTA_PER_SM"),
                CU_JIT_SPLIT_COMPILE if (value as i32) < 0 => jit.options.refused = Some("CU_JIT_SPLIT_COMPILE"),
                CU_JIT_WALL_TIME => jit.wall_time = Some(index),
                _ if name.0 >= CU_JIT_NUM_OPTIONS.0 => {
                    return Err(refuse!(Error::INVALID_VALUE, "options has {:?}, which is not a CUjit_option", name));
                }
                _ => {}
            }
        }
        for log in [jit.errors, jit.remarks] {
            let whole = log.buffer != 0 && log.written.is_some();
            let given = log.named || log.written.is_some();
            refuse_if!(Error::INVALID_VALUE, given && !whole, "options has a log without its buffer or its size");
        }
        let none_or_all = matches!(symbols, (false, false, false) | (true, true, true));
        refuse_if!(Error::INVALID_VALUE, !none_or_all, "options has CU_JIT_GLOBAL_SYMBOL_* in part");
        Ok(jit)
    }

    /// Writes the logs and what the values of options become.
    pub fn report(&self) -> Result<()> {
        // A program that has no error log finds the reason in ours.
        if self.errors.buffer == 0
            && !self.options.told
            && let Some(line) = self.options.errors.lines().next()
        {
            settings::log::error!("device code is refused: {line}");
        }
        for (log, text) in [(self.errors, &self.options.errors), (self.remarks, &self.options.remarks)] {
            let mut written = 0;
            if log.buffer != 0 && log.size > 0 && !text.is_empty() {
                Out(log.buffer as *mut c_char).set_string(text.trim_end(), log.size)?;
                written = text.trim_end().len().min(log.size - 1) + 1;
            }
            if let Some(index) = log.written {
                self.values.set_at(index, written as *mut c_void)?;
            }
        }
        if let Some(index) = self.wall_time {
            // A float in the lower half of the value.
            let milliseconds = self.begun.elapsed().as_secs_f32() * 1e3;
            self.values.set_at(index, milliseconds.to_bits() as usize as *mut c_void)?;
        }
        Ok(())
    }
}

/// The architecture that a value of `CU_JIT_TARGET` means.
fn target(value: u32) -> Result<u32> {
    /// What the suffixes `a` and `f` add to a value.
    const SUFFIXES: [u32; 2] = [0x1_0000, 0x2_0000];
    /// No compiler makes code for devices of the first generation any more.
    const FIRST_GENERATION: core::ops::RangeInclusive<u32> = 10..=13;
    /// Greater values name none.
    const MOST: u32 = 121;
    let suffix = SUFFIXES.into_iter().find(|suffix| value & !0xffff == *suffix);
    let number = value - suffix.unwrap_or(0);
    if number > MOST || FIRST_GENERATION.contains(&number) {
        Err(refuse!(Error::INVALID_VALUE, "optionValues: CU_JIT_TARGET {:#x} names no architecture", value))
    } else {
        Ok(number)
    }
}
