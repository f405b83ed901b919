//! The command line as `clap` knows it: what there is, in which words. [`crate::arguments`] says what it means. Man pages and
//! completions are written from here, too: `pages.rs`.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use std::ffi::OsString;

/// An option that sets a variable.
pub struct Setting {
    pub option: &'static str,
    pub variable: &'static str,
    value: &'static str,
    help: &'static str,
    /// The values that there are, where they can be listed.
    values: &'static [&'static str],
    hint: ValueHint,
}

const fn setting(option: &'static str, variable: &'static str, value: &'static str, help: &'static str) -> Setting {
    Setting { option, variable, value, help, values: &[], hint: ValueHint::Other }
}

/// All of them.
pub const SETTINGS: &[Setting] = &[
    Setting {
        values: &["cpu", "forward", "absent", "auto"],
        ..setting("mode", "DOPPEL_MODE", "MODE", "Who answers CUDA calls: cpu (default), forward, absent, auto")
    },
    setting("devices", "DOPPEL_DEVICES", "N|LIST", "Number of devices, or a list of profiles such as h200,h200"),
    setting("memory", "DOPPEL_DEVICE_MEMORY", "SIZE", "Memory of each device, such as 8GiB"),
    setting(
        "limit",
        "DOPPEL_MEMORY_LIMIT",
        "SIZE",
        "How much of it the program may have: 2GiB, or 2GiB,none,... by device",
    ),
    Setting {
        hint: ValueHint::FilePath,
        ..setting(
            "trace",
            "DOPPEL_TRACE",
            "FILE",
            "Writes each call: text, or Perfetto's JSON to FILE.json, or - for stderr",
        )
    },
    setting(
        "trace-calls",
        "DOPPEL_TRACE_CALLS",
        "LIST",
        "Writes these calls alone: cuMem*,cuLaunchKernel or !cuCtxGetCurrent",
    ),
    Setting {
        values: &["all", "profiler"],
        ..setting(
            "trace-range",
            "DOPPEL_TRACE_RANGE",
            "WHEN",
            "all (default), or profiler: between cuProfilerStart and cuProfilerStop",
        )
    },
    setting(
        "trace-stacks",
        "DOPPEL_TRACE_STACKS",
        "LIST",
        "Writes the program's stack, too, behind these of them: cuMemAlloc*",
    ),
    Setting {
        hint: ValueHint::FilePath,
        ..setting("record", "DOPPEL_RECORD", "FILE", "Records what is asked of the driver, for doppel replay")
    },
    Setting {
        hint: ValueHint::FilePath,
        ..setting(
            "fault",
            "DOPPEL_FAULT",
            "RULES",
            "Calls that fail on purpose: alloc:error=OUT_OF_MEMORY,nth=3, or a file",
        )
    },
    setting("node", "DOPPEL_NODE", "NAME", "Processes with this name share the devices; none: with nobody"),
    setting("schedule", "DOPPEL_SCHEDULE", "S", "When queued work runs: eager (default), lazy, random:SEED"),
    setting(
        "check",
        "DOPPEL_CHECK",
        "LIST",
        "Looks for mistakes: memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE, sarif=FILE, in a list",
    ),
    Setting {
        values: &["off", "error", "warn", "info", "debug"],
        ..setting("log", "DOPPEL_LOG", "LEVEL", "off, error, warn (default), info, debug")
    },
    Setting {
        hint: ValueHint::FilePath,
        ..setting("real", "DOPPEL_REAL_LIBCUDA", "FILE", "The real driver, for the modes forward and auto")
    },
];

/// The names of arguments that [`crate::arguments`] asks for.
pub mod name {
    pub const PRELOAD: &str = "preload";
    pub const NO_PRELOAD: &str = "no-preload";
    pub const GITHUB: &str = "github";
    pub const DOCKER: &str = "docker";
    pub const JSON: &str = "json";
    pub const MISSING: &str = "missing";
    pub const NAMES: &str = "names";
    pub const PROGRAM: &str = "program";
    pub const FILE: &str = "file";
    pub const PAGE: &str = "page";
    pub const ERRORS: &str = "errors";
    pub const SECONDS: &str = "seconds";
    pub const MOST: &str = "most";
    pub const SHELL: &str = "shell";
    pub const THREAD: &str = "thread";
    pub const MEMORY: &str = "memory";
    pub const TOLERANCE: &str = "tolerance";
    pub const HOST_MEMORY: &str = "host-memory";
    pub const TIMEOUT: &str = "timeout";
}

