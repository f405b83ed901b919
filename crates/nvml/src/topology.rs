//! How near devices, processors and memory are to each other. Emulated devices sit on one bus, and each can access the
//! memory of every other, as the driver says, too.

use crate::api::{Array, Out, Unchecked};
use crate::code::{Code, Result};
use crate::devices::{self, Device, Managed};

/// `nvmlGpuTopologyLevel_t`: the same host bridge, none in common.
const BRIDGE: u32 = 30;
const SYSTEM: u32 = 50;
/// `nvmlGpuP2PStatus_t`
const P2P_OK: u32 = 0;
const P2P_NOT_SUPPORTED: u32 = 5;
/// `nvmlGpuP2PCapsIndex_t`: over links, and one past those that are known.
const P2P_LINK: u32 = 2;
const P2P_END: u32 = 5;
/// Bits of a word in a set of processors or nodes.
const BITS: usize = u64::BITS as usize;

/// What two devices have in common.
fn level(one: &Managed, other: &Managed) -> u32 {
    let bus = |device: &Managed| (device.address().domain, device.address().bus);
    if bus(one) == bus(other) { BRIDGE } else { SYSTEM }
}

/// The numbers in a list of the kernel's: `0-3,8`.
fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

/// What the kernel lists in a file as there, or the first one alone.
fn online(file: &str) -> Vec<usize> {
    let found = numbers(&std::fs::read_to_string(file).unwrap_or_default());
    if found.is_empty() { vec![0] } else { found }
}

fn processors() -> Vec<usize> {
    online("/sys/devices/system/cpu/online")
}

/// Writes a set of numbers in as many words as the program has room for.
fn write_set(set: Out<u64>, words: u32, members: &[usize]) -> Result {
    if words == 0 {
        return Err(Code::INVALID_ARGUMENT);
    }
    if members.iter().any(|member| member / BITS >= words as usize) {
        return Err(Code::INSUFFICIENT_SIZE);
    }
    (0..words as usize).try_for_each(|word| {
        let bits = members.iter().filter(|&member| member / BITS == word);
        set.set_at(word, bits.fold(0, |bits, member| bits | 1 << (member % BITS)))
    })
}

/// `nvmlAffinityScope_t` has two values.
fn check_scope(scope: u32) -> Result {
    if scope <= 1 { Ok(()) } else { Err(Code::INVALID_ARGUMENT) }
}

/// Writes as many devices as there is room for.
///
/// Errors: `NVML_ERROR_INVALID_ARGUMENT` for room at NULL, or an array without room.
fn give(count: Out<u32>, array: Array<Device>, list: &[Device]) -> Result {
    let room = count.get()?;
    if array.asks_for_number(room)? {
        return Ok(());
    }
    (list.iter().take(room as usize).enumerate()).try_for_each(|(index, &device)| array.0.set_at(index, device))
}

/// Lets the calling thread run on all processors.
fn run_everywhere() -> Result {
    // SAFETY: a set of processors is bits, of which none is set.
    let mut set: libc::cpu_set_t = unsafe { core::mem::zeroed() };
    for processor in processors().into_iter().filter(|&processor| processor < libc::CPU_SETSIZE as usize) {
        // SAFETY: the number is less than the set's size.
        unsafe { libc::CPU_SET(processor, &mut set) };
    }
    // SAFETY: the set is as large as its size says.
    if unsafe { libc::sched_setaffinity(0, size_of_val(&set), &set) } == 0 { Ok(()) } else { Err(Code::UNKNOWN) }
}

