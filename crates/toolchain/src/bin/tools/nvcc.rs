//! `nvcc`

use std::ffi::OsString;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use toolchain::nvcc::{Job, Plan, Source, Toolkit, Word, flags, plan, unpack};
use toolchain::{options, ptxas, real};

/// What NVIDIA's compiler fails with.
const FAILURE: u8 = 1;

/// Runs it.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    if real::is_wanted() {
        return real::run("nvcc", &arguments);
    }
    let Some(program) = real::find("nvcc") else { return real::missing("nvcc") };
    let planned = plan(&arguments, &mut || toolkit(&program, &arguments));
    for text in planned.warnings {
        eprintln!("doppel: nvcc: {text}");
    }
    match planned.plan {
        Plan::Run(arguments) => {
            let error = real::command(&program).args(arguments).exec();
            fail(&format!("cannot run {}: {error}", program.display()))
        }
        Plan::Version(arguments) => version(&program, &arguments),
        Plan::Containers(jobs) => {
            jobs.iter().map(|job| container(&program, job)).find(|code| *code != ExitCode::SUCCESS).unwrap_or_default()
        }
        Plan::FatBinaries(files) => {
            let made = files.iter().try_for_each(|(input, output)| toolchain::fatbinary::of_container(input, output));
            made.map_or_else(|text| fail(&text), |()| ExitCode::SUCCESS)
        }
        Plan::Unpack(words) => unpacked(&program, &words),
        Plan::Link(link) => match link.texts() {
            Err(text) => fail(&text),
            Ok(inputs) => assemble(&inputs, &link.options, |bytes| {
                if !link.fat {
                    return std::fs::write(&link.output, bytes).map_err(|error| error.to_string());
                }
                toolchain::fatbinary::of_bytes(bytes, &link.output)
            }),
        },
    }
}

fn fail(text: &str) -> ExitCode {
    eprintln!("doppel: nvcc: {text}");
    ExitCode::from(FAILURE)
}

/// What is known of the tool chain around a compiler. What costs a process is asked only where it counts.
fn toolkit(program: &Path, arguments: &[OsString]) -> Toolkit {
    let (prepended, appended) = (flags("NVCC_PREPEND_FLAGS"), flags("NVCC_APPEND_FLAGS"));
    let names = |word: &str| {
        let words = prepended.iter().chain(arguments).chain(&appended);
        words.map(|w| w.to_string_lossy()).any(|w| w == word || w.ends_with(&format!("={word}")))
    };
    let ask = |mut command: Command| {
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    };
    let mut architectures = Vec::new();
    if names("all") || names("all-major") {
        let mut command = real::command(program);
        command.arg("--list-gpu-arch");
        architectures = ask(command).split_whitespace().map(str::to_owned).collect();
    }
    let mut native = None;
    if names("native")
        && let Some(libraries) = libraries()
    {
        // NVIDIA's query of devices, on our driver.
        let resolved = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        let mut command = Command::new(resolved.with_file_name("__nvcc_device_query"));
        command.env("LD_LIBRARY_PATH", libraries);
        native = ask(command).split(|c: char| !c.is_ascii_digit()).find_map(|number| number.parse().ok());
    }
    Toolkit { prepended, appended, architectures, native, libraries: missing_libraries(program) }
}

/// The folder of our libraries, beside that of our programs.
fn libraries() -> Option<PathBuf> {
    let folder = real::own_folder()?.parent()?.join("lib");
    folder.join("libcuda.so.1").is_file().then_some(folder)
}

/// Our libraries' folder, if the tool chain has the runtime and no name for it that a linker finds, as in NVIDIA's Python
/// packages. Ours is of CUDA 13.
fn missing_libraries(program: &Path) -> Option<PathBuf> {
    let root = program.canonicalize().ok()?;
    let root = root.parent()?.parent()?;
    let folders = ["lib64", "lib", "targets/x86_64-linux/lib"].map(|folder| root.join(folder));
    let has = |name: &str| folders.iter().any(|folder| folder.join(name).exists());
    if has("libcudart.so") || !has("libcudart.so.13") { None } else { libraries() }
}

