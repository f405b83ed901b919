//! The table of devices and processes.

use crate::library::{Device, Library};
use crate::text::{self, NONE};
use std::fmt::Write;

const LINE: &str = "+-----------------------------------------------------------------------------------------+\n";
const COLUMNS: &str = "+-----------------------------------------+------------------------+----------------------+\n";
const HEAD: &str = "\
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
";
const PROCESSES: &str = "\
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
";
/// Room for the name of a program.
const NAME: usize = 33;

/// Draws it.
pub fn table(library: &Library, devices: &[Device]) -> String {
    let driver = library.driver_version();
    let mut out = format!("{}       \n{LINE}", text::now(c"%a %b %e %H:%M:%S %Y"));
    let version = format!("NVIDIA-SMI {driver}");
    let driver = format!("Driver Version: {driver}");
    let _ = writeln!(out, "| {version:<33} {driver:<30} CUDA Version: {:<9}|", library.cuda_version());
    out.push_str(COLUMNS);
    out.push_str(HEAD);
    for (index, &device) in devices.iter().enumerate() {
        row(&mut out, library, index, device);
    }
    let _ = write!(out, "\n{LINE}{PROCESSES}");
    let mut any = false;
    for (index, &device) in devices.iter().enumerate() {
        let index = library.number(device, c"nvmlDeviceGetIndex").unwrap_or(index as u32);
        for process in library.processes(device) {
            any = true;
            let memory = format!("{}MiB", text::mebibytes(process.memory));
            let name = shortened(&library.process_name(process.pid));
            let _ = writeln!(out, "|{index:>5}   N/A  N/A{:>16}      C   {name:<34}{memory:>12} |", process.pid);
        }
    }
    if !any {
        let _ = writeln!(out, "|  {:<87}|", "No running processes found");
    }
    out.push_str(LINE);
    out
}

/// A name that is too long shows its end.
fn shortened(name: &str) -> String {
    let length = name.chars().count();
    if length <= NAME {
        name.to_owned()
    } else {
        format!("...{}", name.chars().skip(length - NAME + 3).collect::<String>())
    }
}

fn row(out: &mut String, library: &Library, index: usize, device: Device) {
    let number = |name| library.number(device, name).ok();
    let index = number(c"nvmlDeviceGetIndex").unwrap_or(index as u32);
    let name = library.text(device, c"nvmlDeviceGetName").unwrap_or_else(|_| "Unknown".into());
    let name: String = name.chars().take(28).collect();
    let on = |state: Option<u32>| state.map_or(NONE, |state| if state != 0 { "On" } else { "Off" });
    let persistence = on(number(c"nvmlDeviceGetPersistenceMode"));
    let address = library.pci(device).map_or_else(|_| NONE.into(), |pci| pci.address());
    let display = on(number(c"nvmlDeviceGetDisplayActive"));
    let ecc = match library.pair(device, c"nvmlDeviceGetEccMode") {
        Ok((0, _)) => "Off".into(),
        _ => NONE.to_owned(),
    };
    let errors = library.uncorrected_errors(device).map_or(ecc, |count| count.to_string());
    let _ = writeln!(out, "|{index:>4}  {name:<29}{persistence:>4}  |{address:>19} {display:>3} |{errors:>21} |");

    let with = |value: Option<u32>, unit: &str| value.map_or_else(|| NONE.into(), |value| format!("{value}{unit}"));
    let fan = with(number(c"nvmlDeviceGetFanSpeed"), "%");
    let heat = with(library.number_of(device, c"nvmlDeviceGetTemperature", 0).ok(), "C");
    let state = number(c"nvmlDeviceGetPerformanceState").map_or_else(|| NONE.into(), |state| format!("P{state}"));
    let watts = |value: Option<u32>| with(value.map(|milliwatts| milliwatts / 1000), "W");
    let power = watts(number(c"nvmlDeviceGetPowerUsage"));
    let limit = watts(number(c"nvmlDeviceGetEnforcedPowerLimit"));
    let memory = library.memory(device);
    let bytes =
        |value: Option<u64>| value.map_or_else(|| NONE.into(), |bytes| format!("{}MiB", text::mebibytes(bytes)));
    let used = bytes(memory.as_ref().ok().map(|memory| memory.used));
    let total = bytes(memory.as_ref().ok().map(|memory| memory.total));
    let busy = with(library.utilization(device).ok().map(|rates| rates[0]), "%");
    let mode = number(c"nvmlDeviceGetComputeMode").map_or(NONE, text::short_compute_mode);
    let _ = writeln!(
        out,
        "|{fan:>4}{heat:>6}{state:>6}{power:>16} / {limit:>5} |{used:>11} / {total:>9} |{busy:>8}{mode:>13} |"
    );
    let mig = library.pair(device, c"nvmlDeviceGetMigMode").map_or(NONE, |(current, _)| text::enabled(current));
    let _ = writeln!(out, "|{:41}|{:24}|{mig:>21} |\n{}", "", "", COLUMNS.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_as_wide() {
        for block in [LINE, COLUMNS, HEAD, PROCESSES] {
            assert!(block.lines().all(|line| line.len() == LINE.len() - 1), "{block}");
        }
    }

    #[test]
    fn long_names_show_their_end() {
        assert_eq!(shortened("./short"), "./short");
        let long = shortened("/usr/lib/python3/dist-packages/somewhere/program");
        assert_eq!(long.chars().count(), NAME);
        assert!(long.starts_with("...") && long.ends_with("/program"));
    }
}