api! {
    /// What the paths of two devices on the bus have in common.
    ///
    /// - `pathInfo`: receives `NVML_TOPOLOGY_HOSTBRIDGE` for devices of one bus, else `NVML_TOPOLOGY_SYSTEM`.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` if both are the same.
    fn nvmlDeviceGetTopologyCommonAncestor(device1: Device, device2: Device, pathInfo: Out<u32>) {
        let (one, other) = (device1.get()?, device2.get()?);
        if one.index == other.index {
            return Err(Code::NOT_SUPPORTED);
        }
        pathInfo.set(level(one, other))
    }

    /// Devices that have something in common with a device.
    ///
    /// - `level`: `NVML_TOPOLOGY_...`: what they have in common, exactly.
    /// - `count`: how many elements there is room for; receives how many devices there are.
    /// - `deviceArray`: receives handles, as many as there is room for; NULL if that is none.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` if only one of no room and NULL is so.
    fn nvmlDeviceGetTopologyNearestGpus(device: Device, level: u32, count: Out<u32>, deviceArray: Array<Device>) {
        let one = device.get()?;
        let near = devices::all().iter().filter(|other| other.index != one.index && crate::topology::level(one, other) == level);
        let near: Vec<_> = near.map(Managed::handle).collect();
        give(count, deviceArray, &near).and_then(|()| count.set(near.len() as u32))
    }

    /// Devices near a processor: all.
    ///
    /// - `cpuNumber`: the processor. Near one that is not there no device is.
    /// - `count`: how many elements there is room for; 0 receives how many devices there are.
    /// - `deviceArray`: receives handles, as many as there is room for; NULL if that is none.
    ///
    /// Errors: `NVML_ERROR_INVALID_ARGUMENT` if only one of no room and NULL is so.
    fn nvmlSystemGetTopologyGpuSet(cpuNumber: u32, count: Out<u32>, deviceArray: Array<Device>) {
        let near = processors().contains(&(cpuNumber as usize));
        let near: Vec<_> = devices::all().iter().filter(|_| near).map(Managed::handle).collect();
        give(count, deviceArray, &near)?;
        if count.get()? == 0 { count.set(near.len() as u32) } else { Ok(()) }
    }

    /// Whether a device can access another one's memory: as `cuDeviceCanAccessPeer` says.
    ///
    /// - `p2pIndex`: `NVML_P2P_CAPS_INDEX_...`: reading, writing, links, atomics, properties.
    /// - `p2pStatus`: receives `NVML_P2P_STATUS_OK`, or `NVML_P2P_STATUS_NOT_SUPPORTED` for links and for a device with itself.
    fn nvmlDeviceGetP2PStatus(device1: Device, device2: Device, p2pIndex: u32, p2pStatus: Out<u32>) {
        let (one, other) = (device1.get()?, device2.get()?);
        let refused = p2pIndex < P2P_END && (one.index == other.index || p2pIndex == P2P_LINK);
        p2pStatus.set(if refused { P2P_NOT_SUPPORTED } else { P2P_OK })
    }

    /// Whether two devices sit on one board: none do.
    ///
    /// - `onSameBoard`: receives 1 if both handles are of one device, else 0.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` for a handle of no device.
    fn nvmlDeviceOnSameBoard(device1: Unchecked<Device>, device2: Unchecked<Device>, onSameBoard: Out<i32>) {
        let device = |handle: Unchecked<Device>| handle.0.get().map_err(|_| Code::NOT_SUPPORTED);
        onSameBoard.set(i32::from(device(device1)?.index == device(device2)?.index))
    }

    /// The nodes of memory near the device: all of the host's.
    ///
    /// - `nodeSetSize`: how many words of 64 bits there is room for.
    /// - `nodeSet`: receives a bit for each node.
    /// - `scope`: `NVML_AFFINITY_SCOPE_NODE` or `NVML_AFFINITY_SCOPE_SOCKET`, which make no difference.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if a number does not fit into the words; `NVML_ERROR_INVALID_ARGUMENT` for no
    /// words or another scope.
    fn nvmlDeviceGetMemoryAffinity(device: Device, nodeSetSize: u32, nodeSet: Out<u64>, scope: u32) {
        check_scope(scope)?;
        write_set(nodeSet, nodeSetSize, &online("/sys/devices/system/node/online"))
    }

    /// The processors near the device: all of the host's.
    ///
    /// - `cpuSetSize`: how many words of 64 bits there is room for.
    /// - `cpuSet`: receives a bit for each processor.
    /// - `scope`: `NVML_AFFINITY_SCOPE_NODE` or `NVML_AFFINITY_SCOPE_SOCKET`, which make no difference.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if a number does not fit into the words; `NVML_ERROR_INVALID_ARGUMENT` for no
    /// words or another scope.
    fn nvmlDeviceGetCpuAffinityWithinScope(device: Device, cpuSetSize: u32, cpuSet: Out<u64>, scope: u32) {
        check_scope(scope)?;
        write_set(cpuSet, cpuSetSize, &processors())
    }

    /// The processors near the device: all of the host's.
    ///
    /// - `cpuSetSize`: how many words of 64 bits there is room for.
    /// - `cpuSet`: receives a bit for each processor.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if a number does not fit into the words; `NVML_ERROR_INVALID_ARGUMENT` for no
    /// words.
    fn nvmlDeviceGetCpuAffinity(device: Device, cpuSetSize: u32, cpuSet: Out<u64>) {
        write_set(cpuSet, cpuSetSize, &processors())
    }

    /// Lets the calling thread run on the processors near the device, which are all.
    ///
    /// Errors: `NVML_ERROR_UNKNOWN` if the kernel refuses.
    fn nvmlDeviceSetCpuAffinity(device: Device) { run_everywhere() }

    /// Lets the calling thread run on all processors.
    ///
    /// Errors: `NVML_ERROR_UNKNOWN` if the kernel refuses.
    fn nvmlDeviceClearCpuAffinity(device: Unchecked<Device>) { run_everywhere() }

    /// Whether the device is linked to the processor coherently: it is not.
    ///
    /// - `c2cModeInfo`: receives 0.
    fn nvmlDeviceGetC2cModeInfoV(device: Device, c2cModeInfo: Out<u32>) { c2cModeInfo.set(0) }

    /// NUMA node identifier.
    fn nvmlDeviceGetNumaNodeId(device: Device, node: Out<u32>);
}
