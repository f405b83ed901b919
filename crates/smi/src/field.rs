//! Fields of devices and of processes, one column each.

use crate::library::{Answer, Code, Device, Library, Pci};
use crate::outcome::{Outcome, WRONG};
use crate::text::{self, enabled, mebibytes};
use std::fmt::Write;

/// How columns are written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    header: bool,
    units: bool,
}

impl Default for Format {
    fn default() -> Format {
        Format { header: true, units: true }
    }
}

impl Format {
    /// Reads `csv,noheader,nounits`, in any order.
    pub fn parse(words: &str) -> Result<Format, Outcome> {
        let mut format = Format::default();
        for word in words.split(',') {
            match word {
                "csv" => {}
                "noheader" => format.header = false,
                "nounits" => format.units = false,
                _ => return Err(Outcome::new("Format modifier is not recognized.\n", WRONG)),
            }
        }
        Ok(format)
    }
}

/// What a field is asked of.
struct About<'a> {
    library: &'a Library,
    device: Device,
    /// How many devices there are.
    count: usize,
}

type Get = fn(&About) -> Answer<String>;

/// A field of a device.
pub struct Field {
    name: &'static str,
    /// Another name of it.
    alias: &'static str,
    unit: &'static str,
    get: Get,
}

impl Field {
    const fn new(name: &'static str, alias: &'static str, unit: &'static str, get: Get) -> Field {
        Field { name, alias, unit, get }
    }
}

fn none(_: &About) -> Answer<String> {
    Err(Code::NOT_SUPPORTED)
}

impl About<'_> {
    fn number(&self, name: &core::ffi::CStr) -> Answer<String> {
        self.library.number(self.device, name).map(|number| number.to_string())
    }

    fn state(&self, name: &core::ffi::CStr) -> Answer<String> {
        self.library.number(self.device, name).map(|state| enabled(state).into())
    }

    fn text(&self, name: &core::ffi::CStr) -> Answer<String> {
        self.library.text(self.device, name)
    }

    fn pci(&self, part: fn(&Pci) -> String) -> Answer<String> {
        self.library.pci(self.device).map(|pci| part(&pci))
    }

    fn states(&self, name: &core::ffi::CStr, pending: bool) -> Answer<String> {
        let states = self.library.pair(self.device, name);
        states.map(|(now, then)| enabled(if pending { then } else { now }).into())
    }

    fn memory(&self, part: fn(&crate::library::Memory) -> u64) -> Answer<String> {
        self.library.memory(self.device).map(|memory| mebibytes(part(&memory)).to_string())
    }

    fn watts(&self, name: &core::ffi::CStr) -> Answer<String> {
        self.library.number(self.device, name).map(|milliwatts| format!("{:.2}", f64::from(milliwatts) / 1000.0))
    }

    fn clock(&self, name: &core::ffi::CStr, kind: u32) -> Answer<String> {
        self.library.number_of(self.device, name, kind).map(|clock| clock.to_string())
    }

    fn busy(&self, part: usize) -> Answer<String> {
        self.library.utilization(self.device).map(|rates| rates[part].to_string())
    }

    fn rate(&self, name: &core::ffi::CStr) -> Answer<String> {
        self.library.pair(self.device, name).map(|(rate, _)| rate.to_string())
    }
}

