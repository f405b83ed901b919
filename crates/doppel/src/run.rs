//! `doppel run`: the environment, then the program in our place.

use crate::arguments::Launch;
use crate::environment::{self, Place};
use crate::{Failure, library};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a shell exits with when a program cannot be run, or is not found.
const NOT_EXECUTABLE: u8 = 126;
const NOT_FOUND: u8 = 127;

/// The program as it is to be run.
pub fn command(launch: &Launch) -> Result<Command, Failure> {
    let mode = launch.variables.iter().find(|(name, _)| *name == "DOPPEL_MODE").map(|(_, mode)| mode.clone());
    let mode = mode.or_else(|| std::env::var_os("DOPPEL_MODE"));
    let folder = library::folder()?;
    library::check(&folder, &launch.variables)?;
    let mut place = Place::new(folder, launch.way, mode, false)?;
    place.program = environment::find_program(&launch.program, std::env::var_os("PATH").as_deref());
    let mut command = Command::new(&launch.program);
    command.args(&launch.arguments);
    // What runs under one `doppel run` shares the devices, and nobody else does.
    if std::env::var_os("DOPPEL_NODE").is_none() {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        command.env("DOPPEL_NODE", format!("run {} {since}", std::process::id()));
    }
    environment::apply(&mut command, &launch.variables, &place.changes(|name| std::env::var_os(name)));
    Ok(command)
}

/// Runs the program; returns only if that fails.
pub fn run(launch: &Launch) -> Result<u8, Failure> {
    let error = command(launch)?.exec();
    Err(cannot(launch, &error))
}

/// Why a program does not run, and the exit status that a shell has for it.
pub fn cannot(launch: &Launch, error: &std::io::Error) -> Failure {
    let code = if error.kind() == std::io::ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE };
    Failure { text: format!("cannot run {}: {error}", launch.program.to_string_lossy()), code }
}
