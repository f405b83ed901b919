//! How devices are connected.

use crate::library::{Device, Library};
use crate::outcome::{Outcome, WRONG};
use crate::text::{NONE, or_none};
use std::fmt::Write;

/// What is asked.
#[derive(Debug)]
pub enum Question {
    /// All pairs.
    Matrix,
    /// Which devices are near a processor.
    Near { processor: usize },
    /// Which devices are near a device, by a kind of path.
    Nearest { level: u32 },
    /// The path between two.
    Path,
    /// Whether each can access the other's memory in a way.
    Access { way: u32 },
}

pub const HELP: &str = "
    topo -- how the devices are connected

    nvidia-smi topo -m              the path between all pairs of devices, and what is near each
    nvidia-smi topo -p -i A,B       the path between two devices
    nvidia-smi topo -n LEVEL -i A   devices at a path of this kind from a device, 0 (one board) to 5 (another node)
    nvidia-smi topo -c CPU          devices near a processor
    nvidia-smi topo -p2p r|w|n|a|p  whether devices can access each other's memory: by reading, by writing, over links,
                                    with atomics, over the bus

";

/// Paths: their number in the library, the short word, the explanation.
const PATHS: [(u32, &str, &str); 5] = [
    (50, "SYS", "across the bus and what connects processors of different nodes"),
    (40, "NODE", "across the bus and what connects host bridges of one node"),
    (30, "PHB", "across the bus and one host bridge"),
    (20, "PXB", "across several bridges of the bus, and no host bridge"),
    (10, "PIX", "across one bridge of the bus at most"),
];

/// What the tool underlines, and stops to.
const UNDERLINE: &str = "\x1b[4m";
const PLAIN: &str = "\x1b[0m";

/// The number of a way of access.
pub fn way(letter: &str) -> Option<u32> {
    ["r", "w", "n", "a", "p"].iter().position(|known| *known == letter).map(|at| at as u32)
}

/// Answers a question about the topology.
pub fn topology(library: &Library, all: &[Device], chosen: &[Device], what: &Question) -> Result<String, Outcome> {
    Ok(match what {
        Question::Matrix => matrix(library, all),
        Question::Access { way } => access(library, all, *way),
        Question::Near { processor } => {
            let near = |device: &&Device| {
                library
                    .affinity(**device, c"nvmlDeviceGetCpuAffinityWithinScope")
                    .is_ok_and(|set| set.contains(processor))
            };
            let list: Vec<_> = all.iter().filter(near).map(|&device| index(library, device)).collect();
            format!("The GPUs that have an affinity with CPU {processor} are:\n{}\n\n", list.join(", "))
        }
        Question::Nearest { level } => nearest(library, all, chosen, *level)?,
        Question::Path => {
            let [one, other] = chosen else { return Err(Outcome::new(HELP, WRONG)) };
            let words = PATHS.iter().find(|(number, ..)| *number == path(library, *one, *other).unwrap_or(0));
            let (one, other) = (index(library, *one), index(library, *other));
            let words =
                words.map_or_else(|| NONE.to_owned(), |(.., words)| words.trim_start_matches("across ").to_owned());
            format!("Device {one} is connected to device {other} by way of {words}.\n")
        }
    })
}

fn index(library: &Library, device: Device) -> String {
    or_none(library.number(device, c"nvmlDeviceGetIndex"))
}

fn path(library: &Library, one: Device, other: Device) -> Option<u32> {
    library.between(c"nvmlDeviceGetTopologyCommonAncestor", one, other, None).ok()
}

fn nearest(library: &Library, all: &[Device], chosen: &[Device], level: u32) -> Result<String, Outcome> {
    let [one] = chosen else { return Err(Outcome::new(HELP, WRONG)) };
    let words = [
        "single on-board PCIe switch",
        "single PCIe switch",
        "multiple PCIe switches",
        "PCIe host bridge",
        "on-CPU interconnect link",
        "SMP interconnect link",
    ];
    let words = words.get(level as usize).ok_or_else(|| Outcome::new(HELP, WRONG))?;
    let near = |other: &&Device| path(library, *one, **other) == Some(level * 10);
    let list: Vec<_> = all.iter().filter(near).map(|&device| index(library, device)).collect();
    let one = index(library, *one);
    Ok(if list.is_empty() {
        format!("Device {one} is not connected to other devices by way of an {words}.\n")
    } else {
        format!("Device {one} is connected to devices {} by way of an {words}.\n", list.join(", "))
    })
}

/// Numbers as the kernel lists them: `0-3,8`.
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part =
        |(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

fn matrix(library: &Library, devices: &[Device]) -> String {
    let names: String = (0..devices.len()).map(|index| format!("GPU{index}\t")).collect();
    let mut out = format!("\t{UNDERLINE}{names}CPU Affinity\tNUMA Affinity\tGPU NUMA ID{PLAIN}\n");
    for (row, &one) in devices.iter().enumerate() {
        let _ = write!(out, "GPU{row}\t");
        for &other in devices {
            let number = path(library, one, other);
            let word = PATHS.iter().find(|(level, ..)| Some(*level) == number).map_or(NONE, |(_, word, _)| word);
            let _ = write!(out, "{}\t", if one == other { " X ".to_owned() } else { word.to_owned() });
        }
        let set = |name| library.affinity(one, name).map_or_else(|_| NONE.into(), |set| ranges(&set));
        let (processors, nodes) = (set(c"nvmlDeviceGetCpuAffinityWithinScope"), set(c"nvmlDeviceGetMemoryAffinity"));
        let _ = writeln!(out, "{processors}\t{nodes}\t\tN/A");
    }
    out.push_str("\nLegend:\n\n  X    = Self\n");
    for (_, word, words) in PATHS {
        let _ = writeln!(out, "  {word:<4} = {words}");
    }
    out.push_str("  NV#  = across # links between devices\n");
    out
}

fn access(library: &Library, devices: &[Device], way: u32) -> String {
    const WORDS: [&str; 7] = ["OK", "CNS", "GNS", "TNS", "NS", "NS", "U"];
    let names: String = (0..devices.len()).map(|index| format!("GPU{index}\t")).collect();
    let mut out = format!(" \t{UNDERLINE}{names}{PLAIN}\n");
    for (row, &one) in devices.iter().enumerate() {
        let _ = write!(out, " GPU{row}\t");
        for &other in devices {
            let status = library.between(c"nvmlDeviceGetP2PStatus", one, other, Some(way));
            let word = status.ok().and_then(|status| WORDS.get(status as usize)).unwrap_or(&"U");
            let _ = write!(out, "{}\t", if one == other { "X" } else { word });
        }
        out.push('\n');
    }
    out.push_str(
        "\nLegend:\n\n  X    = Self\n  OK   = Status Ok\n  CNS  = Chipset not supported\n  GNS  = GPU not supported\n  \
         TNS  = Topology not supported\n  NS   = Not supported\n  U    = Unknown\n",
    );
    out
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn sets_of_processors() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[0]), "0");
        assert_eq!(ranges(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
    }
}