/// All fields that NVIDIA's tool names. Those without a getter are of things that no device here has.
static FIELDS: &[Field] = &[
    Field::new("timestamp", "", "", |_| Ok(text::timestamp())),
    Field::new("driver_version", "", "", |a| Ok(a.library.driver_version())),
    Field::new("vgpu_driver_capability.heterogenous_multivGPU", "", "", none),
    Field::new("count", "", "", |a| Ok(a.count.to_string())),
    Field::new("name", "gpu_name", "", |a| a.text(c"nvmlDeviceGetName")),
    Field::new("serial", "gpu_serial", "", |a| a.text(c"nvmlDeviceGetSerial")),
    Field::new("uuid", "gpu_uuid", "", |a| a.text(c"nvmlDeviceGetUUID")),
    Field::new("pci.bus_id", "gpu_bus_id", "", |a| a.pci(Pci::address)),
    Field::new("pci.domain", "", "", |a| a.pci(|pci| format!("0x{:04X}", pci.domain))),
    Field::new("pci.bus", "", "", |a| a.pci(|pci| format!("0x{:02X}", pci.bus))),
    Field::new("pci.device", "", "", |a| a.pci(|pci| format!("0x{:02X}", pci.device))),
    Field::new("pci.baseClass", "", "", none),
    Field::new("pci.subClass", "", "", none),
    Field::new("pci.device_id", "", "", |a| a.pci(|pci| format!("0x{:08X}", pci.id))),
    Field::new("pci.sub_device_id", "", "", |a| a.pci(|pci| format!("0x{:08X}", pci.subsystem))),
    Field::new("pcie.link.gen.current", "", "", |a| a.number(c"nvmlDeviceGetCurrPcieLinkGeneration")),
    Field::new("pcie.link.gen.gpucurrent", "", "", |a| a.number(c"nvmlDeviceGetCurrPcieLinkGeneration")),
    Field::new("pcie.link.gen.max", "", "", |a| a.number(c"nvmlDeviceGetMaxPcieLinkGeneration")),
    Field::new("pcie.link.gen.gpumax", "", "", |a| a.number(c"nvmlDeviceGetGpuMaxPcieLinkGeneration")),
    Field::new("pcie.link.gen.hostmax", "", "", none),
    Field::new("pcie.link.width.current", "", "", |a| a.number(c"nvmlDeviceGetCurrPcieLinkWidth")),
    Field::new("pcie.link.width.max", "", "", |a| a.number(c"nvmlDeviceGetMaxPcieLinkWidth")),
    Field::new("index", "", "", |a| a.number(c"nvmlDeviceGetIndex")),
    Field::new("display_mode", "", "", |_| Err(Code::DEPRECATED)),
    Field::new("display_attached", "", "", |a| {
        a.library
            .number(a.device, c"nvmlDeviceGetDisplayMode")
            .map(|state| if state != 0 { "Yes" } else { "No" }.into())
    }),
    Field::new("display_active", "", "", |a| a.state(c"nvmlDeviceGetDisplayActive")),
    Field::new("persistence_mode", "", "", |a| a.state(c"nvmlDeviceGetPersistenceMode")),
    Field::new("addressing_mode", "", "", |a| a.library.addressing(a.device).map(|mode| text::addressing(mode).into())),
    Field::new("accounting.mode", "", "", |a| a.state(c"nvmlDeviceGetAccountingMode")),
    Field::new("accounting.buffer_size", "", "", |a| a.number(c"nvmlDeviceGetAccountingBufferSize")),
    Field::new("driver_model.current", "", "", none),
    Field::new("driver_model.pending", "", "", none),
    Field::new("vbios_version", "", "", |a| a.text(c"nvmlDeviceGetVbiosVersion")),
    Field::new("inforom.img", "inforom.image", "", |a| a.text(c"nvmlDeviceGetInforomImageVersion")),
    Field::new("inforom.oem", "", "", none),
    Field::new("inforom.ecc", "", "", none),
    Field::new("inforom.pwr", "inforom.power", "", none),
    Field::new("inforom.checksum_validation", "", "", none),
    Field::new("gpu_recovery_action", "", "", none),
    Field::new("gom.current", "gpu_operation_mode.current", "", none),
    Field::new("gom.pending", "gpu_operation_mode.pending", "", none),
    Field::new("fan.speed", "", "%", |a| a.number(c"nvmlDeviceGetFanSpeed")),
    Field::new("pstate", "", "", |a| {
        a.library.number(a.device, c"nvmlDeviceGetPerformanceState").map(|state| format!("P{state}"))
    }),
    Field::new("clocks_event_reasons.supported", "clocks_throttle_reasons.supported", "", none),
    Field::new("clocks_event_reasons.active", "clocks_throttle_reasons.active", "", none),
    Field::new("clocks_event_reasons.gpu_idle", "clocks_throttle_reasons.gpu_idle", "", none),
    Field::new(
        "clocks_event_reasons.applications_clocks_setting",
        "clocks_throttle_reasons.applications_clocks_setting",
        "",
        none,
    ),
    Field::new("clocks_event_reasons.sw_power_cap", "clocks_throttle_reasons.sw_power_cap", "", none),
    Field::new("clocks_event_reasons.hw_slowdown", "clocks_throttle_reasons.hw_slowdown", "", none),
    Field::new("clocks_event_reasons.hw_thermal_slowdown", "clocks_throttle_reasons.hw_thermal_slowdown", "", none),
    Field::new(
        "clocks_event_reasons.hw_power_brake_slowdown",
        "clocks_throttle_reasons.hw_power_brake_slowdown",
        "",
        none,
    ),
    Field::new("clocks_event_reasons.sw_thermal_slowdown", "clocks_throttle_reasons.sw_thermal_slowdown", "", none),
    Field::new("clocks_event_reasons.sync_boost", "clocks_throttle_reasons.sync_boost", "", none),
    Field::new("clocks_event_reasons_counters.sw_power_cap", "", "us", none),
    Field::new("clocks_event_reasons_counters.sync_boost", "", "us", none),
    Field::new("clocks_event_reasons_counters.sw_thermal_slowdown", "", "us", none),
    Field::new("clocks_event_reasons_counters.hw_thermal_slowdown", "", "us", none),
    Field::new("clocks_event_reasons_counters.hw_power_brake_slowdown", "", "us", none),
    Field::new("memory.total", "", "MiB", |a| a.memory(|memory| memory.total)),
    Field::new("memory.reserved", "", "MiB", |a| a.memory(|memory| memory.reserved)),
    Field::new("memory.used", "", "MiB", |a| a.memory(|memory| memory.used)),
    Field::new("memory.free", "", "MiB", |a| a.memory(|memory| memory.free)),
    Field::new("compute_mode", "", "", |a| {
        a.library.number(a.device, c"nvmlDeviceGetComputeMode").map(|mode| text::compute_mode(mode).into())
    }),
    Field::new("compute_cap", "", "", |a| {
        let capability = a.library.pair(a.device, c"nvmlDeviceGetCudaComputeCapability");
        capability.map(|(major, minor)| format!("{major}.{minor}"))
    }),
    Field::new("utilization.gpu", "", "%", |a| a.busy(0)),
    Field::new("utilization.memory", "", "%", |a| a.busy(1)),
    Field::new("utilization.encoder", "", "%", |a| a.rate(c"nvmlDeviceGetEncoderUtilization")),
    Field::new("utilization.decoder", "", "%", |a| a.rate(c"nvmlDeviceGetDecoderUtilization")),
    Field::new("utilization.jpeg", "", "%", |a| a.rate(c"nvmlDeviceGetJpgUtilization")),
    Field::new("utilization.ofa", "", "%", |a| a.rate(c"nvmlDeviceGetOfaUtilization")),
    Field::new("encoder.stats.sessionCount", "", "", none),
    Field::new("encoder.stats.averageFps", "", "", none),
    Field::new("encoder.stats.averageLatency", "", "", none),
    Field::new("dramEncryption.mode.current", "", "", none),
    Field::new("dramEncryption.mode.pending", "", "", none),
    Field::new("ecc.mode.current", "", "", |a| a.states(c"nvmlDeviceGetEccMode", false)),
    Field::new("ecc.mode.pending", "", "", |a| a.states(c"nvmlDeviceGetEccMode", true)),
    Field::new("ecc.errors.corrected.volatile.total", "", "", none),
    Field::new("ecc.errors.corrected.aggregate.total", "", "", none),
    Field::new("ecc.errors.uncorrected.volatile.total", "", "", |a| {
        a.library.uncorrected_errors(a.device).map(|count| count.to_string())
    }),
    Field::new("ecc.errors.uncorrected.aggregate.total", "", "", none),
    Field::new("retired_pages.single_bit_ecc.count", "retired_pages.sbe", "", none),
    Field::new("retired_pages.double_bit.count", "retired_pages.dbe", "", none),
    Field::new("retired_pages.pending", "", "", none),
    Field::new("remapped_rows.correctable", "remapped_rows.sbe", "", none),
    Field::new("remapped_rows.uncorrectable", "remapped_rows.dbe", "", none),
    Field::new("remapped_rows.pending", "", "", none),
    Field::new("remapped_rows.failure", "", "", none),
    Field::new("temperature.gpu", "", "", |a| a.clock(c"nvmlDeviceGetTemperature", 0)),
    Field::new("temperature.gpu.tlimit", "", "", none),
    Field::new("temperature.memory", "", "", none),
    Field::new("power.management", "", "", |a| a.state(c"nvmlDeviceGetPowerManagementMode")),
    Field::new("power.draw", "", "W", |a| a.watts(c"nvmlDeviceGetPowerUsage")),
    Field::new("power.draw.average", "gpu.power.draw.average", "W", |a| a.watts(c"nvmlDeviceGetPowerUsage")),
    Field::new("power.draw.instant", "gpu.power.draw.instant", "W", |a| a.watts(c"nvmlDeviceGetPowerUsage")),
    Field::new("power.limit", "gpu.power.requested_limit", "W", |a| a.watts(c"nvmlDeviceGetPowerManagementLimit")),
    Field::new("enforced.power.limit", "gpu.power.current_limit", "W", |a| a.watts(c"nvmlDeviceGetEnforcedPowerLimit")),
    Field::new("power.default_limit", "gpu.power.default_limit", "W", |a| {
        a.watts(c"nvmlDeviceGetPowerManagementDefaultLimit")
    }),
    Field::new("power.min_limit", "gpu.power.min_limit", "W", none),
    Field::new("power.max_limit", "gpu.power.max_limit", "W", none),
    Field::new("clocks.current.graphics", "clocks.gr", "MHz", |a| a.clock(c"nvmlDeviceGetClockInfo", 0)),
    Field::new("clocks.current.sm", "clocks.sm", "MHz", |a| a.clock(c"nvmlDeviceGetClockInfo", 1)),
    Field::new("clocks.current.memory", "clocks.mem", "MHz", |a| a.clock(c"nvmlDeviceGetClockInfo", 2)),
    Field::new("clocks.current.video", "clocks.video", "MHz", |a| a.clock(c"nvmlDeviceGetClockInfo", 3)),
    Field::new("clocks.applications.graphics", "clocks.applications.gr", "MHz", |a| {
        a.clock(c"nvmlDeviceGetApplicationsClock", 0)
    }),
    Field::new("clocks.applications.memory", "clocks.applications.mem", "MHz", |a| {
        a.clock(c"nvmlDeviceGetApplicationsClock", 2)
    }),
    Field::new("clocks.default_applications.graphics", "clocks.default_applications.gr", "MHz", |a| {
        a.clock(c"nvmlDeviceGetDefaultApplicationsClock", 0)
    }),
    Field::new("clocks.default_applications.memory", "clocks.default_applications.mem", "MHz", |a| {
        a.clock(c"nvmlDeviceGetDefaultApplicationsClock", 2)
    }),
    Field::new("clocks.max.graphics", "clocks.max.gr", "MHz", |a| a.clock(c"nvmlDeviceGetMaxClockInfo", 0)),
    Field::new("clocks.max.sm", "", "MHz", |a| a.clock(c"nvmlDeviceGetMaxClockInfo", 1)),
    Field::new("clocks.max.memory", "clocks.max.mem", "MHz", |a| a.clock(c"nvmlDeviceGetMaxClockInfo", 2)),
    Field::new("mig.mode.current", "", "", |a| a.states(c"nvmlDeviceGetMigMode", false)),
    Field::new("mig.mode.pending", "", "", |a| a.states(c"nvmlDeviceGetMigMode", true)),
    Field::new("gsp.mode.current", "", "", |a| a.states(c"nvmlDeviceGetGspFirmwareMode", false)),
    Field::new("gsp.mode.default", "", "", |a| a.states(c"nvmlDeviceGetGspFirmwareMode", true)),
    Field::new("c2c.mode", "", "", |a| a.state(c"nvmlDeviceGetC2cModeInfoV")),
    Field::new("protected_memory.total", "", "MiB", none),
    Field::new("protected_memory.used", "", "MiB", none),
    Field::new("protected_memory.free", "", "MiB", none),
    Field::new("fabric.state", "", "", none),
    Field::new("fabric.status", "", "", none),
    Field::new("hostname", "", "", none),
];

