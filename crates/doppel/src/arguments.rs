//! The command line.

use settings::config;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// How our libraries come before others of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By an auditing library: wherever they would have been found.
    Audit,
    /// By `LD_PRELOAD`: the runtime alone.
    Preload,
    /// By `LD_LIBRARY_PATH` alone.
    Path,
}

/// How `doppel env` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// For a shell.
    #[default]
    Shell,
    /// Into the files of a job of GitHub's.
    GitHub,
    /// For a Dockerfile.
    Docker,
}

/// Variables to set, with their values.
pub type Variables = Vec<(&'static str, OsString)>;

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help(String),
    Run(Launch),
    Env(Entry),
    Info(Variables),
    Status(Filter),
    /// `nvidia-smi` with its arguments.
    Smi(Vec<String>),
    /// What a trace comes to.
    Summary(OsString),
}

/// A program to run.
#[derive(Debug, PartialEq, Eq)]
pub struct Launch {
    pub variables: Variables,
    pub way: Way,
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

/// An environment to print.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub variables: Variables,
    pub way: Way,
    pub form: Form,
}

/// Which functions to show.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those alone that are not implemented, or not fully.
    pub missing: bool,
    /// Those alone that have one of these in their name.
    pub names: Vec<String>,
}

/// An option that sets a variable.
struct Setting {
    option: &'static str,
    variable: &'static str,
    value: &'static str,
    help: &'static str,
}

const SETTINGS: &[Setting] = &[
    Setting {
        option: "--mode",
        variable: "DOPPEL_MODE",
        value: "MODE",
        help: "cpu (default), forward, absent, auto: who answers CUDA calls",
    },
    Setting {
        option: "--devices",
        variable: "DOPPEL_DEVICES",
        value: "N",
        help: "number of devices, or a list of profiles such as h200,h200",
    },
    Setting {
        option: "--memory",
        variable: "DOPPEL_DEVICE_MEMORY",
        value: "SIZE",
        help: "memory of each device, such as 8GiB",
    },
    Setting {
        option: "--limit",
        variable: "DOPPEL_MEMORY_LIMIT",
        value: "SIZE",
        help: "how much of it the program may have: 2GiB, or 2GiB,none,... by device",
    },
    Setting {
        option: "--trace",
        variable: "DOPPEL_TRACE",
        value: "FILE",
        help: "writes each call: text, or Perfetto's JSON to FILE.json, or - for stderr",
    },
    Setting {
        option: "--trace-calls",
        variable: "DOPPEL_TRACE_CALLS",
        value: "LIST",
        help: "only these calls: cuMem*,cuLaunchKernel or !cuCtxGetCurrent",
    },
    Setting {
        option: "--fault",
        variable: "DOPPEL_FAULT",
        value: "RULES",
        help: "calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file",
    },
    Setting {
        option: "--node",
        variable: "DOPPEL_NODE",
        value: "NAME",
        help: "processes with this name share the devices; none: with nobody",
    },
    Setting {
        option: "--schedule",
        variable: "DOPPEL_SCHEDULE",
        value: "S",
        help: "eager (default), lazy, random:SEED: when queued work runs",
    },
    Setting {
        option: "--check",
        variable: "DOPPEL_CHECK",
        value: "WHAT",
        help: "memcheck, leaks, exit=N, limit=N, in a list: look for mistakes",
    },
    Setting {
        option: "--log",
        variable: "DOPPEL_LOG",
        value: "LEVEL",
        help: "off, error, warn (default), info, debug",
    },
    Setting {
        option: "--real",
        variable: "DOPPEL_REAL_LIBCUDA",
        value: "FILE",
        help: "the real driver, for the modes forward and auto",
    },
];

const USAGE: &str = "\
usage: doppel run [OPTION...] [--] PROGRAM [ARGUMENT...]   runs a program on Doppel's CUDA libraries
       doppel env [OPTION...] [--github | --docker]        prints what run sets, for a shell, GitHub or Docker
       doppel info [OPTION...]                             lists the devices that a program would see
       doppel status [--missing] [NAME...]                 lists the driver's functions and their state
       doppel trace [OPTION...] [--] PROGRAM [ARGUMENT...] runs a program and writes its calls to stderr, or with
                                                           -o FILE to a file; -e LIST: only these calls
       doppel trace summary FILE                           sums up a trace in text
       doppel smi [OPTION...]                              is nvidia-smi: the devices, as scripts ask for them
";

