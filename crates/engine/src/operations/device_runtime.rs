//! The device's runtime: functions that a kernel calls as a host program calls the CUDA runtime's. What they launch, copy
//! and fill is done by [`nested`](crate::running::nested); others ask the device.

use crate::operations::argument::place_of;
use crate::state::device_calls::{Call, code};
use crate::state::nested::{Described, Item, Rows, kernel_at};
use crate::state::program::{CallSite, Passed};
use crate::state::reservation::Reservation;
use crate::state::services::{FunctionFact, Host, Kernel, Question};
use crate::state::warp::{Program, Warp};
use core::ffi::CStr;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// What a device says of the version of its runtime, whatever the host's.
const VERSION: i32 = 6000;

/// Copies that a kernel may ask for: within the device, or wherever the addresses are.
const DEVICE_TO_DEVICE: u32 = 3;
const DEFAULT: u32 = 4;

/// The arguments of a call by a lane.
struct Arguments<'a> {
    warp: &'a Warp<'a>,
    passed: &'a [Passed],
    lane: usize,
}

impl Arguments<'_> {
    /// The bytes of an argument; zeroes behind its end.
    fn bytes<const N: usize>(&self, n: usize) -> [u8; N] {
        let mut bytes = [0; N];
        if let Some(passed) = self.passed.get(n) {
            // SAFETY: a place of the current frame with that many bytes.
            unsafe {
                let from = place_of(self.warp, passed.place, self.lane) as *const u8;
                core::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), passed.size.min(N));
            }
        }
        bytes
    }

    fn word(&self, n: usize) -> u32 {
        u32::from_le_bytes(self.bytes(n))
    }

    fn long(&self, n: usize) -> u64 {
        u64::from_le_bytes(self.bytes(n))
    }

    /// Numbers of a structure.
    fn longs<const N: usize>(&self, n: usize) -> [u64; N] {
        longs(&self.bytes::<32>(n))
    }

    fn shape(&self, n: usize) -> [u32; 3] {
        let bytes: [u8; 12] = self.bytes(n);
        core::array::from_fn(|i| {
            u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
        })
    }
}

