//! The command line.

use crate::field::{self, Field, Format};
use crate::monitor::What;
use crate::outcome::{Outcome, WRONG};
use crate::{log, topology};
use std::time::Duration;

/// What to show.
pub enum Task {
    /// The table.
    Table,
    /// One line for each device.
    List,
    /// All that is known, or these sections alone.
    Log { sections: Vec<log::Section>, xml: bool },
    /// Sets how many contexts devices may have.
    SetComputeMode(u32),
    /// Fields of devices.
    Query(Vec<&'static Field>),
    /// Fields of processes.
    Processes(Vec<&'static str>),
    /// How devices are connected.
    Topology(topology::Question),
    /// A line for each device, again and again; for a number of rounds.
    Monitor { what: What, rounds: Option<u64> },
    /// Versions.
    Version,
    /// Devices that the driver leaves out.
    Excluded,
}

/// The command line.
pub struct Options {
    pub task: Task,
    /// The devices that are asked for.
    pub devices: Option<String>,
    /// How often.
    pub every: Option<Duration>,
    pub format: Format,
    /// Where the output goes.
    pub file: Option<String>,
}

/// Compute modes by number.
pub const COMPUTE_MODES: [&str; 4] = ["DEFAULT", "EXCLUSIVE_THREAD", "PROHIBITED", "EXCLUSIVE_PROCESS"];

/// A compute mode's number, of its number or name.
fn compute_mode(word: &str) -> Option<u32> {
    let named = COMPUTE_MODES.iter().position(|name| name.eq_ignore_ascii_case(word));
    named.map(|at| at as u32).or_else(|| word.parse().ok().filter(|&number| number < COMPUTE_MODES.len() as u32))
}

/// Seconds between rounds, if the command line does not say.
const PAUSE: u64 = 5;
/// What an option that is not known exits with.
const UNKNOWN: u8 = 255;

const HELP: &str = "\
NVIDIA System Management Interface, as Doppel has it

    nvidia-smi [OPTION...]          a table of the devices
    nvidia-smi topo [OPTION...]     how the devices are connected
    nvidia-smi dmon, pmon           a line for each device, or process, every second

      -h,   --help                  prints this
            --version               prints versions
      -L,   --list-gpus             prints a line for each device
      -B,   --list-excluded-gpus    prints the devices that the driver leaves out
      -i,   --id=LIST               shows these devices alone: numbers, UUIDs, addresses on the bus
      -f,   --filename=FILE         writes to a file
      -l,   --loop=SEC              repeats every SEC seconds (default 5)
      -lms, --loop-ms=MS            repeats every MS milliseconds
      -c,   --compute-mode=MODE     sets how many contexts devices may have from now on: 0 or DEFAULT, as many as fit;
                                    2 or PROHIBITED, none; 3 or EXCLUSIVE_PROCESS, one of one process
      -q,   --query                 prints what is known of each device
      -d,   --display=LIST          prints these sections of it alone: MEMORY, UTILIZATION, ECC, TEMPERATURE, POWER, CLOCK,
                                    COMPUTE, PIDS, PERFORMANCE
      -x,   --xml-format            prints it as XML
            --query-gpu=LIST        prints fields of devices; --help-query-gpu names them
            --query-compute-apps=LIST
                                    prints fields of processes; --help-query-compute-apps names them
            --format=LIST           csv, noheader, nounits
";

const MONITOR_HELP: &str = "\
    nvidia-smi dmon, pmon           a line for each device, or process, every second

      -i LIST                       these devices alone
      -d SEC                        every SEC seconds
      -c N                          N rounds
";

/// The forms of an option that takes a value: its name and the value apart, joined by `=`, or behind a letter.
struct Words<'a> {
    words: &'a [String],
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    /// The value of the option that was just taken, if it is one of these names.
    fn value(&mut self, word: &'a str, names: &[&str]) -> Option<Result<&'a str, Outcome>> {
        for name in names {
            if word == *name {
                let missing = || {
                    let text =
                        format!("ERROR: Option {word} is missing its value. Please run 'nvidia-smi -h' for help.\n\n");
                    Outcome::new(text, UNKNOWN)
                };
                return Some(self.next().ok_or_else(missing));
            }
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(Ok(value));
            }
        }
        None
    }

    /// A number that may stand behind an option.
    fn number(&mut self) -> Option<u64> {
        let number = self.words.get(self.at)?.parse().ok()?;
        self.at += 1;
        Some(number)
    }
}

fn invalid(option: &str) -> Outcome {
    let text =
        format!("ERROR: Option {option} is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n");
    Outcome::new(text, WRONG)
}

/// Reads the command line. Help is an outcome, too.
pub fn parse(words: &[String]) -> Result<Options, Outcome> {
    match words.first().map(String::as_str) {
        Some("topo") => return topology_line(&words[1..]),
        Some("dmon") => return monitor_line(&words[1..], What::Devices),
        Some("pmon") => return monitor_line(&words[1..], What::Processes),
        _ => {}
    }
    let mut words = Words { words, at: 0 };
    let mut options = Options { task: Task::Table, devices: None, every: None, format: Format::default(), file: None };
    let (mut query, mut sections, mut format, mut given) = (false, None, None, Vec::new());
    let mut xml = false;
    while let Some(word) = words.next() {
        given.push(word);
        if let Some(value) = words.value(word, &["-i", "--id"]) {
            options.devices = Some(value?.to_owned());
        } else if let Some(value) = words.value(word, &["-f", "--filename"]) {
            options.file = Some(value?.to_owned());
        } else if let Some(value) = words.value(word, &["-d", "--display"]) {
            sections = Some(log::sections(value?)?);
        } else if let Some(value) = words.value(word, &["-c", "--compute-mode"]) {
            let mode = compute_mode(value?).ok_or_else(|| Outcome::new("Compute mode is not recognized.\n", WRONG))?;
            options.task = Task::SetComputeMode(mode);
        } else if let Some(value) = words.value(word, &["--format"]) {
            format = Some((word, value?));
        } else if let Some(value) = words.value(word, &["--query-gpu"]) {
            options.task = Task::Query(field::fields(value?)?);
        } else if let Some(value) = words.value(word, &["--query-compute-apps"]) {
            options.task = Task::Processes(field::process_fields(value?)?);
        } else if let Some(value) = word.strip_prefix("--loop=") {
            options.every = value.parse().ok().map(Duration::from_secs);
        } else if let Some(value) = word.strip_prefix("--loop-ms=") {
            options.every = value.parse().ok().map(Duration::from_millis);
        } else {
            match word {
                "-h" | "--help" => return Err(Outcome::new(HELP, 0)),
                "--version" => options.task = Task::Version,
                "--help-query-gpu" => return Err(Outcome::new(field::help(), 0)),
                "--help-query-compute-apps" => return Err(Outcome::new(field::process_help(), 0)),
                "-L" | "--list-gpus" => options.task = Task::List,
                "-B" | "--list-excluded-gpus" => options.task = Task::Excluded,
                "-q" | "--query" => query = true,
                "-x" | "--xml-format" => xml = true,
                "-l" | "--loop" => options.every = Some(Duration::from_secs(words.number().unwrap_or(PAUSE))),
                "-lms" | "--loop-ms" => {
                    options.every = Some(Duration::from_millis(words.number().unwrap_or(PAUSE * 1000)));
                }
                _ => {
                    let text = format!("ERROR: Option {word} is not recognized. Please run 'nvidia-smi -h'.\n\n");
                    return Err(Outcome::new(text, UNKNOWN));
                }
            }
        }
    }
    if query {
        options.task = Task::Log { sections: sections.unwrap_or_default(), xml };
    } else if xml {
        return Err(invalid("-x"));
    }
    match (&options.task, format) {
        (Task::Query(_) | Task::Processes(_), Some((_, words))) => options.format = Format::parse(words)?,
        (_, Some((word, words))) => {
            let option = if word.contains('=') { word.to_owned() } else { format!("{word} {words}") };
            let text = format!("ERROR: Option {option} is not recognized. Please run 'nvidia-smi -h'.\n\n");
            return Err(Outcome::new(text, UNKNOWN));
        }
        (Task::List | Task::Excluded | Task::Version, None) => {
            let other = given.iter().find(|word| {
                ["-i", "--id", "-f", "--filename", "-l", "--loop"]
                    .iter()
                    .any(|name| word.split('=').next() == Some(name))
            });
            if let Some(word) = other {
                return Err(invalid(word));
            }
        }
        _ => {}
    }
    Ok(options)
}

fn topology_line(words: &[String]) -> Result<Options, Outcome> {
    let mut words = Words { words, at: 0 };
    let mut devices = None;
    let mut question = None;
    while let Some(word) = words.next() {
        let number = |value: &str| value.parse::<u32>().map_err(|_| Outcome::new(topology::HELP, WRONG));
        if let Some(value) = words.value(word, &["-i", "--id"]) {
            devices = Some(value?.to_owned());
        } else if let Some(value) = words.value(word, &["-c", "--cpu"]) {
            question = Some(topology::Question::Near { processor: number(value?)? as usize });
        } else if let Some(value) = words.value(word, &["-n", "--nearest_gpus"]) {
            question = Some(topology::Question::Nearest { level: number(value?)? });
        } else if let Some(value) = words.value(word, &["-p2p", "--p2pstatus"]) {
            let way = topology::way(value?)
                .ok_or_else(|| Outcome::new("Invalid p2p capability index specified at the command-line\n", WRONG))?;
            question = Some(topology::Question::Access { way });
        } else {
            match word {
                "-m" | "--matrix" | "-mp" | "--matrix_pci" => question = Some(topology::Question::Matrix),
                "-p" | "--gpu_path" => question = Some(topology::Question::Path),
                "-h" | "--help" => return Err(Outcome::new(topology::HELP, 0)),
                _ => return Err(Outcome::new(format!("Option \"{word}\" is not recognized.\n"), WRONG)),
            }
        }
    }
    let question = question.ok_or_else(|| Outcome::new(topology::HELP, 0))?;
    let two = devices.as_ref().is_some_and(|devices| devices.split(',').count() == 2);
    if matches!(question, topology::Question::Path) && !two {
        let text = "Path command line flag must be used in conjection with the -i argument which must be two GPU identifiers.\n\n";
        return Err(Outcome::new(text, WRONG));
    }
    Ok(Options { task: Task::Topology(question), devices, every: None, format: Format::default(), file: None })
}

fn monitor_line(words: &[String], what: What) -> Result<Options, Outcome> {
    let mut words = Words { words, at: 0 };
    let (mut devices, mut every, mut rounds) = (None, None, None);
    while let Some(word) = words.next() {
        let wrong = || Outcome::new(MONITOR_HELP, WRONG);
        if let Some(value) = words.value(word, &["-i", "--id"]) {
            devices = Some(value?.to_owned());
        } else if let Some(value) = words.value(word, &["-d", "--delay"]) {
            every = Some(Duration::from_secs(value?.parse().map_err(|_| wrong())?));
        } else if let Some(value) = words.value(word, &["-c", "--count"]) {
            rounds = Some(value?.parse().map_err(|_| wrong())?);
        } else {
            match word {
                "-h" | "--help" => return Err(Outcome::new(MONITOR_HELP, 0)),
                _ => return Err(Outcome::new(format!("Option \"{word}\" is not recognized.\n"), WRONG)),
            }
        }
    }
    // The monitor repeats by itself.
    Ok(Options { task: Task::Monitor { what, rounds }, devices, every, format: Format::default(), file: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Outcome> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn refusal(line: &str) -> (String, u8) {
        match read(line) {
            Err(outcome) => (outcome.text, outcome.status),
            Ok(_) => panic!("{line}"),
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_by_nvidias_tool() {
        for (line, text, status) in [
            ("--query-gpu=bogus --format=csv", "Field \"bogus\" is not a valid field to query.\n\n", 2),
            ("--query-gpu=index,bogus --format=csv", "Field \"bogus\" is not a valid field to query.\n\n", 2),
            ("--query-compute-apps=bogus", "Field \"bogus\" is not a valid field to query.\n\n", 2),
            ("--query-gpu=index --format=xml", "Format modifier is not recognized.\n", 2),
            ("--query-gpu=index --format=csv,bogus", "Format modifier is not recognized.\n", 2),
            ("-q -d BOGUS", "Failed to parse --display/-d flags\n", 2),
            ("-i 99 -L", "ERROR: Option -i is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n", 2),
            (
                "--id=0 --list-gpus",
                "ERROR: Option --id=0 is not valid for this command. Please run 'nvidia-smi -h' for help.\n\n",
                2,
            ),
            ("--format=csv", "ERROR: Option --format=csv is not recognized. Please run 'nvidia-smi -h'.\n\n", 255),
            ("bogus", "ERROR: Option bogus is not recognized. Please run 'nvidia-smi -h'.\n\n", 255),
            ("-i", "ERROR: Option -i is missing its value. Please run 'nvidia-smi -h' for help.\n\n", 255),
            ("topo -p2p bogus", "Invalid p2p capability index specified at the command-line\n", 2),
            ("topo -bogus", "Option \"-bogus\" is not recognized.\n", 2),
        ] {
            assert_eq!(refusal(line), (text.to_owned(), status), "{line}");
        }
    }

    #[test]
    fn compute_modes() {
        for (line, mode) in
            [("-c 3", 3), ("-c EXCLUSIVE_PROCESS", 3), ("--compute-mode=prohibited -i 0", 2), ("-c 0", 0)]
        {
            assert!(
                read(line).is_ok_and(|options| matches!(options.task, Task::SetComputeMode(found) if found == mode)),
                "{line}"
            );
        }
        assert_eq!(refusal("-c 4").1, WRONG);
        assert_eq!(refusal("-c SHARED").1, WRONG);
        assert_eq!(refusal("-c").1, UNKNOWN);
    }

    #[test]
    fn the_log_as_xml() {
        assert!(read("-q -x").is_ok_and(|options| matches!(options.task, Task::Log { xml: true, .. })));
        assert!(read("-q").is_ok_and(|options| matches!(options.task, Task::Log { xml: false, .. })));
        assert_eq!(refusal("-x").1, WRONG);
    }

    #[test]
    fn help_is_no_mistake() {
        for line in ["-h", "--help", "topo", "topo -h", "dmon -h", "--help-query-gpu", "--help-query-compute-apps"] {
            assert_eq!(refusal(line).1, 0, "{line}");
        }
    }

    #[test]
    fn rounds() {
        assert_eq!(read("-l").unwrap_or_else(|_| panic!()).every, Some(Duration::from_secs(5)));
        assert_eq!(read("-l 2").unwrap_or_else(|_| panic!()).every, Some(Duration::from_secs(2)));
        assert_eq!(read("--loop=3").unwrap_or_else(|_| panic!()).every, Some(Duration::from_secs(3)));
        assert_eq!(read("-lms 400").unwrap_or_else(|_| panic!()).every, Some(Duration::from_millis(400)));
        assert!(read("-l -i 0").is_ok_and(|options| options.devices.as_deref() == Some("0")));
    }
}
