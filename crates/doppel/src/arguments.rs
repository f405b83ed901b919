//! What the command line says.

use crate::cli::{self, SETTINGS, name};
use crate::tolerance::Tolerance;
use clap::ArgMatches;
use core::time::Duration;
use profiles::profile::Profile;
use settings::config;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

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
    Json,
}

/// Variables to set, with their values.
pub type Variables = Vec<(&'static str, OsString)>;

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Command {
    Run(Launch),
    Env(Entry),
    Info {
        variables: Variables,
        json: bool,
    },
    Status(Filter),
    /// What is to be said of a program.
    Doctor {
        launch: Launch,
        json: bool,
    },
    /// `nvidia-smi` with its arguments.
    Smi(Vec<String>),
    /// What a trace comes to.
    Summary {
        file: OsString,
        json: bool,
    },
    /// A timeline of a trace.
    View {
        file: OsString,
        page: Option<OsString>,
    },
    /// A record to ask again.
    Replay(Replay),
    /// A program with faults in each of its calls.
    Sweep(Sweep),
    /// What a core dump says.
    Core(CoreQuery),
    /// For this shell.
    Completions(String),
}

/// A program to run once for each of its calls and each error.
#[derive(Debug, PartialEq, Eq)]
pub struct Sweep {
    pub launch: Launch,
    pub errors: Vec<String>,
    /// How long a run may take.
    pub seconds: u32,
    /// Calls of one function from one place that are tried.
    pub most: usize,
    pub json: bool,
}

/// What to replay.
#[derive(Debug, Default, PartialEq)]
pub struct Replay {
    pub variables: Variables,
    pub file: OsString,
    pub tolerances: Vec<Tolerance>,
    /// Bytes of the host's memory that the replay may take.
    pub memory: Option<u64>,
    pub json: bool,
    /// How long a call may take; none for as long as it does.
    pub patience: Option<Duration>,
}

/// What to show of a core dump.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CoreQuery {
    pub file: OsString,
    /// The thread of the block; none for the one that went wrong.
    pub thread: Option<u64>,
    /// With the contents of its memory.
    pub memory: bool,
    pub json: bool,
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
    pub json: bool,
}

/// Why the command line is not one.
#[derive(Debug)]
pub enum Problem {
    /// Its words: also where help is asked for. `clap` says what, and where it goes.
    Words(clap::Error),
    /// A value of a variable.
    Value(String),
}

impl From<clap::Error> for Problem {
    fn from(error: clap::Error) -> Problem {
        Problem::Words(error)
    }
}

/// Reads the command line, without the program's own name.
pub fn parse(arguments: Vec<OsString>) -> Result<Command, Problem> {
    // All of them are its own, also `--` and `--help`.
    if let Some((_, rest)) = arguments.split_first().filter(|(first, _)| *first == "smi") {
        return Ok(Command::Smi(rest.iter().map(|word| word.to_string_lossy().into_owned()).collect()));
    }
    let matches = cli::command().no_binary_name(true).try_get_matches_from(arguments)?;
    let Some((command, found)) = matches.subcommand() else { unreachable!("a command is required") };
    let file = |found: &ArgMatches| found.get_one::<OsString>(name::FILE).cloned().unwrap_or_default();
    Ok(match command {
        "run" => Command::Run(launch(found)?),
        "trace" => match found.subcommand() {
            Some(("view", found)) => {
                Command::View { file: file(found), page: found.get_one::<OsString>(name::PAGE).cloned() }
            }
            Some((_, found)) => Command::Summary { file: file(found), json: found.get_flag(name::JSON) },
            None => Command::Run(launch(found)?),
        },
        "record" => Command::Run(launch(found)?),
        "replay" => Command::Replay(Replay {
            variables: variables(found)?,
            file: file(found),
            tolerances: found
                .get_many::<Vec<Tolerance>>(name::TOLERANCE)
                .into_iter()
                .flatten()
                .flatten()
                .copied()
                .collect(),
            memory: found.get_one(name::HOST_MEMORY).copied(),
            json: found.get_flag(name::JSON),
            patience: match found.get_one::<u32>(name::TIMEOUT).map_or(cli::PATIENCE, |seconds| *seconds) {
                0 => None,
                seconds => Some(Duration::from_secs(seconds.into())),
            },
        }),
        "doctor" => Command::Doctor { launch: launch(found)?, json: found.get_flag(name::JSON) },
        "fault" => match found.subcommand() {
            Some((_, found)) => Command::Sweep(Sweep {
                launch: launch(found)?,
                errors: found.get_many(name::ERRORS).into_iter().flatten().cloned().collect(),
                seconds: found.get_one(name::SECONDS).copied().unwrap_or(1),
                most: found.get_one::<u32>(name::MOST).map_or(1, |n| *n as usize),
                json: found.get_flag(name::JSON),
            }),
            None => unreachable!("the command fault needs another one"),
        },
        "env" => Command::Env(Entry { variables: variables(found)?, way: way(found), form: form(found) }),
        "info" => Command::Info { variables: variables(found)?, json: found.get_flag(name::JSON) },
        "status" => Command::Status(Filter {
            missing: found.get_flag(name::MISSING),
            names: found.get_many(name::NAMES).into_iter().flatten().cloned().collect(),
            json: found.get_flag(name::JSON),
        }),
        "core" => Command::Core(CoreQuery {
            file: file(found),
            thread: found.get_one(name::THREAD).copied(),
            memory: found.get_flag(name::MEMORY),
            json: found.get_flag(name::JSON),
        }),
        "completions" => Command::Completions(found.get_one::<String>(name::SHELL).cloned().unwrap_or_default()),
        other => unreachable!("the command {other} is not known here"),
    })
}

