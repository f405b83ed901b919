//! Launches: a kernel with its parameters, as work of a stream.

pub mod multi_device;

use crate::array::reference::Bindings;
use crate::base::attribute::DeviceAttribute;
use crate::base::bounds::{LARGEST_CLUSTER, MOST_PARAMETER_BYTES};
use crate::base::devices::Device;
use crate::base::usage::Usage;
use crate::base::{checking, limit, trace};
use crate::kernel::fault::error_of;
use crate::kernel::function::Function;
use crate::kernel::host::Process;
use crate::kernel::occupancy;
use crate::kernel::occupancy::blocks_of;
use crate::kernel::settings::FunctionSettings;
use crate::kernel::system::KernelSystem;
pub use crate::stream::capture::Signal;
use crate::stream::context::{Context, Share};
use crate::stream::event;
use crate::stream::event::Event;
use crate::stream::executor;
use crate::stream::{AccessPolicyWindow, Activity, Command, Stream, Work};
use engine::running::launch::Launch;
use engine::state::fault::Failure;
use engine::state::fault::Fault;
use engine::state::grid::LaunchShape;
use error::{Error, Result, refuse, refuse_if};
use node::Load;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// Called when a kernel has failed: its name, where it was launched, the fault and the line of its text, the errors before it.
pub type Stopped = fn(&str, &Option<Arc<trace::Trace>>, (Fault, u32), u64);

/// The memory checker, as launches know it.
pub struct Checker {
    /// A kernel has failed.
    pub stopped: Stopped,
    /// Errors found so far.
    pub errors: fn() -> u64,
}

static CHECKER: OnceLock<Checker> = OnceLock::new();

/// Installs the checker. The first one stays.
pub fn install(checker: Checker) {
    let _ = CHECKER.set(checker);
}

/// Some launch shall fail on purpose.
static FAILING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// What the thread's next kernel shall end with.
    static NEXT_FAILS: Cell<Option<Error>> = const { Cell::new(None) };
}

/// Does something during which the first kernel that is launched fails with an error on the device, as if its first instruction
/// had gone wrong. Says whether there was one.
pub fn failing<R>(error: Error, work: impl FnOnce() -> R) -> (R, bool) {
    FAILING.store(true, Ordering::Relaxed);
    NEXT_FAILS.set(Some(error));
    let result = work();
    (result, NEXT_FAILS.take().is_none())
}

/// What a kernel that is launched now shall end with.
fn fails() -> Option<Error> {
    if FAILING.load(Ordering::Relaxed) { NEXT_FAILS.take() } else { None }
}

/// A kernel that was launched.
pub struct Kernel {
    /// What runs.
    pub launch: Launch,
    /// The function.
    pub function: Arc<Function>,
    /// The handle that the program named it by, a function's or a library's kernel's.
    pub named: usize,
    /// What was asked for.
    pub request: LaunchRequest,
    /// The parameters came as one piece.
    packed: bool,
    /// What a graph's node shows of the parameters.
    shown: OnceLock<Box<[usize]>>,
    /// Where the program launched it, if the memory checker is on.
    made: Option<Arc<trace::Trace>>,
    /// What is kept of how busy its device is.
    usage: &'static Usage,
    /// The green context whose multiprocessors it runs on.
    pub share: Option<Arc<Share>>,
    /// What it ends with, on purpose, before it has done anything.
    fails: Option<Error>,
}

impl Kernel {
    /// A launch of a function in its context, checked, with the parameters as they are now, on the multiprocessors of a green
    /// context or on all.
    pub fn prepare(
        context: &Arc<Context>,
        named: usize,
        function: Arc<Function>,
        asked: LaunchRequest,
        arguments: Arguments,
        share: Option<Arc<Share>>,
    ) -> Result<Arc<Kernel>> {
        let request = LaunchRequest { shape: shape(&function, asked.shape), ..asked };
        let places = multiprocessors(context, share.as_deref());
        let cluster = check(context, &function, &request, places)?;
        if !function.code().runs() {
            return Err(refuse!(Error::NOT_SUPPORTED, "f: the kernel has instructions that are not implemented"));
        }
        let system = KernelSystem::for_launch(context);
        system.note(function.code().uses);
        let packed = matches!(arguments, Arguments::Packed(..));
        // A single block, which launches no others, asks for no room beside it.
        let alone = request.shape.blocks() == 1 && !function.program.uses(function.kernel).launches;
        let launch = Launch {
            program: function.program.clone(),
            kernel: function.kernel,
            shape: request.shape,
            cluster,
            parameters: gather(&function, arguments)?,
            dynamic_shared: request.dynamic_shared,
            cooperative: request.cooperative,
            resident: if alone { 1 } else { resident(context, &function, &request, places) },
            stack_limit: context.limit(limit::STACK_SIZE).unwrap_or(limit::DEFAULT_STACK),
            cores: context.device.count(DeviceAttribute::MULTIPROCESSOR_COUNT).max(1),
            places: share.as_ref().map(|share| share.numbers.clone()),
            limit: kernel_limit(),
            services: system,
            images: match function.common.references.as_slice() {
                [] => None,
                references => Some(Arc::new(Bindings::of(references))),
            },
            host: &Process,
            depth: 0,
        };
        let (shown, made, usage) = (OnceLock::new(), trace::here(), context.device.usage);
        let fails = fails();
        Ok(Arc::new(Kernel { launch, function, named, request: asked, packed, shown, made, usage, share, fails }))
    }