fn longs<const N: usize>(bytes: &[u8]) -> [u64; N] {
    core::array::from_fn(|i| {
        let bytes = bytes.get(8 * i..8 * i + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    })
}

/// Writes to an address of the kernel's.
fn write(warp: &Warp, to: u64, bytes: &[u8]) -> Result<(), u32> {
    if !warp.may_access(to, bytes.len()) {
        return Err(code::INVALID_VALUE);
    }
    guard::write(to as usize, guard::bytes(bytes)).map_err(|_| code::INVALID_VALUE)
}

/// Texts that kernels were given.
static TEXTS: Mutex<BTreeMap<&CStr, Reservation>> = Mutex::new(BTreeMap::new());

/// Whether bytes belong to one of them.
pub fn is_text(address: u64, bytes: u64) -> bool {
    let holds = |(text, reservation): (&&CStr, &Reservation)| {
        let offset = address.wrapping_sub(reservation.start());
        let size = text.count_bytes() as u64 + 1;
        offset < size && bytes <= size - offset
    };
    TEXTS.lock().iter().any(holds)
}

/// The address of a text where kernels can read it; 0 when there is no memory.
fn in_reach(host: &'static dyn Host, text: &'static CStr) -> u64 {
    let mut texts = TEXTS.lock();
    if let Some(reservation) = texts.get(text) {
        return reservation.start();
    }
    let Some(reservation) = Reservation::of(host, text.to_bytes_with_nul()) else { return 0 };
    texts.entry(text).or_insert(reservation).start()
}

/// The kernel at an address, for a question.
fn asked(program: &Program, address: u64) -> Result<Kernel, u32> {
    let (number, _) = kernel_at(program, address)?;
    Ok(Kernel { program: core::ptr::from_ref(program).addr(), number })
}

fn direction(kind: u32) -> Result<(), u32> {
    if matches!(kind, DEVICE_TO_DEVICE | DEFAULT) { Ok(()) } else { Err(code::INVALID_DIRECTION) }
}

/// A call by a lane, and its result.
pub fn call(warp: &Warp, what: Call, site: &CallSite, lane: usize) -> u64 {
    // SAFETY: a warp that runs has surroundings, and the launch keeps what they point to.
    let (nested, host) = unsafe { (&*(*warp.around).nested, (*warp.around).host) };
    let thread = (warp as *const Warp as u64, lane as u32);
    let arguments = Arguments { warp, passed: &site.arguments, lane };
    let text = |code: u32| runtime_errors::find(code as i32);
    match what {
        Call::LastError => return nested.take_error(thread).into(),
        Call::PeekError => return nested.error(thread).into(),
        Call::ErrorName => {
            return in_reach(host, text(arguments.word(0)).map_or(runtime_errors::UNRECOGNIZED, |row| row.name));
        }
        Call::ErrorText => {
            return in_reach(host, text(arguments.word(0)).map_or(runtime_errors::UNRECOGNIZED, |row| row.text));
        }
        _ => {}
    }
    let error = match perform(warp, what, &arguments) {
        Ok(result) => return result,
        Err(error) => error,
    };
    // A limit that is none is no error of the thread's.
    if what != Call::Limit {
        nested.remember(thread, error);
    }
    match what {
        Call::Parameters | Call::PlainParameters => 0,
        _ => error.into(),
    }
}

/// A call that can fail. The result is an address or 0, success.
fn perform(warp: &Warp, what: Call, arguments: &Arguments<'_>) -> Result<u64, u32> {
    // SAFETY: as above.
    let (around, nested, services) = unsafe { (&*warp.around, &*(*warp.around).nested, &*(*warp.around).services) };
    let program = warp.program();
    let int = |value: i32| write(warp, arguments.long(0), &value.to_le_bytes());
    let described = |function: usize, grid: usize| Described {
        function: arguments.long(function),
        grid: arguments.shape(grid),
        block: arguments.shape(grid + 1),
        shared: arguments.word(grid + 2),
    };
    match what {
        Call::Parameters => return nested.parameters(program, described(0, 1)),
        Call::PlainParameters => return nested.plain_parameters(arguments.long(1)),
        Call::Launch => nested.launch(program, arguments.long(0), None, arguments.long(1), around.depth)?,
        Call::PlainLaunch => {
            nested.launch(program, arguments.long(1), Some(described(0, 2)), arguments.long(5), around.depth)?;
        }
        Call::Create => write(warp, arguments.long(0), &nested.handle().to_le_bytes())?,
        Call::Copy => {
            direction(arguments.word(3))?;
            let rows = |n| Rows { base: arguments.long(n), ..Rows::default() };
            nested.behind(Item::Copy { to: rows(0), from: rows(1), extent: [arguments.long(2), 1, 1] });
        }
        Call::CopyRows => {
            let rows = |n| Rows { base: arguments.long(n), pitch: arguments.long(n + 1), slice: 0 };
            let (to, from, width) = (rows(0), rows(2), arguments.long(4));
            direction(arguments.word(6))?;
            if to.pitch < width || from.pitch < width {
                return Err(code::INVALID_PITCH);
            }
            nested.behind(Item::Copy { to, from, extent: [width, arguments.long(5), 1] });
        }
        Call::CopyBox => nested.behind(copied_box(warp, arguments.long(0))?),
        Call::Fill => {
            let to = Rows { base: arguments.long(0), ..Rows::default() };
            nested.behind(Item::Fill { to, value: arguments.word(1) as u8, extent: [arguments.long(2), 1, 1] });
        }
        Call::FillRows => {
            let to = Rows { base: arguments.long(0), pitch: arguments.long(1), slice: 0 };
            let extent = [arguments.long(3), arguments.long(4), 1];
            if to.pitch < extent[0] {
                return Err(code::INVALID_VALUE);
            }
            nested.behind(Item::Fill { to, value: arguments.word(2) as u8, extent });
        }
        Call::FillBox => {
            let [base, pitch, _, height] = arguments.longs(0);
            let to = Rows { base, pitch, slice: pitch.wrapping_mul(height) };
            nested.behind(Item::Fill { to, value: arguments.word(1) as u8, extent: arguments.longs(2) });
        }
        Call::Allocate => match services.allocate(arguments.long(1)) {
            0 => return Err(code::MEMORY_ALLOCATION),
            address => write(warp, arguments.long(0), &address.to_le_bytes())?,
        },
        Call::Free if services.free(arguments.long(0)) => {}
        Call::Free => return Err(code::INVALID_VALUE),
        Call::Version => int(VERSION)?,
        Call::Devices => int(services.answer(Question::Devices)? as i32)?,
        Call::Device => int(services.answer(Question::Device)? as i32)?,
        Call::Attribute => {
            let (number, device) = (arguments.word(1), arguments.word(2));
            int(services.answer(Question::Attribute { number, device })? as i32)?;
        }
        Call::Limit => {
            let value = services.answer(Question::Limit(arguments.word(1)));
            if matches!(value, Ok(_) | Err(code::UNSUPPORTED_LIMIT)) {
                write(warp, arguments.long(0), &value.unwrap_or(-1).to_le_bytes())?;
            }
            value?;
        }
        Call::CacheConfig => int(services.answer(Question::CacheConfig)? as i32)?,
        // Banks of four bytes are all there are.
        Call::BankConfig => int(0)?,
        Call::Function => {
            let kernel = asked(program, arguments.long(1))?;
            let answer = |fact| services.answer(Question::Function { kernel, fact });
            write(warp, arguments.long(0), &function_attributes(answer)?)?;
        }
        Call::Occupancy => {
            let kernel = asked(program, arguments.long(1))?;
            let (threads, dynamic) = (arguments.word(2), arguments.long(3));
            let blocks = match threads as i32 {
                1.. => services.answer(Question::Blocks { kernel, threads, dynamic }),
                _ => Err(code::INVALID_VALUE),
            };
            int(blocks.unwrap_or(0) as i32)?;
            blocks?;
        }
        Call::Ignore | Call::LastError | Call::PeekError | Call::ErrorName | Call::ErrorText => {}
    }
    Ok(0)
}

/// A copy that a `cudaMemcpy3DParms` describes. A kernel cannot copy arrays.
fn copied_box(warp: &Warp, description: u64) -> Result<Item, u32> {
    if !warp.may_access(description, 160) {
        return Err(code::INVALID_VALUE);
    }
    let bytes = guard::read_vec(description as usize, 160).map_err(|_| code::INVALID_VALUE)?;
    let words: [u64; 20] = longs(&bytes);
    let side = |array: usize| -> Result<Rows, u32> {
        let [x, y, z, base, pitch, _, height] = core::array::from_fn(|i| words[array + 1 + i]);
        if words[array] != 0 {
            return Err(code::INVALID_VALUE);
        }
        let slice = pitch.wrapping_mul(height);
        let first = z.wrapping_mul(slice).wrapping_add(y.wrapping_mul(pitch)).wrapping_add(x);
        Ok(Rows { base: base.wrapping_add(first), pitch, slice })
    };
    let (from, to) = (side(0)?, side(8)?);
    direction(words[19] as u32)?;
    let extent = [words[16], words[17], words[18]];
    if from.pitch < extent[0] || to.pitch < extent[0] {
        return Err(code::INVALID_PITCH);
    }
    Ok(Item::Copy { to, from, extent })
}

/// A `cudaFuncAttributes`: three sizes, then numbers.
fn function_attributes(answer: impl Fn(FunctionFact) -> Result<i64, u32>) -> Result<Vec<u8>, u32> {
    use FunctionFact::*;
    let mut bytes = Vec::new();
    for fact in [SharedBytes, ConstantBytes, LocalBytes] {
        bytes.extend(answer(fact)?.to_le_bytes());
    }
    for fact in [MaxThreads, Registers, PtxVersion, BinaryVersion, CacheMode, MaxDynamicShared, Carveout] {
        bytes.extend((answer(fact)? as i32).to_le_bytes());
    }
    Ok(bytes)
}