fn launch(found: &ArgMatches) -> Result<Launch, Problem> {
    let mut words = found.get_many::<OsString>(name::PROGRAM).into_iter().flatten().cloned();
    let program = words.next().filter(|program| !program.is_empty());
    let program = program.ok_or_else(|| Problem::Value("the program has no name".into()))?;
    Ok(Launch { variables: variables(found)?, way: way(found), program, arguments: words.collect() })
}

fn way(found: &ArgMatches) -> Way {
    // `doctor` has none.
    let given = |name| found.try_get_one::<bool>(name).ok().flatten() == Some(&true);
    match (given(name::PRELOAD), given(name::NO_PRELOAD)) {
        (true, _) => Way::Preload,
        (_, true) => Way::Path,
        _ => Way::Audit,
    }
}

fn form(found: &ArgMatches) -> Form {
    let forms = [(name::GITHUB, Form::GitHub), (name::DOCKER, Form::Docker), (name::JSON, Form::Json)];
    forms.into_iter().find(|(name, _)| found.get_flag(name)).map_or(Form::Shell, |(_, form)| form)
}

/// The variables that options set. What the library would refuse is refused here, also in variables that are set already.
fn variables(found: &ArgMatches) -> Result<Variables, Problem> {
    let given = |option| found.get_raw(option).and_then(|mut values| values.next()).map(OsString::from);
    let variables: Variables = SETTINGS.iter().filter_map(|s| Some((s.variable, given(s.option)?))).collect();
    let env = |name: &str| {
        let ours = variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.clone());
        ours.or_else(|| std::env::var_os(name)).filter(|value| !value.is_empty())
    };
    let bytes = |name: &str| env(name).map(OsString::into_vec);
    let (start, mut complaints) = config::parse_start(bytes, false);
    let (settings, more) = config::parse_settings(bytes, false);
    complaints.extend(more);
    complaints.extend(
        settings
            .check
            .unknown
            .iter()
            .map(|word| config::malformed("DOPPEL_CHECK", word, &format!("{}, in a list", config::CHECKS))),
    );
    if let Some(Err(why)) = settings.devices.as_deref().map(|spec| Profile::list(spec, true)) {
        complaints.push(format!("DOPPEL_DEVICES is refused: {why}"));
    }
    if let Some(file) = start.real_libcuda.filter(|file| !file.is_file()) {
        complaints.push(format!("DOPPEL_REAL_LIBCUDA={:?} is refused: there is no such file", file));
    }
    let files = [
        ("DOPPEL_TRACE", start.trace.and_then(|trace| trace.file)),
        ("DOPPEL_RECORD", start.record),
        ("DOPPEL_CHECK", settings.check.junit.map(PathBuf::from)),
        ("DOPPEL_CHECK", settings.check.sarif.map(PathBuf::from)),
    ];
    for (name, file) in files.iter().filter_map(|(name, file)| Some((name, file.as_deref()?))) {
        if let Some(why) = unwritable(file) {
            complaints.push(format!("{name}: {file:?} is refused: {why}"));
        }
    }
    let complaints: Vec<_> =
        complaints.iter().map(|text| by_option(text, |option| found.contains_id(option))).collect();
    if complaints.is_empty() { Ok(variables) } else { Err(Problem::Value(complaints.join("\ndoppel: "))) }
}

