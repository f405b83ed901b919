//! `nvidia-smi`: shows what the management library tells, in the forms that scripts read.
//!
//! All that is shown comes from `libnvidia-ml.so.1`, ours in every mode. What a device does not have is `N/A`, as NVIDIA's tool
//! shows it. Words, columns and exit statuses are those of version 580.

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

mod arguments;
mod field;
mod library;
mod log;
mod monitor;
mod outcome;
mod table;
mod text;
mod topology;
mod xml;

use arguments::{Options, Task};
use library::{Code, Device, Library};
use outcome::{Outcome, print, unwritten};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// No device of that name.
const NOT_FOUND: u8 = 6;

/// Runs the tool with its arguments. `folder`: where our libraries lie, if the caller knows.
pub fn run(arguments: Vec<String>, folder: Option<&Path>) -> u8 {
    let outcome = match arguments::parse(&arguments) {
        Ok(options) => perform(&options, folder),
        Err(outcome) => Err(outcome),
    };
    match outcome {
        Ok(()) => 0,
        Err(outcome) => print(&outcome.text).map_or_else(|lost| lost.status.max(outcome.status), |()| outcome.status),
    }
}

fn perform(options: &Options, folder: Option<&Path>) -> Result<(), Outcome> {
    let library = Library::open(folder).map_err(|code| Outcome::new(failure(code), code.0 as u8))?;
    let all = library.devices();
    if all.is_empty() {
        return Err(Outcome::new("No devices were found\n", NOT_FOUND));
    }
    let chosen = match &options.devices {
        None => all.clone(),
        Some(names) => {
            choose(&library, &all, names).ok_or_else(|| Outcome::new("No devices were found\n", NOT_FOUND))?
        }
    };
    let mut first = true;
    loop {
        let text = report(&library, options, &all, &chosen, first)?;
        match &options.file {
            Some(name) => {
                let written = if first {
                    std::fs::write(name, text)
                } else {
                    let open = std::fs::OpenOptions::new().append(true).open(name);
                    open.and_then(|mut file| file.write_all(text.as_bytes()))
                };
                written.map_err(|why| unwritten(&format!(" {name}"), &why))?;
            }
            None => print(&text)?,
        }
        first = false;
        match options.every {
            Some(pause) => std::thread::sleep(pause.max(Duration::from_millis(1))),
            None => return Ok(()),
        }
    }
}

/// One round of output.
fn report(
    library: &Library,
    options: &Options,
    all: &[Device],
    chosen: &[Device],
    first: bool,
) -> Result<String, Outcome> {
    Ok(match &options.task {
        Task::Table => table::table(library, chosen),
        Task::List => list(library, all),
        Task::Log { sections, xml: false } => log::log(library, all.len(), chosen, sections),
        Task::Log { sections, xml: true } => log::xml(library, all.len(), chosen, sections),
        Task::SetComputeMode(mode) => set_compute_mode(library, chosen, *mode)?,
        Task::Query(fields) => field::query(library, chosen, fields, options.format, first),
        Task::Processes(fields) => field::processes(library, chosen, fields, options.format, first),
        Task::Topology(what) => topology::topology(library, all, chosen, what)?,
        Task::Monitor { what, rounds } => {
            monitor::monitor(library, chosen, *what, *rounds, options.every.unwrap_or(Duration::from_secs(1)))?;
            String::new()
        }
        Task::Version => version(library),
        Task::Excluded => "No excluded devices found.\n".into(),
    })
}

/// Sets the compute mode of devices, and says so.
fn set_compute_mode(library: &Library, devices: &[Device], mode: u32) -> Result<String, Outcome> {
    let mut out = String::new();
    for &device in devices {
        let address = library.pci(device).map_or_else(|_| text::NONE.into(), |pci| pci.address());
        let name = arguments::COMPUTE_MODES.get(mode as usize).copied().unwrap_or_default();
        match library.set_number(device, c"nvmlDeviceSetComputeMode", mode) {
            Ok(()) => out.push_str(&format!("Set compute mode to {name} for GPU {address}.\n")),
            Err(code) => {
                let text =
                    format!("{out}Unable to set the compute mode for GPU {address}: {}\n", library.text_of(code));
                return Err(Outcome::new(text, code.0 as u8));
            }
        }
    }
    Ok(out + "All done.\n")
}

/// The devices of a list of numbers, addresses, UUIDs and serial numbers.
fn choose(library: &Library, all: &[Device], names: &str) -> Option<Vec<Device>> {
    let one = |name: &str| match name.parse::<usize>() {
        Ok(index) => all.get(index).copied(),
        Err(_) => library.by_name(name),
    };
    names.split(',').map(|name| one(name.trim())).collect()
}

fn list(library: &Library, devices: &[Device]) -> String {
    let line = |(index, &device): (usize, &Device)| {
        let name = library.text(device, c"nvmlDeviceGetName").unwrap_or_else(|_| "Unknown".into());
        let uuid = library.text(device, c"nvmlDeviceGetUUID").unwrap_or_else(|_| "N/A".into());
        format!("GPU {index}: {name} (UUID: {uuid})\n")
    };
    devices.iter().enumerate().map(line).collect()
}

fn version(library: &Library) -> String {
    let driver = library.driver_version();
    let short = driver.rsplit_once('.').map_or(driver.as_str(), |(short, _)| short);
    format!(
        "NVIDIA-SMI version  : {driver}\nNVML version        : {short}\nDRIVER version      : {driver}\nCUDA Version        : {}\n",
        library.cuda_version()
    )
}

/// What the tool says without a driver.
fn failure(code: Code) -> String {
    match code {
        Code::DRIVER_NOT_LOADED => {
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure \
                                    that the latest NVIDIA driver is installed and running.\n\n"
                .into()
        }
        Code::LIBRARY_NOT_FOUND => {
            "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the \
                                    NVIDIA Display Driver is properly installed and present in your system.\n\n"
                .into()
        }
        Code(number) => format!("Failed to initialize NVML: error {number}\n"),
    }
}
