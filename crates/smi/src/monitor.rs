//! Lines that scroll: of devices, or of processes.

use crate::library::{Answer, Code, Device, Library};
use crate::outcome::{Outcome, print};
use crate::text;
use std::time::Duration;

/// What lines are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Devices,
    Processes,
}

/// After how many lines the head is printed again.
const PAGE: u64 = 50;

const DEVICES: &str = "\
# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk \n\
# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz \n";
const PROCESSES: &str = "\
# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command \n\
# Idx           #    C/G      %      %      %      %      %      %    name \n";

/// Prints lines until there were as many rounds, or nobody reads them.
pub fn monitor(
    library: &Library,
    devices: &[Device],
    what: What,
    rounds: Option<u64>,
    every: Duration,
) -> Result<(), Outcome> {
    let head = if what == What::Devices { DEVICES } else { PROCESSES };
    let mut round = 0;
    while rounds.is_none_or(|rounds| round < rounds) {
        let mut text = if round % PAGE == 0 { head.to_owned() } else { String::new() };
        for (index, &device) in devices.iter().enumerate() {
            let index = library.number(device, c"nvmlDeviceGetIndex").unwrap_or(index as u32);
            match what {
                What::Devices => text.push_str(&of_device(library, index, device)),
                What::Processes => text.push_str(&of_processes(library, index, device)),
            }
        }
        print(&text)?;
        round += 1;
        if rounds.is_none_or(|rounds| round < rounds) {
            std::thread::sleep(every);
        }
    }
    Ok(())
}

fn of_device(library: &Library, index: u32, device: Device) -> String {
    let rates = library.utilization(device);
    let clock = |kind| library.number_of(device, c"nvmlDeviceGetClockInfo", kind);
    let rate = |name| library.pair(device, name).map(|(rate, _)| rate);
    let values: [Answer<u32>; 11] = [
        library.number(device, c"nvmlDeviceGetPowerUsage").map(|milliwatts| milliwatts / 1000),
        library.number_of(device, c"nvmlDeviceGetTemperature", 0),
        Err(Code::NOT_SUPPORTED),
        rates.map(|rates| rates[0]),
        rates.map(|rates| rates[1]),
        rate(c"nvmlDeviceGetEncoderUtilization"),
        rate(c"nvmlDeviceGetDecoderUtilization"),
        rate(c"nvmlDeviceGetJpgUtilization"),
        rate(c"nvmlDeviceGetOfaUtilization"),
        clock(2),
        clock(1),
    ];
    let column = |value: Answer<u32>| format!("{:>7}", value.map_or_else(|_| "-".into(), |value| value.to_string()));
    format!("{index:>5}{} \n", values.map(column).concat())
}

fn of_processes(library: &Library, index: u32, device: Device) -> String {
    let list = library.processes(device);
    let line = |pid: String, kind: &str, name: &str| {
        format!("{index:>5}{pid:>11}{kind:>6}      -      -      -      -      -      -    {name:<15}\n")
    };
    if list.is_empty() {
        return line("-".into(), "-", "-");
    }
    let name = |pid| library.process_name(pid).rsplit('/').next().unwrap_or(text::NONE).to_owned();
    list.iter().map(|process| line(process.pid.to_string(), "C", &name(process.pid))).collect()
}
