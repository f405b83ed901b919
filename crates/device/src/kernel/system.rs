//! What a context does for its kernels.

use crate::array::reference::Bindings;
use crate::base::attribute::DeviceAttribute;
use crate::base::{checking, limit};
use crate::kernel::function::{FUNCTIONS, Function};
use crate::kernel::heap::Heap;
use crate::kernel::occupancy;
use crate::kernel::output::Output;
use crate::kernel::settings::FunctionAttribute;
use crate::kernel::{condition, core_dump, graph_launch};
use crate::memory::{mapping, multicast, space};
use crate::space::Space;
use crate::stream::Attachment;
use crate::stream::context::{CONTEXTS, Context};
use core::ops::Range;
use engine::state::check::Checker;
use engine::state::core_dump::CoreState;
use engine::state::grid::Thread;
use engine::state::program::Uses;
use engine::state::services::{AddressRange, Assertion, FunctionFact, Images, Kernel, Multicast, Question, Services};
use error::Error;
use guard::state;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock, Weak};

/// Serves the kernels of a context.
#[derive(Default)]
pub struct KernelSystem {
    /// The context.
    pub context: Weak<Context>,
    /// What they print.
    pub output: Output,
    /// What they allocate.
    pub heap: Heap,
    /// The range of nearly all memory that they may access.
    whole: OnceLock<AddressRange>,
    /// A kernel that prints was launched.
    pub prints: AtomicBool,
    /// A kernel that allocates was launched.
    pub allocates: AtomicBool,
}

impl Attachment for KernelSystem {
    fn is_fixed(&self, limit: u32) -> bool {
        match limit {
            limit::PRINTF_FIFO_SIZE => self.prints.load(Ordering::Relaxed),
            limit::MALLOC_HEAP_SIZE => self.allocates.load(Ordering::Relaxed),
            _ => false,
        }
    }

    fn end(&self) {
        self.output.flush();
        self.heap.clear();
    }
}

impl KernelSystem {
    /// What its kernels may access, multicast addresses among it.
    fn whole(&self) -> AddressRange {
        *self.whole.get_or_init(|| {
            let pageable = self.context.upgrade().is_some_and(|context| context.device.reaches_pageable());
            match space().map(Space::whole) {
                Ok(all) if !pageable => range(all),
                // Without a range there is no device memory and no launch.
                _ => AddressRange::ALL,
            }
        })
    }

    /// The system of a context, once a kernel was launched there.
    pub fn of(context: &Context) -> Option<Arc<KernelSystem>> {
        let part: Arc<dyn Any + Send + Sync> = context.kernels.get()?.clone();
        part.downcast().ok()
    }

    /// The system of a context.
    pub fn for_launch(context: &Arc<Context>) -> Arc<KernelSystem> {
        let make = || Arc::new(KernelSystem { context: Arc::downgrade(context), ..KernelSystem::default() });
        context.kernels.get_or_init(|| make());
        // No other code makes parts.
        KernelSystem::of(context).unwrap_or_else(make)
    }

    /// Notes what a kernel uses that is launched.
    pub fn note(&self, uses: Uses) {
        if uses.prints {
            self.prints.store(true, Ordering::Relaxed);
        }
        if uses.allocates {
            self.allocates.store(true, Ordering::Relaxed);
        }
    }

    fn limit(&self, number: u32) -> u64 {
        self.context.upgrade().and_then(|c| c.limit(number).ok()).unwrap_or(0)
    }
}

impl Services for KernelSystem {
    fn print(&self, format: u64, arguments: u64) -> Option<i32> {
        write_output_at_exit();
        self.output.print(self, format, arguments, self.limit(limit::PRINTF_FIFO_SIZE))
    }

    fn assertion(&self, thread: Thread, assertion: Assertion) {
        write_output_at_exit();
        self.output.assertion(self, thread, assertion);
    }

    fn allocate(&self, bytes: u64) -> u64 {
        self.heap.allocate(bytes, self.limit(limit::MALLOC_HEAP_SIZE))
    }

    fn free(&self, address: u64) -> bool {
        self.heap.free(address)
    }

    fn set_condition(&self, handle: u64, value: u32) -> bool {
        condition::set(handle, &self.context, value)
    }

    fn graph(&self) -> u64 {
        graph_launch::current() as u64
    }

    fn launch_graph(&self, running: u64, graph: u64, stream: u64) -> u32 {
        match graph_launch::ask(&self.context, running as usize, graph as usize, stream) {
            Ok(()) => 0,
            Err(error) => error.code(),
        }
    }

    fn checker(&self) -> Option<&dyn Checker> {
        checking::memory().then_some(self)
    }

    fn wants_core(&self) -> bool {
        self.context.upgrade().is_some_and(|context| core_dump::is_wanted(&context))
    }

    fn core(&self, core: &CoreState<'_>) {
        if let Some(context) = self.context.upgrade() {
            core_dump::leave(&context, core);
        }
    }

    fn is_interrupted(&self) -> bool {
        crate::base::core_dump::is_asked_for() && self.wants_core()
    }