/// Groups of fields of which no device here has any.
const GROUPS: &[&str] = &[
    "vgpu_device_capability.",
    "ecc.errors.",
    "remapped_rows.",
    "module.",
    "power_smoothing.",
    "fabric.",
    "platform.",
];

/// Fields of processes: their name, another one, the unit.
const PROCESS_FIELDS: &[(&str, &str, &str)] = &[
    ("timestamp", "", ""),
    ("gpu_name", "", ""),
    ("gpu_bus_id", "", ""),
    ("gpu_serial", "", ""),
    ("gpu_uuid", "", ""),
    ("pid", "", ""),
    ("process_name", "name", ""),
    ("used_gpu_memory", "used_memory", "MiB"),
];

fn unknown(word: &str) -> Outcome {
    Outcome::new(format!("Field \"{word}\" is not a valid field to query.\n\n"), WRONG)
}

/// The fields of a list.
pub fn fields(words: &str) -> Result<Vec<&'static Field>, Outcome> {
    let find = |word: &str| {
        let named = FIELDS.iter().find(|field| field.name == word || !field.alias.is_empty() && field.alias == word);
        // One of a group is made for the rest of the program.
        let grouped = || {
            let known = GROUPS.iter().any(|group| word.strip_prefix(group).is_some_and(|rest| !rest.is_empty()));
            known.then(|| &*Box::leak(Box::new(Field::new(Box::leak(word.to_owned().into_boxed_str()), "", "", none))))
        };
        named.or_else(grouped).ok_or_else(|| unknown(word))
    };
    words.split(',').filter(|word| !word.is_empty()).map(find).collect()
}

