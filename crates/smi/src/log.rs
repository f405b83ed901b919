//! What is known of each device, in sections.

use crate::library::{Answer, Code, Device, Library};
use crate::outcome::{Outcome, WRONG};
use crate::text::{self, NONE, enabled, mebibytes, or_none, with_unit};
use crate::xml;
use core::ffi::CStr;
use std::fmt::Write;

/// A part of the log that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    General,
    Performance,
    Memory,
    Compute,
    Utilization,
    Ecc,
    Temperature,
    Power,
    Clock,
    Processes,
}

const NAMES: &[(&str, Section)] = &[
    ("MEMORY", Section::Memory),
    ("UTILIZATION", Section::Utilization),
    ("ECC", Section::Ecc),
    ("TEMPERATURE", Section::Temperature),
    ("POWER", Section::Power),
    ("CLOCK", Section::Clock),
    ("COMPUTE", Section::Compute),
    ("PIDS", Section::Processes),
    ("PERFORMANCE", Section::Performance),
];

/// The sections of a list.
pub fn sections(words: &str) -> Result<Vec<Section>, Outcome> {
    let find =
        |word: &str| NAMES.iter().find(|(name, _)| word.trim().eq_ignore_ascii_case(name)).map(|&(_, section)| section);
    let found: Option<Vec<_>> = words.split(',').map(find).collect();
    found.ok_or_else(|| Outcome::new("Failed to parse --display/-d flags\n", WRONG))
}

/// The column of the colons.
const COLUMN: usize = 55;

/// A line: how deep it stands, its name, and its value unless it is a heading.
type Line = (usize, String, Option<String>);

struct Page<'a> {
    lines: Vec<Line>,
    library: &'a Library,
    device: Device,
}