    fn images(&self) -> &(dyn Images + 'static) {
        static NONE: Bindings = Bindings::NONE;
        &NONE
    }

    fn accessible(&self) -> AddressRange {
        let whole = self.whole();
        if !mapping::any_multicast() {
            return whole;
        }
        // Of multicast addresses each access is looked at, and of little else.
        let wanted = space().map_or(0..0, Space::whole);
        mapping::apart_from_multicast(&addresses(whole), &wanted).map_or(whole, range)
    }

    fn accessible_at(&self, address: u64) -> AddressRange {
        /// Registered memory can be accessed up to the ends of its pages.
        const PAGE: usize = 4096;
        let around = |base: usize, size: usize| range(base & !(PAGE - 1)..(base + size).next_multiple_of(PAGE));
        let outside = || space().ok().and_then(|space| space.with_outside(address as usize, PAGE, around));
        let found = match self.whole() {
            whole if whole.holds(address, 1) => Some(whole),
            _ => outside(),
        };
        let found = found.unwrap_or(AddressRange::NOTHING);
        if !mapping::any_multicast() {
            return found;
        }
        mapping::beside_multicast(&addresses(found), address as usize).map_or(AddressRange::NOTHING, range)
    }

    fn multicast(&self, address: u64, writes: bool) -> Option<Multicast> {
        let ordinal = self.context.upgrade()?.device.ordinal;
        let (start, view) = multicast::view(address as usize, Some(ordinal), writes)?;
        let range = AddressRange { start: start as u64, bytes: view.size as u64 };
        Some(Multicast { range, replicas: view.replicas.clone(), held: view.held.clone() })
    }

    fn answer(&self, question: Question) -> Result<i64, u32> {
        let context = self.context.upgrade().ok_or(Error::CONTEXT_IS_DESTROYED);
        // The codes of the runtime that a kernel can see are those of the driver.
        context.and_then(|context| answer(&context, question)).map_err(Error::code)
    }
}

fn addresses(range: AddressRange) -> Range<usize> {
    range.start as usize..range.start.saturating_add(range.bytes) as usize
}

fn range(addresses: Range<usize>) -> AddressRange {
    AddressRange { start: addresses.start as u64, bytes: addresses.len() as u64 }
}

/// Writes what kernels have printed. To be called whenever the program has waited for work.
#[inline]
pub fn write_output() {
    if state::PROCESS.printed.load(Ordering::Relaxed) && state::PROCESS.printed.swap(false, Ordering::AcqRel) {
        CONTEXTS.all().iter().for_each(|context| {
            if let Some(system) = KernelSystem::of(context) {
                system.output.flush();
            }
        });
    }
}

extern "C" fn at_exit() {
    write_output();
}

/// A device's output appears some time after the kernel has ended, even if the program never waits for it.
fn write_output_at_exit() {
    static ONCE: Once = Once::new();
    // SAFETY: registers a function that can be called at any time.
    ONCE.call_once(|| _ = unsafe { libc::atexit(at_exit) });
}

/// Answers a question of a context's kernels.
fn answer(context: &Context, question: Question) -> error::Result<i64> {
    let function = |kernel: Kernel| {
        let all = FUNCTIONS.all();
        let mine = |f: &&Arc<Function>| Arc::as_ptr(&f.program).addr() == kernel.program && f.kernel == kernel.number;
        all.iter().find(mine).cloned().ok_or(Error::INVALID_HANDLE)
    };
    Ok(match question {
        Question::Device => context.device.ordinal.into(),
        Question::Devices => crate::base::devices::devices().len() as i64,
        Question::Attribute { number, device } => {
            let device = crate::base::devices::device(device as i32)?;
            device.attribute(DeviceAttribute(number)).ok_or(Error::INVALID_VALUE)?.into()
        }
        Question::Limit(number) => context.limit(number)? as i64,
        Question::CacheConfig => context.settings.lock().cache.into(),
        Question::Function { kernel, fact } => {
            let which = match fact {
                FunctionFact::SharedBytes => FunctionAttribute::SHARED_BYTES,
                FunctionFact::ConstantBytes => FunctionAttribute::CONSTANT_BYTES,
                FunctionFact::LocalBytes => FunctionAttribute::LOCAL_BYTES,
                FunctionFact::MaxThreads => FunctionAttribute::MAX_THREADS,
                FunctionFact::Registers => FunctionAttribute::REGISTERS,
                FunctionFact::PtxVersion => FunctionAttribute::PTX_VERSION,
                FunctionFact::BinaryVersion => FunctionAttribute::BINARY_VERSION,
                FunctionFact::CacheMode => FunctionAttribute::CACHE_MODE,
                FunctionFact::MaxDynamicShared => FunctionAttribute::MAX_DYNAMIC_SHARED,
                FunctionFact::Carveout => FunctionAttribute::CARVEOUT,
            };
            function(kernel)?.attribute(which)?.into()
        }
        Question::Blocks { kernel, threads, dynamic } => {
            occupancy::resident(&*function(kernel)?, &context.device, threads, dynamic).into()
        }
    })
}