/// A complaint about a variable as one about the option that set it, if one did. Complaints begin with the variable's name.
fn by_option(complaint: &str, is_given: impl Fn(&str) -> bool) -> String {
    let option = SETTINGS.iter().filter(|s| is_given(s.option)).find_map(|s| {
        let rest = complaint.strip_prefix(s.variable).filter(|rest| rest.starts_with(['=', ':', ' ']))?;
        Some(format!("--{}{rest}", s.option))
    });
    option.unwrap_or_else(|| complaint.to_owned())
}

/// Why a file that a program is to write cannot be written. Where the process's number is part of its name, nobody knows.
fn unwritable(file: &Path) -> Option<String> {
    let may = |path: &Path, how| {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
        // SAFETY: the name ends in NUL.
        if unsafe { libc::access(name.as_ptr(), how) } == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    };
    let is_pattern = |path: &Path| path.as_os_str().as_bytes().contains(&b'%');
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if is_pattern(folder) {
        return None;
    }
    if !folder.is_dir() {
        return Some(format!("there is no folder {}", folder.display()));
    }
    if is_pattern(file) || !file.exists() {
        return may(folder, libc::W_OK | libc::X_OK).err().map(|why| format!("{}: {why}", folder.display()));
    }
    if file.is_dir() {
        return Some("it is a folder".into());
    }
    may(file, libc::W_OK).err().map(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, Problem> {
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
             --record a.rec --limit 2GiB --trace a.json --trace-calls cuMem* --trace-range profiler --trace-stacks cuMem* --fault copy:delay=1 --real /proc/self/exe p",
        );
        let env = |name: &str| l.variables.iter().find(|(v, _)| *v == name).map(|(_, value)| value.clone().into_vec());
        let (start, _) = config::parse_start(env, false);
        let (settings, _) = config::parse_settings(env, false);
        assert_eq!(start.mode, Some(config::Mode::Auto));
        assert_eq!(start.real_libcuda, Some("/proc/self/exe".into()));
        assert_eq!(settings.devices.as_deref(), Some("h200,h200"));
        assert_eq!(settings.device_memory, Some(8 << 30));
        assert_eq!(settings.node, config::Node::Named("a".into()));
        assert_eq!(settings.schedule, config::Schedule::Random(7));
        assert!(settings.check.memory && !settings.check.leaks);
        assert_eq!(start.limits.of(3), Some(2 << 30));
        assert_eq!(start.fault.as_deref(), Some("copy:delay=1"));
        assert_eq!(start.record, Some("a.rec".into()));
        let trace = start.trace.expect("a trace");
        assert!(trace.format == config::Format::Json && !trace.calls.matches(&["cuInit"]));
        assert_eq!(trace.range, config::TraceRange::Profiler);
        assert!(trace.stacks.is_some_and(|stacks| !stacks.matches(&["cuInit"])));
        assert_eq!(l.variables.len(), SETTINGS.len());
    }

    /// The exit status and the words of a command line that is none.
    fn problem(line: &str) -> (i32, String) {
        match read(line) {
            Err(Problem::Words(error)) => (error.exit_code(), error.to_string()),
            Err(Problem::Value(text)) => (2, text),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        let mut whole = cli::command();
        whole.build();
        whole.debug_assert();
    }

    #[test]
    fn a_trace_is_a_run() {
        let l = launch_of("trace -e cuMem* --mode cpu -- prog -o x");
        let variables: Variables =
            vec![("DOPPEL_MODE", "cpu".into()), ("DOPPEL_TRACE", "-".into()), ("DOPPEL_TRACE_CALLS", "cuMem*".into())];
        assert_eq!((l.variables, l.arguments), (variables, vec!["-o".into(), "x".into()]));
        assert_eq!(launch_of("trace -o a.json prog").variables, [("DOPPEL_TRACE", "a.json".into())]);
        assert_eq!(launch_of("trace --trace a.json prog").variables, [("DOPPEL_TRACE", "a.json".into())]);
        assert_eq!(launch_of("trace -o - prog").variables, [("DOPPEL_TRACE", "-".into())]);
        assert_eq!(launch_of("trace -- summary").program, "summary");
        assert!(matches!(read("trace summary a.txt"), Ok(Command::Summary { file, json: false }) if file == "a.txt"));
        assert!(matches!(read("trace summary --json a.txt"), Ok(Command::Summary { json: true, .. })));
        assert!(matches!(read("trace view a.txt"), Ok(Command::View { page: None, .. })));
        assert!(matches!(read("trace view a.txt b"), Ok(Command::View { page: Some(b), .. }) if b == "b"));
        assert!(launch_of("trace -k cuX p").variables.contains(&("DOPPEL_TRACE_STACKS", "cuX".into())));
        let sweep = read("fault sweep --errors UNKNOWN,OUT_OF_MEMORY --most 3 --mode cpu -- p -x");
        let Ok(Command::Sweep(sweep)) = sweep else { panic!("{sweep:?}") };
        assert_eq!((sweep.errors.join(" "), sweep.most, sweep.seconds), ("UNKNOWN OUT_OF_MEMORY".into(), 3, 10));
        assert_eq!((sweep.launch.program, sweep.launch.arguments), ("p".into(), vec!["-x".into()]));
        for line in [
            "fault",
            "fault sweep",
            "fault sweep --seconds 0 p",
            "trace view",
            "trace view a b c",
            "trace summary",
            "trace summary a b",
            "trace -o",
            "trace -e x -e y p",
            "trace -e cu( p",
            "trace",
        ] {
            assert_eq!(problem(line).0, 2, "{line}");
        }
    }

    #[test]
    fn complaints_name_what_was_given() {
        for (given, complaint, said) in [
            ("trace", "DOPPEL_TRACE: \"/\" is refused", "--trace: \"/\" is refused"),
            ("trace", "DOPPEL_TRACE_CALLS=\"x\" is refused", "DOPPEL_TRACE_CALLS=\"x\" is refused"),
            ("devices", "DOPPEL_DEVICES is refused: x", "--devices is refused: x"),
            ("devices", "DOPPEL_MODE=\"x\" is refused", "DOPPEL_MODE=\"x\" is refused"),
        ] {
            assert_eq!(by_option(complaint, |option| option == given), said);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, words) in [
            ("", "requires a subcommand"),
            ("go", "unrecognized subcommand 'go'"),
            ("stats", "'status'"),
            ("run", "PROGRAM"),
            ("run --", "PROGRAM"),
            ("run --mode", "a value is required for '--mode <MODE>'"),
            ("run --mode= p", "--mode <MODE>"),
            ("run --devices= p", "a value is needed"),
            ("run --mode gpu p", "[possible values: cpu, forward, absent, auto]"),
            ("run --memory 8XB p", "a size such as 8GiB"),
            ("run --memory -1 p", "unexpected argument"),
            ("run --limit 1GiB,x p", "a size such as 2GiB for all devices"),
            ("run --schedule now p", "eager, lazy or random:SEED"),
            ("run --log loud p", "off, error, warn"),
            ("run --check memchk p", "--check=\"memchk\" is refused: expected memcheck"),
            ("run --devices x p", "x: neither a built-in profile (cc75, "),
            ("run --devices h200, p", "a name in the list is empty"),
            ("run --devices 65 p", "at most 64 devices"),
            ("run --real /nowhere/libcuda.so.1 p", "no such file"),
            ("run --trace /nowhere/a p", "no folder /nowhere"),
            ("run --trace / p", "it is a folder"),
            ("run --record / p", "it is a folder"),
            ("run --check junit=/ p", "it is a folder"),
            ("run --check memcheck,sarif=/nowhere/a p", "no folder /nowhere"),
            ("run --record /nowhere/a%p p", "no folder /nowhere"),
            ("replay --host-memory 0 f", "a size is needed"),
            ("status _v2", "a name is needed"),
            ("fault sweep --errors UNKNOWN,FOO p", "no error of the driver has this name"),
            ("fault sweep --errors UNKNOWN, p", "no error of the driver has this name"),
            ("run", "Usage: doppel run"),
            ("fault sweep", "Usage: doppel fault sweep"),
            ("run --tracing f p", "unexpected argument '--tracing'"),
            ("run --devises 2 p", "'--devices'"),
            ("run --mode cpu --mode cpu p", "cannot be used multiple times"),
            ("run --preload --no-preload p", "cannot be used with"),
            ("info now", "unexpected argument 'now'"),
            ("info --no-preload", "unexpected argument"),
            ("run --github p", "unexpected argument"),
            ("env p", "unexpected argument 'p'"),
            ("env --docker --json", "cannot be used with"),
            ("status -x", "unexpected argument '-x'"),
            ("completions tcsh", "[possible values: bash, zsh, fish]"),
        ] {
            let (status, text) = problem(line);
            assert!(status == 2 && text.contains(words), "{line}: {status} {text}");
        }
    }

    #[test]
    fn help_names_every_option() {
        for line in ["run --help", "run --mode cpu -h", "env -h", "info --help", "trace -h"] {
            let (status, text) = problem(line);
            assert_eq!(status, 0, "{line}");
            assert!(SETTINGS.iter().all(|s| text.contains(s.option) && text.contains(s.variable)), "{line}: {text}");
        }
        for line in ["--help", "-h", "help"] {
            let (status, text) = problem(line);
            assert_eq!(status, 0);
            assert!(cli::command().get_subcommands().all(|command| text.contains(command.get_name())), "{text}");
        }
        let (status, text) = problem("--version");
        assert!(status == 0 && text.starts_with("doppel "));
    }

    #[test]
    fn a_record_is_a_run() {
        let l = launch_of("record --mode cpu -- prog -o x");
        let variables: Variables = vec![("DOPPEL_MODE", "cpu".into()), ("DOPPEL_RECORD", "doppel.rec".into())];
        assert_eq!((l.variables, l.arguments), (variables, vec!["-o".into(), "x".into()]));
        assert_eq!(launch_of("record -o a.rec prog").variables, [("DOPPEL_RECORD", "a.rec".into())]);
        let query =
            read("replay --mode forward --tolerance f32=1e-6 --tolerance f64=0 --host-memory 1GiB --timeout 7 a.rec");
        let Ok(Command::Replay(query)) = query else { panic!("{query:?}") };
        assert_eq!((query.file, query.tolerances.len(), query.memory), ("a.rec".into(), 2, Some(1 << 30)));
        assert_eq!(query.variables, [("DOPPEL_MODE", "forward".into())]);
        assert_eq!(query.patience, Some(Duration::from_secs(7)));
        let patience = |line: &str| match read(line) {
            Ok(Command::Replay(query)) => query.patience,
            other => panic!("{other:?}"),
        };
        assert_eq!((patience("replay a"), patience("replay --timeout 0 a")), (Some(Duration::from_secs(600)), None));
        for line in [
            "replay",
            "replay a b",
            "replay --tolerance f32 a",
            "replay --host-memory x a",
            "replay --timeout -1 a",
            "record -o /nowhere/a p",
            "record",
        ] {
            assert_eq!(problem(line).0, 2, "{line}");
        }
    }

    #[test]
    fn environments() {
        let entry = Entry { variables: vec![("DOPPEL_DEVICES", "2".into())], way: Way::Preload, form: Form::Docker };
        assert!(matches!(read("env --devices 2 --docker --preload"), Ok(Command::Env(found)) if found == entry));
    }

    #[test]
    fn the_arguments_of_smi_are_its_own() {
        for line in ["smi --query-gpu=name --help", "smi -- -x", "smi"] {
            let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
            assert!(matches!(read(line), Ok(Command::Smi(found)) if found == words), "{line}");
        }
    }

    #[test]
    fn filters() {
        let filter = Filter { missing: true, names: vec!["Graph".into()], json: false };
        assert!(matches!(read("status --missing Graph"), Ok(Command::Status(found)) if found == filter));
    }

    /// The words of a command in a shell: quotes, remarks, and no more than the one command.
    fn shell_words(line: &str) -> Vec<OsString> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in line.chars().chain([' ']) {
            match (quote, c) {
                (Some(open), _) if c == open => quote = None,
                (None, '\'' | '"') => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                (None, ' ') => words.extend(word.take().map(OsString::from)),
                (None, '#' | '>' | '|' | ';' | ')') if word.is_none() || c != '#' => {
                    words.extend(word.take().map(OsString::from));
                    break;
                }
                _ => word.get_or_insert_default().push(c),
            }
        }
        words
    }

    #[test]
    fn commands_in_the_documentation_are_right() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut pages = vec![top.join("README.md"), top.join("CONTRIBUTING.md")];
        pages.extend(std::fs::read_dir(top.join("docs")).unwrap().map(|page| page.unwrap().path()));
        pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
        let mut commands = 0;
        for page in pages {
            let text = std::fs::read_to_string(&page).unwrap();
            // Every other part stands between lines of ```.
            for line in text.split("\n```").skip(1).step_by(2).flat_map(str::lines) {
                let start = line.trim_start_matches(['$', ' ', '-']);
                let start = start.strip_prefix("run: ").unwrap_or(start);
                let rest =
                    start.strip_prefix("doppel ").or_else(|| start.split_once("/bin/doppel ").map(|(_, rest)| rest));
                let Some(rest) = rest.or_else(|| line.split_once("$(doppel ").map(|(_, rest)| rest)) else { continue };
                commands += 1;
                let said = match parse(shell_words(rest)) {
                    Ok(_) => continue,
                    Err(Problem::Words(error)) => error.to_string(),
                    Err(Problem::Value(said)) => said,
                };
                // Files that the reader has and the tree has not.
                assert!(said.contains("./") && said.contains("file"), "{}: {line}: {said}", page.display());
            }
        }
        assert!(commands > 25, "{commands} commands");
    }
}