/// Prints NVIDIA's version, by which programs know what their compiler can, and the mark by which they know another one.
fn version(program: &Path, arguments: &[OsString]) -> ExitCode {
    match real::command(program).args(arguments).stdin(Stdio::inherit()).stderr(Stdio::inherit()).output() {
        Ok(output) => {
            let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() {
                text.push_str(&format!("{}\n", toolchain::MARK));
            }
            if !toolchain::print(std::io::stdout().lock(), &text) {
                return fail("cannot write the version");
            }
            ended(output.status)
        }
        Err(error) => fail(&format!("cannot run {}: {error}", program.display())),
    }
}

/// As the process that ended did: also by a signal.
fn ended(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal() {
        // SAFETY: the signal ends this process as it did the other one.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILURE))
}

/// Makes a container: compiles, assembles, writes.
fn container(program: &Path, job: &Job) -> ExitCode {
    let (text, name) = match &job.source {
        Source::File(file) => (toolchain::read(file, toolchain::LARGEST), file.to_string_lossy().into_owned()),
        Source::Compiler(arguments) => {
            let Ok((memory, file)) = file_in_memory() else { return fail("cannot make a file in memory") };
            match real::command(program).args(arguments).arg("-o").arg(&file).status() {
                Ok(status) if status.success() => {}
                Ok(status) => return ended(status),
                Err(error) => return fail(&format!("cannot run {}: {error}", program.display())),
            }
            let text = toolchain::read(&file, toolchain::LARGEST);
            drop(memory);
            (text, job.output.with_extension("ptx").to_string_lossy().into_owned())
        }
    };
    let write = |bytes| {
        std::fs::write(&job.output, bytes).map_err(|error| format!("cannot write {}: {error}", job.output.display()))
    };
    assemble(&[ptxas::Input { name, text }], &job.options, write)
}

/// Runs NVIDIA's compiler on the PTX of containers.
fn unpacked(program: &Path, words: &[Word]) -> ExitCode {
    let Some(folder) = Folder::new() else { return fail("cannot make a folder for temporary files") };
    match unpack(words, &folder.0).map(|arguments| real::command(program).args(arguments).status()) {
        Ok(Ok(status)) => {
            drop(folder);
            ended(status)
        }
        Ok(Err(error)) => fail(&format!("cannot run {}: {error}", program.display())),
        Err(text) => fail(&text),
    }
}

/// A folder for temporary files, which goes with this.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Option<Folder> {
        let name = std::env::temp_dir().join("doppel-nvcc-XXXXXX").into_os_string();
        let name = std::ffi::CString::new(name.into_vec()).ok()?.into_raw();
        // SAFETY: a string that may be written, which is taken back.
        let (made, name) = unsafe { (!libc::mkdtemp(name).is_null(), std::ffi::CString::from_raw(name)) };
        made.then(|| Folder(OsString::from_vec(name.into_bytes()).into()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes a container of texts, and hands it to what writes it.
fn assemble(
    inputs: &[ptxas::Input],
    options: &[OsString],
    write: impl FnOnce(Vec<u8>) -> Result<(), String>,
) -> ExitCode {
    let mut messages = ptxas::Messages::default();
    let made = match options::parse(ptxas::OPTIONS, options.to_vec()) {
        Ok(line) => ptxas::assemble(&line, inputs, &mut messages),
        Err(text) => return fail(&format!("ptxas: {text}")),
    };
    toolchain::print(std::io::stderr().lock(), &messages.text);
    match made {
        Err(ptxas::Refused) => ExitCode::from(ptxas::FAILURE),
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(bytes)) => write(bytes).map_or_else(|text| fail(&text), |()| ExitCode::SUCCESS),
    }
}

/// A file that is gone when this process is, however it ends, and its name for other processes.
fn file_in_memory() -> std::io::Result<(OwnedFd, PathBuf)> {
    // SAFETY: makes a descriptor, which is ours.
    let memory = unsafe {
        match libc::memfd_create(c"code.ptx".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => return Err(std::io::Error::last_os_error()),
            number => OwnedFd::from_raw_fd(number),
        }
    };
    let name = format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    Ok((memory, name.into()))
}