/// The fields of processes in a list.
pub fn process_fields(words: &str) -> Result<Vec<&'static str>, Outcome> {
    let find = |word: &str| {
        let named = PROCESS_FIELDS.iter().find(|(name, alias, _)| *name == word || !alias.is_empty() && *alias == word);
        named.map(|(name, ..)| *name).ok_or_else(|| unknown(word))
    };
    words.split(',').filter(|word| !word.is_empty()).map(find).collect()
}

fn head<'a>(columns: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let column =
        |(name, unit): (&str, &str)| if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
    columns.map(column).collect::<Vec<_>>().join(", ") + "\n"
}

/// A value in a column.
fn cell(value: Answer<String>, unit: &str, format: Format) -> String {
    match value {
        Ok(value) if unit.is_empty() || !format.units => value,
        Ok(value) => format!("{value} {unit}"),
        Err(Code::DEPRECATED) => "[Requested functionality has been deprecated]".into(),
        Err(_) => "[N/A]".into(),
    }
}

/// A line for each device.
pub fn query(library: &Library, devices: &[Device], fields: &[&Field], format: Format, first: bool) -> String {
    let mut out = String::new();
    if format.header && first {
        out.push_str(&head(fields.iter().map(|field| (field.name, field.unit))));
    }
    let count = library.devices().len();
    for &device in devices {
        let about = About { library, device, count };
        let cells: Vec<_> = fields.iter().map(|field| cell((field.get)(&about), field.unit, format)).collect();
        let _ = writeln!(out, "{}", cells.join(", "));
    }
    out
}