    /// The same launch with another request.
    pub fn with(&self, request: LaunchRequest) -> Result<Arc<Kernel>> {
        let context = self.function.owner()?;
        Kernel::prepare(&context, self.named, self.function.clone(), request, self.arguments(), self.share.clone())
    }

    /// Its parameters, as the program gave them: as an array of addresses, or as one piece and its size. They stay as long
    /// as the kernel does.
    pub fn arguments(&self) -> Arguments {
        let base = self.launch.parameters.as_ptr() as usize;
        let code = self.function.code();
        if self.packed {
            return Arguments::Packed(base, code.parameter_bytes);
        }
        let list = self.shown.get_or_init(|| code.parameters.iter().map(|p| base + p.offset).collect());
        Arguments::Pointers(list.as_ptr() as usize)
    }

    /// An array that stays as long as the kernel does: what the interface calls extra parameters.
    pub fn extra(&self, names: [usize; 2], end: usize) -> usize {
        let (base, bytes) = (self.launch.parameters.as_ptr() as usize, self.function.code().parameter_bytes);
        let list = self.shown.get_or_init(|| {
            let mut list = vec![names[0], base, names[1], 0, end, bytes].into_boxed_slice();
            list[3] = &raw const list[5] as usize;
            list
        });
        list.as_ptr() as usize
    }

    /// Runs it.
    pub fn run(&self) -> Result<()> {
        if let Some(error) = self.fails {
            return Err(error);
        }
        let checker = if checking::memory() { CHECKER.get() } else { None };
        let before = checker.map_or(0, |checker| (checker.errors)());
        let run = || self.usage.busy(Load::Kernels, || self.launch.run());
        // What it waits for may be the kernel of another stream, or device.
        let waits = self.launch.program.uses(self.launch.kernel).waits;
        let done = if waits { executor::waiting(run) } else { run() };
        done.map_err(|Failure { fault, line }| {
            if let Some(checker) = checker {
                (checker.stopped)(self.function.name(), &self.made, (fault, line), before);
            } else {
                settings::log::error!("kernel {}: {fault:?} in line {line} of its PTX", self.function.name());
            }
            error_of(fault)
        })
    }
}

impl Command for Kernel {
    fn run(&self) -> Result<()> {
        Kernel::run(self)
    }

    fn activity(&self) -> Option<Activity<'_>> {
        let shape = &self.launch.shape;
        Some(Activity::Kernel(self.function.name(), shape.grid, shape.block))
    }

    /// A kernel may wait for something that the calling thread has still to do.
    fn is_prompt(&self) -> bool {
        self.launch.is_brief()
    }

    fn is_brief(&self) -> bool {
        false
    }
}

/// Milliseconds that a kernel may run; 0 for no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Sets how long kernels of this process may run.
pub fn set_kernel_limit(limit: Duration) {
    LIMIT.store(limit.as_millis().clamp(1, u64::MAX.into()) as u64, Ordering::Relaxed);
}

/// How long kernels of this process may run.
pub fn kernel_limit() -> Option<Duration> {
    match LIMIT.load(Ordering::Relaxed) {
        0 => None,
        limit => Some(Duration::from_millis(limit)),
    }
}

/// Where the parameters of a launch are.
#[derive(Clone, Copy)]
pub enum Arguments {
    /// The address of an array of addresses, one of each parameter; 0 for none.
    Pointers(usize),
    /// Address and bytes of all of them.
    Packed(usize, usize),
}

/// What a launch asks for.
#[derive(Clone, Copy, PartialEq)]
pub struct LaunchRequest {
    pub shape: LaunchShape,
    /// Blocks of a cluster, if the launch says so.
    pub cluster: Option<[u32; 3]>,
    /// Larger clusters that it prefers: they are checked, but not used.
    pub preferred_cluster: Option<[u32; 3]>,
    /// It is a node of a graph, or will be.
    pub in_graph: bool,
    pub dynamic_shared: u32,
    pub cooperative: bool,
    pub hints: Hints,
}