impl Page<'_> {
    fn line(&mut self, depth: usize, name: &str, value: impl AsRef<str>) {
        self.lines.push((depth, name.to_owned(), Some(value.as_ref().to_owned())));
    }

    fn title(&mut self, depth: usize, name: &str) {
        self.lines.push((depth, name.to_owned(), None));
    }

    /// A heading with lines below it.
    fn group(&mut self, depth: usize, title: &str, lines: &[(&str, String)]) {
        self.title(depth, title);
        for (name, value) in lines {
            self.line(depth + 1, name, value);
        }
    }

    fn number(&self, name: &CStr) -> Answer<u32> {
        self.library.number(self.device, name)
    }

    fn text(&self, name: &CStr) -> String {
        or_none(self.library.text(self.device, name))
    }

    fn state(&self, name: &CStr) -> String {
        or_none(self.number(name).map(enabled))
    }

    fn states(&self, name: &CStr) -> [(&'static str, String); 2] {
        let states = self.library.pair(self.device, name);
        [
            ("Current", or_none(states.map(|(now, _)| enabled(now)))),
            ("Pending", or_none(states.map(|(_, then)| enabled(then)))),
        ]
    }

    fn section(&mut self, section: Section) {
        match section {
            Section::General => self.general(),
            Section::Performance => self.performance(),
            Section::Memory => self.memory(),
            Section::Compute => {
                let mode = self.number(c"nvmlDeviceGetComputeMode").map(text::compute_mode);
                self.line(1, "Compute Mode", or_none(mode));
            }
            Section::Utilization => self.utilization(),
            Section::Ecc => {
                let states = self.states(c"nvmlDeviceGetEccMode");
                self.group(1, "ECC Mode", &states);
            }
            Section::Temperature => {
                let heat = self.library.number_of(self.device, c"nvmlDeviceGetTemperature", 0);
                self.group(1, "Temperature", &[("GPU Current Temp", with_unit(heat, "C"))]);
            }
            Section::Power => self.power(),
            Section::Clock => self.clocks(),
            Section::Processes => self.processes(),
        }
    }

    fn general(&mut self) {
        let (library, device) = (self.library, self.device);
        self.line(1, "Product Name", self.text(c"nvmlDeviceGetName"));
        self.line(1, "Product Brand", or_none(self.number(c"nvmlDeviceGetBrand").map(text::brand)));
        self.line(
            1,
            "Product Architecture",
            or_none(self.number(c"nvmlDeviceGetArchitecture").map(text::architecture)),
        );
        self.line(1, "Display Mode", "Requested functionality has been deprecated");
        let attached = self.number(c"nvmlDeviceGetDisplayMode").map(|state| if state != 0 { "Yes" } else { "No" });
        self.line(1, "Display Attached", or_none(attached));
        self.line(1, "Display Active", self.state(c"nvmlDeviceGetDisplayActive"));
        self.line(1, "Persistence Mode", self.state(c"nvmlDeviceGetPersistenceMode"));
        self.line(1, "Addressing Mode", or_none(library.addressing(device).map(text::addressing)));
        let mig = self.states(c"nvmlDeviceGetMigMode");
        self.group(1, "MIG Mode", &mig);
        self.line(1, "Accounting Mode", self.state(c"nvmlDeviceGetAccountingMode"));
        self.line(1, "Accounting Mode Buffer Size", or_none(self.number(c"nvmlDeviceGetAccountingBufferSize")));
        self.group(1, "Driver Model", &[("Current", NONE.into()), ("Pending", NONE.into())]);
        self.line(1, "Serial Number", self.text(c"nvmlDeviceGetSerial"));
        self.line(1, "GPU UUID", self.text(c"nvmlDeviceGetUUID"));
        self.line(1, "Minor Number", or_none(self.number(c"nvmlDeviceGetMinorNumber")));
        self.line(1, "VBIOS Version", self.text(c"nvmlDeviceGetVbiosVersion"));
        let multi = self.number(c"nvmlDeviceGetMultiGpuBoard").map(|several| if several != 0 { "Yes" } else { "No" });
        self.line(1, "MultiGPU Board", or_none(multi));
        self.line(1, "Board ID", or_none(self.number(c"nvmlDeviceGetBoardId").map(|id| format!("0x{id:x}"))));
        self.line(1, "Board Part Number", self.text(c"nvmlDeviceGetBoardPartNumber"));
        let modes = [("Current", NONE.to_owned()), ("Pending", NONE.to_owned())];
        self.group(1, "GPU Operation Mode", &modes);
        self.line(1, "GPU C2C Mode", self.state(c"nvmlDeviceGetC2cModeInfoV"));
        let mode = self.number(c"nvmlDeviceGetVirtualizationMode");
        let mode = mode
            .map(|mode| ["None", "Pass-Through", "VGPU", "Host VGPU", "Host VSGA"].get(mode as usize).unwrap_or(&NONE));
        self.group(
            1,
            "GPU Virtualization Mode",
            &[("Virtualization Mode", or_none(mode)), ("Host VGPU Mode", NONE.into())],
        );
        if let Ok(pci) = library.pci(device) {
            let lines = [
                ("Bus", format!("0x{:02X}", pci.bus)),
                ("Device", format!("0x{:02X}", pci.device)),
                ("Domain", format!("0x{:04X}", pci.domain)),
                ("Device Id", format!("0x{:08X}", pci.id)),
                ("Bus Id", pci.address()),
                ("Sub System Id", format!("0x{:08X}", pci.subsystem)),
            ];
            self.group(1, "PCI", &lines);
            self.title(2, "GPU Link Info");
            let generation = [
                ("Max", or_none(self.number(c"nvmlDeviceGetMaxPcieLinkGeneration"))),
                ("Current", or_none(self.number(c"nvmlDeviceGetCurrPcieLinkGeneration"))),
            ];
            self.group(3, "PCIe Generation", &generation);
            let times = |value: Answer<u32>| or_none(value.map(|lanes| format!("{lanes}x")));
            let width = [
                ("Max", times(self.number(c"nvmlDeviceGetMaxPcieLinkWidth"))),
                ("Current", times(self.number(c"nvmlDeviceGetCurrPcieLinkWidth"))),
            ];
            self.group(3, "Link Width", &width);
        }
        self.line(1, "Fan Speed", with_unit(self.number(c"nvmlDeviceGetFanSpeed"), "%"));
    }

    fn performance(&mut self) {
        let state = self.number(c"nvmlDeviceGetPerformanceState").map(|state| format!("P{state}"));
        self.line(1, "Performance State", or_none(state));
        self.line(1, "Clocks Event Reasons", NONE);
    }

    fn memory(&mut self) {
        let memory = self.library.memory(self.device);
        let bytes = |value: Answer<u64>| with_unit(value.map(mebibytes), "MiB");
        let lines = [
            ("Total", bytes(memory.map(|memory| memory.total))),
            ("Reserved", bytes(memory.map(|memory| memory.reserved))),
            ("Used", bytes(memory.map(|memory| memory.used))),
            ("Free", bytes(memory.map(|memory| memory.free))),
        ];
        self.group(1, "FB Memory Usage", &lines);
        // The tool counts what is used in whole mebibytes, and the rest as free.
        let aperture = self.library.aperture(self.device).map(|[total, _, used]| [total >> 20, used >> 20]);
        let lines = [
            ("Total", with_unit(aperture.map(|[total, _]| total), "MiB")),
            ("Used", with_unit(aperture.map(|[_, used]| used), "MiB")),
            ("Free", with_unit(aperture.map(|[total, used]| total - used.min(total)), "MiB")),
        ];
        self.group(1, "BAR1 Memory Usage", &lines);
    }

    fn utilization(&mut self) {
        let rates = self.library.utilization(self.device);
        let rate = |name| self.library.pair(self.device, name).map(|(rate, _)| rate);
        let lines = [
            ("GPU", with_unit(rates.map(|rates| rates[0]), "%")),
            ("Memory", with_unit(rates.map(|rates| rates[1]), "%")),
            ("Encoder", with_unit(rate(c"nvmlDeviceGetEncoderUtilization"), "%")),
            ("Decoder", with_unit(rate(c"nvmlDeviceGetDecoderUtilization"), "%")),
            ("JPEG", with_unit(rate(c"nvmlDeviceGetJpgUtilization"), "%")),
            ("OFA", with_unit(rate(c"nvmlDeviceGetOfaUtilization"), "%")),
        ];
        self.group(1, "Utilization", &lines);
    }

    fn power(&mut self) {
        let watts = |value: Answer<u32>| {
            with_unit(value.map(|milliwatts| format!("{:.2}", f64::from(milliwatts) / 1000.0)), "W")
        };
        let lines = [
            ("Average Power Draw", watts(self.number(c"nvmlDeviceGetPowerUsage"))),
            ("Current Power Limit", watts(self.number(c"nvmlDeviceGetEnforcedPowerLimit"))),
            ("Requested Power Limit", watts(self.number(c"nvmlDeviceGetPowerManagementLimit"))),
            ("Default Power Limit", watts(self.number(c"nvmlDeviceGetPowerManagementDefaultLimit"))),
        ];
        self.group(1, "GPU Power Readings", &lines);
    }

    fn clocks(&mut self) {
        let kinds = [("Graphics", 0), ("SM", 1), ("Memory", 2), ("Video", 3)];
        for (title, name, kinds) in [
            ("Clocks", c"nvmlDeviceGetClockInfo", &kinds[..]),
            ("Applications Clocks", c"nvmlDeviceGetApplicationsClock", &[kinds[0], kinds[2]]),
            ("Default Applications Clocks", c"nvmlDeviceGetDefaultApplicationsClock", &[kinds[0], kinds[2]]),
            ("Max Clocks", c"nvmlDeviceGetMaxClockInfo", &kinds[..]),
        ] {
            let clock = |kind| with_unit(self.library.number_of(self.device, name, kind), "MHz");
            let lines: Vec<_> = kinds.iter().map(|&(kind, number)| (kind, clock(number))).collect();
            self.group(1, title, &lines);
        }
    }

    fn processes(&mut self) {
        let list = self.library.processes(self.device);
        if list.is_empty() {
            return self.line(1, "Processes", "None");
        }
        self.title(1, "Processes");
        for process in list {
            let lines = [
                ("Type", "C".to_owned()),
                ("Name", self.library.process_name(process.pid)),
                ("Used GPU Memory", with_unit(Ok::<_, Code>(mebibytes(process.memory)), "MiB")),
            ];
            self.line(2, "Process ID", process.pid.to_string());
            for (name, value) in lines {
                self.line(3, name, value);
            }
        }
    }
}