fn help() -> String {
    let mut text = format!("{USAGE}\noptions of run, env and info, each of which sets a variable:\n");
    for s in SETTINGS {
        let left = format!("{} {}", s.option, s.value);
        text.push_str(&format!("  {left:<18} {}\n  {:<18} ({})\n", s.help, "", s.variable));
    }
    text.push_str(
        "options of run and env:\n  \
         --preload          LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path\n  \
         --no-preload       neither: programs that name NVIDIA's libraries by a path get NVIDIA's\n\
         options of env:\n  \
         --github           appends to the files of a job of GitHub's\n  \
         --docker           prints ENV lines for a Dockerfile\n\
         options of status:\n  \
         --missing          only what is not implemented, or not fully\n  \
         NAME               only functions with this in their name\n",
    );
    text
}

/// Reads the command line, without the program's own name.
pub fn parse(arguments: Vec<OsString>) -> Result<Command, String> {
    let mut rest = arguments.into_iter().peekable();
    let command = rest.next().ok_or_else(|| format!("no command\n{}", USAGE.trim_end()))?;
    match command.to_str() {
        Some("run") => launch(&mut rest),
        Some("info") => {
            let Options { variables, .. } = options(&mut rest, &[])?;
            match rest.next() {
                None => checked(variables).map(Command::Info),
                Some(word) if is_help(&word) => Ok(Command::Help(help())),
                Some(word) => Err(format!("info takes no argument {}", shown(&word))),
            }
        }
        Some("env") => {
            let Options { variables, way, form } = options(&mut rest, &[WAYS, FORMS].concat())?;
            match rest.next() {
                None => Ok(Command::Env(Entry { variables: checked(variables)?, way, form })),
                Some(word) if is_help(&word) => Ok(Command::Help(help())),
                Some(word) => Err(format!("env takes no argument {}", shown(&word))),
            }
        }
        Some("status") => status(rest),
        Some("trace") => trace(&mut rest),
        Some("smi") => Ok(Command::Smi(rest.map(|word| word.to_string_lossy().into_owned()).collect())),
        Some("--help" | "-h" | "help") => Ok(Command::Help(help())),
        Some("--version") => Ok(Command::Help(format!("doppel {}\n", env!("CARGO_PKG_VERSION")))),
        _ => Err(format!("{} is no command; there are run, env, info, status, trace and smi", shown(&command))),
    }
}

fn shown(word: &OsStr) -> String {
    format!("\"{}\"", word.to_string_lossy())
}

fn is_help(word: &OsStr) -> bool {
    word == "--help" || word == "-h"
}

type Words = std::iter::Peekable<std::vec::IntoIter<OsString>>;

/// What the options at the front say.
struct Options {
    variables: Variables,
    way: Way,
    form: Form,
}