impl LaunchRequest {
    /// A launch that asks for nothing but a grid of blocks.
    pub fn plain(shape: LaunchShape, dynamic_shared: u32) -> LaunchRequest {
        let (cluster, preferred_cluster, hints) = (None, None, Hints::default());
        LaunchRequest { shape, cluster, preferred_cluster, in_graph: false, dynamic_shared, cooperative: false, hints }
    }
}

/// Attributes of a launch that have no effect on an emulated device, as far as the program has set them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hints {
    pub window: Option<AccessPolicyWindow>,
    /// `CUclusterSchedulingPolicy`.
    pub scheduling: Option<u32>,
    pub priority: Option<i32>,
    pub domain_map: Option<[u8; 2]>,
    pub domain: Option<u32>,
    /// Preferred share of shared memory in percent.
    pub carveout: Option<u32>,
}

impl Hints {
    /// The hints of the node that a launch into a captured stream becomes. The stream gives what the launch does not say.
    fn captured(&self, stream: &Stream) -> Hints {
        /// `CU_CLUSTER_SCHEDULING_POLICY_SPREAD`.
        const SPREAD: u32 = 1;
        let of_stream = *stream.attributes.lock();
        Hints {
            window: self.window.or(Some(of_stream.window)),
            scheduling: self.scheduling.or(Some(SPREAD)),
            priority: self.priority.or(Some(stream.priority())),
            domain_map: self.domain_map.or(Some(of_stream.domain_map)),
            domain: self.domain.or(Some(of_stream.domain)),
            carveout: self.carveout,
        }
    }
}

/// How a launch is ordered with others.
#[derive(Default)]
pub struct LaunchEvents {
    /// It may begin before the kernel ahead of it has ended. Here it never does.
    pub overlaps: bool,
    /// Events that it records.
    pub signals: Vec<(Signal, Arc<Event>)>,
}

/// The attributes of a device that limit the axes of a block.
const BLOCK_AXES: [DeviceAttribute; 3] =
    [DeviceAttribute::MAX_BLOCK_DIM_X, DeviceAttribute::MAX_BLOCK_DIM_Y, DeviceAttribute::MAX_BLOCK_DIM_Z];
/// The attributes of a device that limit the axes of a grid.
const GRID_AXES: [DeviceAttribute; 3] =
    [DeviceAttribute::MAX_GRID_DIM_X, DeviceAttribute::MAX_GRID_DIM_Y, DeviceAttribute::MAX_GRID_DIM_Z];

/// True when each axis of a shape is at least 1 and at most the value of an attribute of the device.
fn within(device: &Device, shape: [u32; 3], most: [DeviceAttribute; 3]) -> bool {
    (0..3).all(|axis| shape[axis] > 0 && shape[axis] <= device.count(most[axis]))
}

/// Checks the shape of a block against device and function.
pub fn check_block(device: &Device, function: &Function, block: [u32; 3]) -> Result<()> {
    let threads = block.iter().fold(1u64, |all, &n| all.saturating_mul(n.into()));
    let most = u64::from(function.most_threads()).min(device.count(DeviceAttribute::MAX_THREADS_PER_BLOCK).into());
    if within(device, block, BLOCK_AXES) && threads <= most {
        Ok(())
    } else {
        Err(refuse!(
            Error::INVALID_VALUE,
            "blockDimX {} x blockDimY {} x blockDimZ {} has a 0 or is more than the device or the function allows, {} threads",
            block[0],
            block[1],
            block[2],
            most
        ))
    }
}

/// The shape of blocks that a function was compiled for.
pub fn required(function: &Function) -> Option<[u32; 3]> {
    function.code().required_threads.map(|shape| shape.map(|n| n.max(1)))
}

/// The shape of a launch: blocks of one thread stand for the shape that the function was compiled for.
pub fn shape(function: &Function, asked: LaunchShape) -> LaunchShape {
    let block = required(function).filter(|_| asked.block == [1; 3]).unwrap_or(asked.block);
    LaunchShape { block, ..asked }
}