/// All lines of a device, or those of some sections.
fn lines(library: &Library, device: Device, sections: &[Section]) -> Vec<Line> {
    let all = [Section::General, Section::Performance, Section::Memory, Section::Compute, Section::Utilization];
    let rest = [Section::Ecc, Section::Temperature, Section::Power, Section::Clock, Section::Processes];
    let mut page = Page { lines: Vec::new(), library, device };
    for &section in all.iter().chain(&rest).filter(|section| sections.is_empty() || sections.contains(section)) {
        page.section(section);
    }
    page.lines
}

/// What stands in front of the devices. `count`: how many there are.
fn head(library: &Library, count: usize) -> [(&'static str, String); 4] {
    [
        ("Timestamp", text::now(c"%a %b %e %H:%M:%S %Y")),
        ("Driver Version", library.driver_version()),
        ("CUDA Version", library.cuda_version()),
        ("Attached GPUs", count.to_string()),
    ]
}

fn address(library: &Library, device: Device) -> String {
    or_none(library.pci(device).map(|pci| pci.address()))
}

/// Writes the log: all of it, or some sections. `count`: how many devices there are.
pub fn log(library: &Library, count: usize, devices: &[Device], sections: &[Section]) -> String {
    let mut out = String::from("\n==============NVSMI LOG==============\n\n");
    for (name, value) in head(library, count) {
        let gap = if name == "Attached GPUs" { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{name:<COLUMN$}: {value}");
    }
    for &device in devices {
        let _ = writeln!(out, "GPU {}", address(library, device));
        for (depth, name, value) in lines(library, device, sections) {
            let indent = depth * 4;
            let _ = match value {
                Some(value) => writeln!(out, "{:indent$}{name:<width$}: {value}", "", width = COLUMN - indent),
                None => writeln!(out, "{:indent$}{name}", ""),
            };
        }
        out.push('\n');
    }
    out
}

/// Writes the log as XML.
pub fn xml(library: &Library, count: usize, devices: &[Device], sections: &[Section]) -> String {
    let head: Vec<Line> = head(library, count).map(|(name, value)| (1, name.to_owned(), Some(value))).into();
    let of = |&device: &Device| (address(library, device), lines(library, device, sections));
    xml::document(&head, devices.iter().map(of))
}