/// Options without a value.
#[derive(Clone, Copy)]
enum Switch {
    Way(&'static str, Way),
    Form(&'static str, Form),
}

const WAYS: &[Switch] = &[Switch::Way("--preload", Way::Preload), Switch::Way("--no-preload", Way::Path)];
const FORMS: &[Switch] = &[Switch::Form("--github", Form::GitHub), Switch::Form("--docker", Form::Docker)];

/// Takes the options at the front; stops before the first word that is none, and before `--help`.
fn options(rest: &mut Words, switches: &[Switch]) -> Result<Options, String> {
    let mut variables = Variables::new();
    let (mut way, mut form) = (Way::Audit, Form::Shell);
    while let Some(word) = rest.next_if(|w| w.as_bytes().starts_with(b"-") && w != "--" && !is_help(w)) {
        let taken = switches.iter().any(|switch| match *switch {
            Switch::Way(name, new) if word == name => {
                way = new;
                true
            }
            Switch::Form(name, new) if word == name => {
                form = new;
                true
            }
            _ => false,
        });
        if taken {
            continue;
        }
        // Both `--mode cpu` and `--mode=cpu`.
        let (name, joined) = match word.as_bytes().iter().position(|&b| b == b'=') {
            Some(at) => (&word.as_bytes()[..at], Some(OsString::from_vec(word.as_bytes()[at + 1..].to_vec()))),
            None => (word.as_bytes(), None),
        };
        let setting = SETTINGS.iter().find(|s| s.option.as_bytes() == name);
        let setting = setting.ok_or_else(|| format!("{} is no option; doppel --help lists them", shown(&word)))?;
        let value = joined.or_else(|| rest.next()).filter(|v| !v.is_empty());
        let value = value.ok_or_else(|| format!("{} needs a value: {}", setting.option, setting.help))?;
        if variables.iter().any(|(v, _)| *v == setting.variable) {
            return Err(format!("{} is given twice", setting.option));
        }
        variables.push((setting.variable, value));
    }
    Ok(Options { variables, way, form })
}

fn launch(rest: &mut Words) -> Result<Command, String> {
    launch_with(rest, Variables::new())
}

/// The command `trace`: [`launch`] with another spelling of two options.
fn trace(rest: &mut Words) -> Result<Command, String> {
    if rest.next_if(|w| w == "summary").is_some() {
        let file = rest.next().filter(|w| !w.is_empty()).ok_or("trace summary needs a file")?;
        return match rest.next() {
            Some(word) => Err(format!("trace summary takes no argument {}", shown(&word))),
            None if is_help(&file) => Ok(Command::Help(help())),
            None => Ok(Command::Summary(file)),
        };
    }
    let mut set = Variables::new();
    while let Some(word) = rest.next_if(|w| w == "-o" || w == "-e") {
        let (variable, what) =
            if word == "-o" { ("DOPPEL_TRACE", "a file") } else { ("DOPPEL_TRACE_CALLS", "a list of calls") };
        let value = rest.next().filter(|v| !v.is_empty());
        let value = value.ok_or_else(|| format!("{} needs {what}", word.to_string_lossy()))?;
        if set.iter().any(|(v, _)| *v == variable) {
            return Err(format!("{} is given twice", word.to_string_lossy()));
        }
        set.push((variable, value));
    }
    if !set.iter().any(|(v, _)| *v == "DOPPEL_TRACE") {
        set.push(("DOPPEL_TRACE", "-".into()));
    }
    launch_with(rest, set)
}

/// A program, with the options in front of it beside those that are set already.
fn launch_with(rest: &mut Words, set: Variables) -> Result<Command, String> {
    let Options { variables, way, .. } = options(rest, WAYS)?;
    // Of two spellings the one in front counts.
    let more = variables.into_iter().filter(|(name, _)| set.iter().all(|(other, _)| other != name));
    let variables: Variables = set.iter().cloned().chain(more).collect();
    if rest.peek().is_some_and(|w| is_help(w)) {
        return Ok(Command::Help(help()));
    }
    rest.next_if(|w| w == "--");
    let program = rest.next().filter(|p| !p.is_empty());
    let program = program.ok_or("run needs a program: doppel run [OPTION...] [--] PROGRAM [ARGUMENT...]")?;
    Ok(Command::Run(Launch { variables: checked(variables)?, way, program, arguments: rest.collect() }))
}

fn status(rest: Words) -> Result<Command, String> {
    let mut filter = Filter::default();
    for word in rest {
        match word.to_str() {
            Some("--missing") => filter.missing = true,
            Some("--help" | "-h") => return Ok(Command::Help(help())),
            Some(name) if !name.starts_with('-') => filter.names.push(name.to_owned()),
            _ => return Err(format!("{} is no option of status", shown(&word))),
        }
    }
    Ok(Command::Status(filter))
}

/// Refuses what the library would refuse.
fn checked(variables: Variables) -> Result<Variables, String> {
    let env = |name: &str| {
        let ours = variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.clone());
        ours.or_else(|| std::env::var_os(name)).map(OsStringExt::into_vec)
    };
    let complaints = [config::parse_start(env, false).1, config::parse_settings(env, false).1].concat();
    if complaints.is_empty() { Ok(variables) } else { Err(complaints.join("\ndoppel: ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from).collect())
    }

    fn launch_of(line: &str) -> Launch {
        match read(line) {
            Ok(Command::Run(launch)) => launch,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_program_and_its_arguments() {
        let l = launch_of("run --mode cpu --devices=2 -- prog --mode x -h");
        assert_eq!(l.variables, [("DOPPEL_MODE", "cpu".into()), ("DOPPEL_DEVICES", "2".into())]);
        assert_eq!((l.program, l.way), ("prog".into(), Way::Audit));
        assert_eq!(l.arguments, ["--mode", "x", "-h"]);
        let l = launch_of("run --no-preload prog -- a");
        assert_eq!((l.program, l.way), ("prog".into(), Way::Path));
        assert_eq!(l.arguments, ["--", "a"]);
        assert_eq!(launch_of("run --preload prog").way, Way::Preload);
        assert!(launch_of("run prog").variables.is_empty());
    }

    #[test]
    fn every_option_sets_the_variable_that_the_library_reads() {
        let l = launch_of(
            "run --mode auto --devices h200,h200 --memory 8GiB --node a --schedule random:7 --log debug --check memcheck \
             --limit 2GiB --trace a.json --trace-calls cuMem* --fault copy:delay=1 --real /x/libcuda.so.1 p",
        );
        let env = |name: &str| l.variables.iter().find(|(v, _)| *v == name).map(|(_, value)| value.clone().into_vec());
        let (start, _) = config::parse_start(env, false);
        let (settings, _) = config::parse_settings(env, false);
        assert_eq!(start.mode, Some(config::Mode::Auto));
        assert_eq!(start.real_libcuda, Some("/x/libcuda.so.1".into()));
        assert_eq!(settings.devices.as_deref(), Some("h200,h200"));
        assert_eq!(settings.device_memory, Some(8 << 30));
        assert_eq!(settings.node, config::Node::Named("a".into()));
        assert_eq!(settings.schedule, config::Schedule::Random(7));
        assert!(settings.check.memory && !settings.check.leaks);
        assert_eq!(start.limits.of(3), Some(2 << 30));
        assert_eq!(start.fault.as_deref(), Some("copy:delay=1"));
        assert!(start.trace.is_some_and(|t| t.format == config::Format::Json && !t.calls.matches(&["cuInit"])));
        assert_eq!(l.variables.len(), SETTINGS.len());
    }

    #[test]
    fn a_trace_is_a_run() {
        let l = launch_of("trace -e cuMem* --mode cpu -- prog -o x");
        let variables: Variables =
            vec![("DOPPEL_TRACE_CALLS", "cuMem*".into()), ("DOPPEL_TRACE", "-".into()), ("DOPPEL_MODE", "cpu".into())];
        assert_eq!((l.variables, l.arguments), (variables, vec!["-o".into(), "x".into()]));
        assert_eq!(launch_of("trace -o a.json prog").variables, [("DOPPEL_TRACE", "a.json".into())]);
        assert_eq!(read("trace summary a.txt"), Ok(Command::Summary("a.txt".into())));
        for line in ["trace summary", "trace summary a b", "trace -o", "trace -e x -e y p", "trace -e cu( p", "trace"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, words) in [
            ("", "no command"),
            ("go", "\"go\" is no command"),
            ("run", "needs a program"),
            ("run --", "needs a program"),
            ("run --mode", "--mode needs a value"),
            ("run --mode= p", "--mode needs a value"),
            ("run --mode gpu p", "expected cpu, forward, absent or auto"),
            ("run --memory 8GB p", "a size such as 8GiB"),
            ("run --schedule now p", "eager, lazy or random:SEED"),
            ("run --log loud p", "off, error, warn"),
            ("run --tracing f p", "\"--tracing\" is no option"),
            ("run --mode cpu --mode cpu p", "given twice"),
            ("info now", "no argument \"now\""),
            ("info --no-preload", "is no option"),
            ("run --github p", "is no option"),
            ("env p", "env takes no argument"),
            ("status -x", "\"-x\" is no option of status"),
        ] {
            let problem = read(line).expect_err(line);
            assert!(problem.contains(words), "{line}: {problem}");
        }
    }

    #[test]
    fn help_names_every_option() {
        for line in ["--help", "-h", "help", "run --help", "run --mode cpu -h", "env -h", "info --help", "status -h"] {
            let Ok(Command::Help(text)) = read(line) else { panic!("{line}") };
            assert!(SETTINGS.iter().all(|s| text.contains(s.option) && text.contains(s.variable)));
        }
        assert!(matches!(read("--version"), Ok(Command::Help(text)) if text.starts_with("doppel ")));
    }

    #[test]
    fn environments() {
        let entry = Entry { variables: vec![("DOPPEL_DEVICES", "2".into())], way: Way::Preload, form: Form::Docker };
        assert_eq!(read("env --devices 2 --docker --preload"), Ok(Command::Env(entry)));
    }

    #[test]
    fn the_arguments_of_smi_are_its_own() {
        let words = ["--query-gpu=name", "--help"].map(str::to_owned).to_vec();
        assert_eq!(read("smi --query-gpu=name --help"), Ok(Command::Smi(words)));
    }

    #[test]
    fn filters() {
        let filter = Filter { missing: true, names: vec!["Graph".into()] };
        assert_eq!(read("status --missing Graph"), Ok(Command::Status(filter)));
    }
}
