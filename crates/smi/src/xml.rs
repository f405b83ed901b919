//! The log as XML, with the tags of NVIDIA's tool.

use std::fmt::Write;

/// Tags that are not the line's name in small letters: by the heading that the line stands below, if that matters, and its name.
const TAGS: &[(&str, &str, &str)] = &[
    ("", "MultiGPU Board", "multigpu_board"),
    ("", "Serial Number", "serial"),
    ("", "GPU UUID", "uuid"),
    ("MIG Mode", "Current", "current_mig"),
    ("MIG Mode", "Pending", "pending_mig"),
    ("Driver Model", "Current", "current_dm"),
    ("Driver Model", "Pending", "pending_dm"),
    ("GPU Operation Mode", "Current", "current_gom"),
    ("GPU Operation Mode", "Pending", "pending_gom"),
    ("PCI", "Bus", "pci_bus"),
    ("PCI", "Device", "pci_device"),
    ("PCI", "Domain", "pci_domain"),
    ("PCI", "Device Id", "pci_device_id"),
    ("PCI", "Bus Id", "pci_bus_id"),
    ("PCI", "Sub System Id", "pci_sub_system_id"),
    ("PCI", "GPU Link Info", "pci_gpu_link_info"),
    ("GPU Link Info", "PCIe Generation", "pcie_gen"),
    ("GPU Link Info", "Link Width", "link_widths"),
    ("PCIe Generation", "Max", "max_link_gen"),
    ("PCIe Generation", "Current", "current_link_gen"),
    ("Link Width", "Max", "max_link_width"),
    ("Link Width", "Current", "current_link_width"),
    ("Utilization", "GPU", "gpu_util"),
    ("Utilization", "Memory", "memory_util"),
    ("Utilization", "Encoder", "encoder_util"),
    ("Utilization", "Decoder", "decoder_util"),
    ("Utilization", "JPEG", "jpeg_util"),
    ("Utilization", "OFA", "ofa_util"),
    ("ECC Mode", "Current", "current_ecc"),
    ("ECC Mode", "Pending", "pending_ecc"),
    ("Temperature", "GPU Current Temp", "gpu_temp"),
    ("Clocks", "Graphics", "graphics_clock"),
    ("Clocks", "SM", "sm_clock"),
    ("Clocks", "Memory", "mem_clock"),
    ("Clocks", "Video", "video_clock"),
    ("Process ID", "Name", "process_name"),
    ("Process ID", "Used GPU Memory", "used_memory"),
];

/// What encloses lines that a process begins.
const PROCESS: &str = "Process ID";

fn tag(heading: &str, name: &str) -> String {
    // All kinds of clocks have the same ones.
    let heading = if heading.ends_with("Clocks") { "Clocks" } else { heading };
    let known = TAGS.iter().find(|(below, line, _)| *line == name && (below.is_empty() || *below == heading));
    known.map_or_else(|| name.to_lowercase().replace(' ', "_"), |(.., tag)| (*tag).to_owned())
}

fn escaped(value: &str) -> String {
    let mut out = String::new();
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no other control characters.
            c if c.is_control() && c != '\t' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// Lines (how deep, name, value unless it is a heading) as elements. The outermost are one deep.
fn elements(out: &mut String, lines: &[(usize, String, Option<String>)]) {
    /// Closes elements that are as deep or deeper.
    fn close(out: &mut String, open: &mut Vec<(usize, String)>, depth: usize) {
        while let Some((_, tag)) = open.pop_if(|(at, _)| *at >= depth) {
            let _ = writeln!(out, "{}</{tag}>", "\t".repeat(open.len() + 2));
        }
    }
    // Elements that are open, and the names of their lines.
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (depth, name, value) in lines {
        close(out, &mut open, *depth);
        names.truncate(open.len());
        let heading = names.last().map_or("", String::as_str);
        let below = |out: &mut String, open: &[(usize, String)]| out.push_str(&"\t".repeat(open.len() + 2));
        match value {
            // A process is an element with its number as the first one in it.
            Some(value) if name == PROCESS => {
                below(out, &open);
                out.push_str("<process_info>\n");
                open.push((*depth, "process_info".into()));
                names.push(PROCESS.into());
                below(out, &open);
                let _ = writeln!(out, "<pid>{}</pid>", escaped(value));
            }
            Some(value) => {
                let tag = tag(heading, name);
                below(out, &open);
                let _ = writeln!(out, "<{tag}>{}</{tag}>", escaped(value));
            }
            None => {
                let tag = tag(heading, name);
                below(out, &open);
                let _ = writeln!(out, "<{tag}>");
                open.push((*depth, tag));
                names.push(name.clone());
            }
        }
    }
    close(out, &mut open, 0);
}

/// The document: lines in front of the devices, and for each its address and its lines.
pub fn document(
    head: &[(usize, String, Option<String>)],
    devices: impl Iterator<Item = (String, Vec<(usize, String, Option<String>)>)>,
) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n",
    );
    for (_, name, value) in head {
        let (tag, value) = (tag("", name), escaped(value.as_deref().unwrap_or_default()));
        let _ = writeln!(out, "\t<{tag}>{value}</{tag}>");
    }
    for (address, mut lines) in devices {
        let _ = writeln!(out, "\t<gpu id=\"{}\">", escaped(&address));
        // Where there is no process the element is empty.
        for line in lines.iter_mut().filter(|(_, name, value)| name == "Processes" && value.is_some()) {
            line.2 = None;
        }
        elements(&mut out, &lines);
        out.push_str("\t</gpu>\n");
    }
    out.push_str("</nvidia_smi_log>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: usize, name: &str, value: Option<&str>) -> (usize, String, Option<String>) {
        (depth, name.into(), value.map(str::to_owned))
    }

    #[test]
    fn headings_enclose_what_stands_below_them() {
        let lines = vec![
            line(1, "Product Name", Some("a <b> & \"c\"")),
            line(1, "PCI", None),
            line(2, "Bus", Some("0x06")),
            line(2, "GPU Link Info", None),
            line(3, "PCIe Generation", None),
            line(4, "Max", Some("5")),
            line(1, "Max Clocks", None),
            line(2, "SM", Some("1 MHz")),
            line(1, "Processes", None),
            line(2, "Process ID", Some("7")),
            line(3, "Name", Some("x")),
            line(2, "Process ID", Some("8")),
            line(3, "Name", Some("y\u{1}")),
        ];
        let head = [line(1, "Driver Version", Some("580"))];
        let found = document(
            &head,
            [("0:0".to_owned(), lines), ("0:1".to_owned(), vec![line(1, "Processes", Some("None"))])].into_iter(),
        );
        let flat: String = found.lines().skip(2).map(str::trim).collect();
        let expected = "<nvidia_smi_log><driver_version>580</driver_version><gpu id=\"0:0\">\
             <product_name>a &lt;b&gt; &amp; &quot;c&quot;</product_name>\
             <pci><pci_bus>0x06</pci_bus><pci_gpu_link_info><pcie_gen><max_link_gen>5</max_link_gen></pcie_gen>\
             </pci_gpu_link_info></pci><max_clocks><sm_clock>1 MHz</sm_clock></max_clocks><processes>\
             <process_info><pid>7</pid><process_name>x</process_name></process_info>\
             <process_info><pid>8</pid><process_name>y?</process_name></process_info></processes></gpu>\
             <gpu id=\"0:1\"><processes></processes></gpu></nvidia_smi_log>";
        assert_eq!(flat, expected);
    }
}
