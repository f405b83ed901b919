//! Processes that use a device, and how busy they keep it.

use crate::api::{Array, Kind, Out, Text};
use crate::code::{Code, Result};
use crate::devices::Device;
use crate::node;
use crate::types::*;

/// What a process outside of a part of a device (MIG) says of the part.
const NO_INSTANCE: u32 = u32::MAX;

fn old(device: Device, count: Out<u32>, infos: Array<ProcessInfo_v1>) -> Result {
    let list = node::processes(device.get()?);
    let list: Vec<_> = list.iter().map(|p| ProcessInfo_v1 { pid: p.pid, usedGpuMemory: p.memory }).collect();
    infos.fill(count, &list)
}

fn new(device: Device, count: Out<u32>, infos: Array<ProcessInfo>) -> Result {
    let list = node::processes(device.get()?);
    let info = |p: &::node::Process| ProcessInfo {
        pid: p.pid,
        usedGpuMemory: p.memory,
        gpuInstanceId: NO_INSTANCE,
        computeInstanceId: NO_INSTANCE,
    };
    infos.fill(count, &list.iter().map(info).collect::<Vec<_>>())
}

/// The command line's first word of a process.
fn process_name(pid: u32) -> Result<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).map_err(|_| Code::NOT_FOUND)?;
    let name = line.split(|&b| b == 0).next().filter(|name| !name.is_empty()).ok_or(Code::NOT_FOUND)?;
    Ok(String::from_utf8_lossy(name).into_owned())
}