/// How long a call of a replay may take if nobody says otherwise, in seconds: kernels of a GPU take long on a CPU.
pub const PATIENCE: u32 = 600;

/// A value that is not empty.
fn something() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|value| if value.is_empty() { Err("a value is needed") } else { Ok(value) })
}

/// The options that set variables.
fn settings() -> impl Iterator<Item = Arg> {
    SETTINGS.iter().map(|s| {
        let arg = Arg::new(s.option).long(s.option).value_name(s.value).value_hint(s.hint);
        let arg = arg.help(format!("{} [env: {}]", s.help, s.variable)).help_heading("Options that set a variable");
        // Bytes that are no text are refused with the same words as what a variable holds.
        if s.values.is_empty() {
            arg.value_parser(something())
        } else {
            arg.value_parser(s.values.to_vec()).hide_possible_values(true)
        }
    })
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn json() -> Arg {
    switch(name::JSON, "Prints JSON")
}

/// How our libraries come before others.
fn ways() -> [Arg; 2] {
    [
        switch(
            name::PRELOAD,
            "LD_PRELOAD in place of LD_AUDIT: the CUDA runtime alone comes before what a program names by a path",
        ),
        switch(name::NO_PRELOAD, "Neither: programs that name NVIDIA's libraries by a path get NVIDIA's")
            .conflicts_with(name::PRELOAD),
    ]
}

/// A program with its arguments. Options of ours stand in front of it.
fn program() -> Arg {
    let arg = Arg::new(name::PROGRAM).value_names(["PROGRAM", "ARGUMENT"]).num_args(1..).required(true);
    arg.trailing_var_arg(true)
        .value_hint(ValueHint::CommandWithArguments)
        .value_parser(value_parser!(OsString))
        .help("The program, with its arguments")
}

/// What a trace's options are called, too.
fn spelled(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "trace" => arg
            .short('o')
            .default_value("-")
            .help("Where the calls go: text, or Perfetto's JSON to FILE.json [env: DOPPEL_TRACE]"),
        "trace-calls" => arg.short('e'),
        "trace-stacks" => arg.short('k'),
        _ => arg,
    }
}

/// A command, whose arguments are put together if it is the one that is asked for.
fn later(name: &'static str, about: &'static str, arguments: fn(Command) -> Command) -> Command {
    Command::new(name).about(about).defer(arguments)
}