/// Checks a launch against device and function, in the order of the real driver's checks. Returns its clusters, if it has any.
fn check(context: &Context, function: &Function, request: &LaunchRequest, places: u32) -> Result<Option<[u32; 3]>> {
    let device = &context.device;
    let LaunchShape { grid, block } = request.shape;
    check_block(device, function, block)?;
    refuse_if!(
        Error::INVALID_VALUE,
        required(function).is_some_and(|shape| shape != block),
        "blockDimX {} x blockDimY {} x blockDimZ {} is not the shape of blocks that the kernel requires",
        block[0],
        block[1],
        block[2]
    );
    refuse_if!(
        Error::INVALID_CLUSTER_SIZE,
        request.cluster.is_some_and(|shape| shape.contains(&0)),
        "config: the cluster dimension has a 0"
    );
    refuse_if!(
        Error::INVALID_VALUE,
        !within(device, grid, GRID_AXES),
        "gridDimX {} x gridDimY {} x gridDimZ {} has a 0 or is more than the device allows",
        grid[0],
        grid[1],
        grid[2]
    );
    let settings = function.settings();
    let cluster = cluster(device, function, &settings, request)?;
    refuse_if!(
        Error::INVALID_CLUSTER_SIZE,
        cluster.is_some_and(|shape| blocks_of(shape) > LARGEST_CLUSTER.min(places)),
        "config: a cluster has more than {} blocks",
        LARGEST_CLUSTER.min(places)
    );
    // Blocks that do not fit at all are too many for a cooperative launch, too.
    refuse_if!(
        Error::COOPERATIVE_LAUNCH_TOO_LARGE,
        request.cooperative && request.shape.blocks() > resident(context, function, request, places),
        "gridDimX {} x gridDimY {} x gridDimZ {} is more blocks than run on the device at the same time",
        grid[0],
        grid[1],
        grid[2]
    );
    refuse_if!(
        Error::INVALID_VALUE,
        i64::from(request.dynamic_shared) > i64::from(settings.dynamic_shared),
        "sharedMemBytes {} is more than the function's CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES {}",
        request.dynamic_shared,
        settings.dynamic_shared
    );
    Ok(cluster)
}

/// The clusters of a launch: as the launch says, else as the function was compiled or set.
pub fn cluster(
    device: &Device,
    function: &Function,
    settings: &FunctionSettings,
    request: &LaunchRequest,
) -> Result<Option<[u32; 3]>> {
    let code = function.code();
    let own = settings.cluster.map(|n| n.max(0) as u32);
    // A shape that is set only in part has no blocks and divides nothing.
    let own = (own != [0; 3]).then_some(if code.required_cluster.is_some() { own.map(|n| n.max(1)) } else { own });
    let required = code.required_cluster.map(|shape| shape.map(|n| n.max(1)));
    let Some(shape) = request.cluster.or(own) else {
        // Preferred clusters come in addition to required ones. A graph's kernel may be without clusters where a launch may not.
        let wanted = code.explicit_cluster && !request.in_graph || request.preferred_cluster.is_some();
        return if wanted {
            Err(refuse!(Error::INVALID_CLUSTER_SIZE, "config: the kernel needs a cluster dimension"))
        } else {
            Ok(None)
        };
    };
    if device.attribute_value(DeviceAttribute::CLUSTER_LAUNCH) == 0 && shape != [1; 3] {
        return Err(refuse!(Error::NOT_SUPPORTED, "config: the device has no clusters"));
    }
    let divides = |shape: [u32; 3], whole: [u32; 3]| (0..3).all(|i| shape[i] > 0 && whole[i].is_multiple_of(shape[i]));
    let preferred = |larger: [u32; 3]| divides(shape, larger) && divides(larger, request.shape.grid);
    let size = blocks_of(shape);
    if size > function.largest_cluster()
        || !divides(shape, request.shape.grid)
        || required.is_some_and(|required| required != shape)
        || own.is_some_and(|own| !own.contains(&0) && own != shape)
        || request.preferred_cluster.is_some_and(|larger| !preferred(larger))
    {
        return Err(refuse!(
            Error::INVALID_CLUSTER_SIZE,
            "config: the cluster dimension does not divide the grid, or is not what the kernel or its attributes require"
        ));
    }
    Ok(Some(shape))
}

/// How many multiprocessors a launch has.
fn multiprocessors(context: &Context, share: Option<&Share>) -> u32 {
    share.map_or_else(|| context.device.count(DeviceAttribute::MULTIPROCESSOR_COUNT), |share| share.places.count())
}

/// Blocks of a launch that so many multiprocessors hold at the same time.
fn resident(context: &Context, function: &Function, request: &LaunchRequest, places: u32) -> u64 {
    let threads = request.shape.threads() as u32;
    let blocks = occupancy::blocks(function, &context.device, threads, request.dynamic_shared.into());
    u64::from(blocks) * u64::from(places)
}