/// A line for each process.
pub fn processes(library: &Library, devices: &[Device], fields: &[&str], format: Format, first: bool) -> String {
    let unit = |name: &str| PROCESS_FIELDS.iter().find(|(field, ..)| *field == name).map_or("", |(.., unit)| unit);
    let mut out = String::new();
    if format.header && first {
        out.push_str(&head(fields.iter().map(|name| (*name, unit(name)))));
    }
    for &device in devices {
        for process in library.processes(device) {
            let value = |name: &str| match name {
                "timestamp" => Ok(text::timestamp()),
                "gpu_name" => library.text(device, c"nvmlDeviceGetName"),
                "gpu_bus_id" => library.pci(device).map(|pci| pci.address()),
                "gpu_serial" => library.text(device, c"nvmlDeviceGetSerial"),
                "gpu_uuid" => library.text(device, c"nvmlDeviceGetUUID"),
                "pid" => Ok(process.pid.to_string()),
                "process_name" => Ok(library.process_name(process.pid)),
                _ => Ok(mebibytes(process.memory).to_string()),
            };
            let cells: Vec<_> = fields.iter().map(|name| cell(value(name), unit(name), format)).collect();
            let _ = writeln!(out, "{}", cells.join(", "));
        }
    }
    out
}

fn names<'a>(option: &str, names: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = format!("List of valid properties to query for the switch \"{option}\":\n\n");
    for (name, alias) in names {
        let _ = if alias.is_empty() { writeln!(out, "\"{name}\"") } else { writeln!(out, "\"{name}\" or \"{alias}\"") };
    }
    out
}

/// Names all fields of devices.
pub fn help() -> String {
    names("--query-gpu", FIELDS.iter().map(|field| (field.name, field.alias)))
}

/// Names all fields of processes.
pub fn process_help() -> String {
    names("--query-compute-apps", PROCESS_FIELDS.iter().map(|(name, alias, _)| (*name, *alias)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut all: Vec<_> =
            FIELDS.iter().flat_map(|field| [field.name, field.alias]).filter(|name| !name.is_empty()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn the_head_has_the_first_name() {
        let fields = fields("gpu_name,gpu_uuid,memory.total,ecc.errors.corrected.volatile.dram").unwrap();
        let text = head(fields.iter().map(|field| (field.name, field.unit)));
        assert_eq!(text, "name, uuid, memory.total [MiB], ecc.errors.corrected.volatile.dram\n");
    }

    #[test]
    fn values_without_units() {
        let format = Format::parse("nounits,csv").unwrap();
        assert_eq!(cell(Ok("1".into()), "MiB", format), "1");
        assert_eq!(cell(Ok("1".into()), "MiB", Format::default()), "1 MiB");
        assert_eq!(cell(Err(Code::NOT_SUPPORTED), "W", format), "[N/A]");
    }
}