/// All of it.
pub fn command() -> Command {
    Command::new("doppel")
        // For "Usage: doppel run ...": nobody gives it the name.
        .bin_name("doppel")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Runs CUDA programs on machines without a GPU, and looks at what they do")
        .subcommand_required(true)
        .subcommands([
            later("run", "Runs a program on Doppel's CUDA libraries", |command| {
                command.args(settings()).args(ways()).arg(program())
            }),
            later("env", "Prints what run sets, for a shell, GitHub or Docker", |command| {
                command.args(settings()).args(ways()).args([
                    switch(name::GITHUB, "Appends to the files of a job of GitHub's"),
                    switch(name::DOCKER, "Prints ENV lines for a Dockerfile").conflicts_with(name::GITHUB),
                    json().conflicts_with_all([name::GITHUB, name::DOCKER]),
                ])
            }),
            later("info", "Lists the devices that a program would see", |command| command.args(settings()).arg(json())),
            later("status", "Lists the driver's functions and their state", |command| {
                command.args([
                    switch(name::MISSING, "Only what is not implemented, or not fully"),
                    json(),
                    Arg::new(name::NAMES).value_name("NAME").num_args(0..).value_parser(crate::names::function).help(
                        "Only functions with this in their name, in whatever spelling: cumemalloc, cuMemAlloc_v2_ptds, cuMem*",
                    ),
                ])
            }),
            later("trace", "Runs a program and writes its calls to stderr or a file, or sums up a trace", |command| {
                let summary = later("summary", "Sums up a trace in text", |command| {
                    let file = Arg::new(name::FILE).value_name("FILE").required(true).help("The trace");
                    command.args([json(), file.value_hint(ValueHint::FilePath).value_parser(something())])
                });
                let command = command.args(settings().map(spelled)).args(ways()).arg(program());
                let view = later("view", "Writes a page with a trace's timeline", |command| {
                    let file = Arg::new(name::FILE).value_name("FILE").required(true).help("The trace");
                    let page = Arg::new(name::PAGE).value_name("PAGE").help(
                        "Where to write it, FILE.html if left out; a picture of all of it where this ends in .svg",
                    );
                    let path = |arg: Arg| arg.value_hint(ValueHint::FilePath).value_parser(something());
                    command.args([path(file), path(page)])
                });
                let command = command.args_conflicts_with_subcommands(true).subcommand_negates_reqs(true);
                command.subcommands([summary, view])
            }),
            later("record", "Runs a program and records what it asks of the driver", |command| {
                let spelled = |arg: Arg| match arg.get_id().as_str() {
                    "record" => arg.short('o').default_value("doppel.rec").help("The file [env: DOPPEL_RECORD]"),
                    _ => arg,
                };
                command.args(settings().map(spelled)).args(ways()).arg(program())
            }),
            later("replay", "Asks a device what was recorded, and says where it answers otherwise", |command| {
                let file = Arg::new(name::FILE).value_name("FILE").required(true).help("The record");
                let tolerance = Arg::new(name::TOLERANCE).long(name::TOLERANCE).value_name("RULE");
                let tolerance = tolerance.action(ArgAction::Append).value_parser(crate::tolerance::tolerances);
                let memory = Arg::new(name::HOST_MEMORY).long(name::HOST_MEMORY).value_name("SIZE");
                let memory = memory.value_parser(|text: &str| {
                    let bytes = ::settings::config::parse_bytes(text).filter(|bytes| *bytes > 0);
                    bytes.ok_or("a size is needed, such as 8GiB")
                });
                let timeout = Arg::new(name::TIMEOUT).long(name::TIMEOUT).value_name("SECONDS");
                let timeout = timeout.value_parser(value_parser!(u32));
                command.args(settings()).args([
                    timeout.help(format!(
                        "A call that takes longer ends the replay; {} if left out, 0 for as long as it takes",
                        PATIENCE
                    )),
                    memory.help(
                        "Memory of the host that the replay may take, three quarters of what is free if left out",
                    ),
                    tolerance.help("f32=1e-6: numbers of this type may differ by this part of themselves; devices: by what two kinds of devices may"),
                    json(),
                    file.value_hint(ValueHint::FilePath).value_parser(something()),
                ])
            }),
            later(
                "doctor",
                "Looks at a program before it is run: what will work, and what helps where it will not",
                |command| command.args(settings()).args([json(), program()]),
            ),
            later("fault", "Lets calls of a program fail on purpose", |command| {
                let sweep = later("sweep", "Runs a program once for each of its calls and each error", |command| {
                    let errors = Arg::new(name::ERRORS).long("errors").value_name("LIST").value_delimiter(',');
                    let errors = errors.value_parser(crate::names::error);
                    let errors = errors.default_value("OUT_OF_MEMORY").help("The errors that the calls give");
                    let number = |name: &'static str, value: &'static str, help: &'static str| {
                        let arg = Arg::new(name).long(name).value_name("N").default_value(value).help(help);
                        arg.value_parser(value_parser!(u32).range(1..))
                    };
                    command.args(settings()).args(ways()).args([
                        errors,
                        number(name::SECONDS, "10", "How long a run may take"),
                        number(name::MOST, "2", "How many calls of a function from one place are tried"),
                        json(),
                        program(),
                    ])
                });
                command.subcommand_required(true).subcommand(sweep)
            }),
            later(
                "core",
                "Shows a core dump of a kernel: where it went wrong, and with what in its registers",
                |command| {
                    let file = Arg::new(name::FILE).value_name("FILE").required(true).help("The core dump");
                    let thread =
                        Arg::new(name::THREAD).long(name::THREAD).value_name("N").value_parser(value_parser!(u64));
                    command.args([
                        file.value_hint(ValueHint::FilePath).value_parser(something()),
                        thread.help("This thread of the block in place of the one that went wrong"),
                        switch(name::MEMORY, "With the contents of shared and local memory and of the parameters"),
                        json(),
                    ])
                },
            ),
            later("smi", "Is nvidia-smi: the devices, as scripts ask for them", |command| {
                let words = Arg::new(name::PROGRAM).value_name("OPTION").num_args(0..).help("As nvidia-smi has them");
                command.disable_help_flag(true).arg(words.trailing_var_arg(true).allow_hyphen_values(true))
            }),
            later("completions", "Prints completions for a shell", |command| {
                let shell = Arg::new(name::SHELL).value_name("SHELL").required(true).help("The shell");
                command.arg(shell.value_parser(["bash", "zsh", "fish"]))
            }),
        ])
}