/// Copies the parameters, as they are now.
fn gather(function: &Function, arguments: Arguments) -> Result<Vec<u64>> {
    let code = function.code();
    let mut bytes = vec![0u64; code.parameter_bytes.div_ceil(8)];
    // SAFETY: the same memory; bytes need no alignment and all of them are initialised.
    let target: &mut [u8] = unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len() * 8) };
    match arguments {
        Arguments::Pointers(0) if !code.parameters.is_empty() => {
            return Err(refuse!(Error::INVALID_VALUE, "kernelParams is NULL, and the kernel has parameters"));
        }
        Arguments::Pointers(_) if code.parameters.is_empty() => {}
        Arguments::Pointers(list) => {
            guard::read_listed(target, list, code.parameters.iter().map(|p| (p.offset, p.size)))?;
        }
        Arguments::Packed(address, size) => {
            let whole = code.parameter_bytes;
            refuse_if!(
                Error::INVALID_VALUE,
                size > MOST_PARAMETER_BYTES,
                "extra: the size {} is more than parameters may have, {}",
                size,
                MOST_PARAMETER_BYTES
            );
            refuse_if!(
                Error::INVALID_VALUE,
                size == 0 && whole > 0,
                "extra: the size is 0, and the kernel has {} bytes of parameters",
                whole
            );
            // Sizes count in words. Bytes that a shorter buffer lacks are zero.
            if size.next_multiple_of(4) > whole.next_multiple_of(4) {
                return Err(refuse!(
                    Error::LAUNCH_OUT_OF_RESOURCES,
                    "extra: the size {} is more than the parameters of the kernel, {}",
                    size,
                    whole
                ));
            }
            let value = guard::read_vec(address, size.min(whole))?;
            target[..value.len()].copy_from_slice(&value);
        }
    }
    Ok(bytes)
}

/// Gives a launch to a stream, which is one of the context. `named` is the handle that the program named the function by.
pub fn launch(
    context: &Arc<Context>,
    stream: &Arc<Stream>,
    named: usize,
    function: Arc<Function>,
    mut request: LaunchRequest,
    arguments: Arguments,
    link: &LaunchEvents,
) -> Result<()> {
    let elsewhere = |(_, event): &(Signal, Arc<Event>)| !Weak::ptr_eq(&event.context, &stream.context);
    // A function knows its context by address, which no other one has as long as it does.
    if function.context.as_ptr() != Arc::as_ptr(context) {
        function.owner()?;
        return Err(refuse!(Error::INVALID_HANDLE, "f is a function of another context than that of hStream"));
    }
    refuse_if!(
        Error::INVALID_HANDLE,
        link.signals.iter().any(elsewhere),
        "config has an event of another context than that of hStream"
    );
    // The context of the stream counts, not the current one.
    context.check_error()?;
    if !context.is_alive() {
        return Err(refuse!(Error::CONTEXT_IS_DESTROYED, "hStream is of a context that was destroyed"));
    }
    let captured = stream.admit()?;
    if captured {
        request.hints = request.hints.captured(stream);
        request.in_graph = true;
    }
    let prepared = Kernel::prepare(context, named, function.clone(), request, arguments, stream.share.clone());
    let kernel = prepared.inspect_err(|error| {
        // Other launches that are refused leave the capture as it is.
        if captured && *error == Error::INVALID_CLUSTER_SIZE {
            let _ = crate::stream::capture::refuse(stream);
        }
    })?;
    if let Some(mut legacy) = function.legacy_in_use() {
        let LaunchRequest { shape, dynamic_shared, .. } = kernel.request;
        legacy.note(shape.block, dynamic_shared, &kernel.launch.parameters, function.code().parameter_bytes);
    }
    if captured {
        return event::capture_launch(stream, Work::Command(kernel), link.overlaps, &link.signals);
    }
    let gone = function.common.gone.read();
    if *gone {
        return Err(refuse!(Error::INVALID_HANDLE, "f is a function of a module that was unloaded"));
    }
    stream.post(Work::Command(kernel));
    drop(gone);
    for (_, event) in &link.signals {
        event.record_on(stream);
    }
    wait_if_blocking(stream)
}

/// `CUDA_LAUNCH_BLOCKING`: launches, of graphs too, return when the kernel has ended, with its error.
static BLOCKING: AtomicBool = AtomicBool::new(false);

/// Waits for what was just launched, if launches are to.
pub fn wait_if_blocking(stream: &Arc<Stream>) -> Result<()> {
    if BLOCKING.load(Ordering::Relaxed) { stream.synchronize() } else { Ok(()) }
}

/// Makes all launches of the process wait for their kernels.
pub fn set_blocking() {
    BLOCKING.store(true, Ordering::Relaxed);
}