api! {
    /// The program that a process runs.
    ///
    /// - `pid`: the process, of this machine.
    /// - `name`: receives the first word of its command line, cut where the room ends.
    /// - `length`: bytes that the program has room for at `name`, NUL included.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND` if there is no such process; `NVML_ERROR_INVALID_ARGUMENT` if `length` is 0.
    fn nvmlSystemGetProcessName(pid: u32, name: Text, length: u32) {
        if length == 0 {
            return Err(Code::INVALID_ARGUMENT);
        }
        let program = process_name(pid)?;
        let mut end = program.len().min(length as usize - 1);
        while !program.is_char_boundary(end) {
            end -= 1;
        }
        name.set(length, &program[..end])
    }

    /// Processes with a context on the device, and the memory that they use.
    ///
    /// - `infoCount`: how many elements there is room for; receives how many processes there are.
    /// - `infos`: receives number and bytes of each, NULL if there is room for none.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if the room does not suffice, after the number is written.
    fn nvmlDeviceGetComputeRunningProcesses(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo_v1>) {
        old(device, infoCount, infos)
    }

    /// Processes with a context on the device, and the memory that they use.
    ///
    /// - `infoCount`: how many elements there is room for; receives how many processes there are.
    /// - `infos`: receives number and bytes of each, NULL if there is room for none. No process has a MIG instance: both
    ///   identifiers are all ones.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if the room does not suffice, after the number is written.
    fn nvmlDeviceGetComputeRunningProcesses_v2(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        new(device, infoCount, infos)
    }

    /// Processes with a context on the device, and the memory that they use.
    ///
    /// - `infoCount`: how many elements there is room for; receives how many processes there are.
    /// - `infos`: receives number and bytes of each, NULL if there is room for none. No process has a MIG instance: both
    ///   identifiers are all ones.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if the room does not suffice, after the number is written.
    fn nvmlDeviceGetComputeRunningProcesses_v3(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        new(device, infoCount, infos)
    }

    /// Processes that draw with the device: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetGraphicsRunningProcesses(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo_v1>) {
        infos.fill(infoCount, &[])
    }

    /// Processes that draw with the device: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetGraphicsRunningProcesses_v2(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        infos.fill(infoCount, &[])
    }

    /// Processes that draw with the device: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetGraphicsRunningProcesses_v3(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        infos.fill(infoCount, &[])
    }

    /// Processes that share the device through a server: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetMPSComputeRunningProcesses(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo_v1>) {
        infos.fill(infoCount, &[])
    }

    /// Processes that share the device through a server: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetMPSComputeRunningProcesses_v2(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        infos.fill(infoCount, &[])
    }

    /// Processes that share the device through a server: none.
    ///
    /// - `infoCount`: receives 0.
    /// - `infos`: stays as it is.
    fn nvmlDeviceGetMPSComputeRunningProcesses_v3(device: Device, infoCount: Out<u32>, infos: Array<ProcessInfo>) {
        infos.fill(infoCount, &[])
    }

    /// Whether the driver keeps accounts of processes: it does not.
    ///
    /// - `mode`: receives `NVML_FEATURE_DISABLED`.
    fn nvmlDeviceGetAccountingMode(device: Device, mode: Out<u32>) { mode.set(0) }

    /// Processes with an account: none.
    ///
    /// - `count`: receives 0.
    /// - `pids`: stays as it is.
    ///
    /// Errors: `NVML_ERROR_INSUFFICIENT_SIZE` if `pids` is NULL, as the real library has it.
    fn nvmlDeviceGetAccountingPids(device: Device, count: Out<u32>, pids: Array<u32>) {
        if pids.is_null() { Err(Code::INSUFFICIENT_SIZE) } else { pids.fill(count, &[]) } }

    /// How many processes there is room to account for.
    ///
    /// - `bufferSize`: receives 0.
    fn nvmlDeviceGetAccountingBufferSize(device: Device, bufferSize: Out<u32>) { bufferSize.set(0) }

    /// The account of a process: none has one.
    ///
    /// Errors: `NVML_ERROR_NOT_FOUND`, always.
    fn nvmlDeviceGetAccountingStats(device: Device, pid: u32, stats: Out<AccountingStats>) = NOT_FOUND;

    /// How busy the device was during the last second.
    ///
    /// - `utilization`: receives, in percent of that time, how long kernels ran (`gpu`), and how long kernels or copies did
    ///   (`memory`), of all processes of the node.
    ///
    /// Errors: `NVML_ERROR_NOT_SUPPORTED` where processes share no devices.
    fn nvmlDeviceGetUtilizationRates(device: Device, utilization: Out<Utilization>) {
        let (gpu, memory) = node::busy(device.get()?)?;
        utilization.set(Utilization { gpu, memory })
    }

    /// Encoder utilization.
    fn nvmlDeviceGetEncoderUtilization(device: Device, utilization: Out<u32>, samplingPeriodUs: Out<u32>);

    /// Encoder capacity.
    fn nvmlDeviceGetEncoderCapacity(device: Device, encoderQueryType: Kind<255>, encoderCapacity: Out<u32>);

    /// Encoder statistics.
    fn nvmlDeviceGetEncoderStats(
        device: Device, sessionCount: Out<u32>, averageFps: Out<u32>, averageLatency: Out<u32>,
    );

    /// Encoder sessions.
    fn nvmlDeviceGetEncoderSessions(device: Device, sessionCount: Out<u32>, sessionInfos: Array<EncoderSessionInfo>);

    /// Decoder utilization.
    fn nvmlDeviceGetDecoderUtilization(device: Device, utilization: Out<u32>, samplingPeriodUs: Out<u32>);

    /// JPEG utilization.
    fn nvmlDeviceGetJpgUtilization(device: Device, utilization: Out<u32>, samplingPeriodUs: Out<u32>);

    /// Optical flow utilization.
    fn nvmlDeviceGetOfaUtilization(device: Device, utilization: Out<u32>, samplingPeriodUs: Out<u32>);

    /// FBC statistics.
    fn nvmlDeviceGetFBCStats(device: Device, fbcStats: Out<FBCStats>);

    /// FBC sessions.
    fn nvmlDeviceGetFBCSessions(device: Device, sessionCount: Out<u32>, sessionInfo: Array<FBCSessionInfo>);

    /// Running process detail list.
    fn nvmlDeviceGetRunningProcessDetailList(device: Device, plist: Out<ProcessDetailList>);

    /// Samples.
    fn nvmlDeviceGetSamples(
        device: Device, kind: u32, lastSeenTimeStamp: u64, sampleValType: Out<u32>, sampleCount: Out<u32>, samples: Array<Sample>,
    );

    /// Process utilization.
    fn nvmlDeviceGetProcessUtilization(
        device: Device, utilization: Array<ProcessUtilizationSample>, processSamplesCount: Out<u32>, lastSeenTimeStamp: u64,
    );

    /// Processes utilization information.
    fn nvmlDeviceGetProcessesUtilizationInfo(device: Device, procesesUtilInfo: Out<ProcessesUtilizationInfo>);

    /// Sets accounting mode.
    fn nvmlDeviceSetAccountingMode(device: Device, mode: u32);

    /// Clears accounting processes.
    fn nvmlDeviceClearAccountingPids(device: Device);
}
