//! Finds the libraries that belong to this program, and opens the driver.

use crate::Failure;
use crate::cli::SETTINGS;
use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::{CString, OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The driver's file.
pub const DRIVER: &str = "libcuda.so.1";

/// The folder of the libraries: `../lib` of the program's, as installed, or its own.
pub fn folder() -> Result<PathBuf, Failure> {
    let own = real::own_program().ok_or_else(|| Failure::new("cannot tell where this program lies"))?;
    let own = own.parent().unwrap_or(Path::new("/"));
    let tried = [own.parent().unwrap_or(Path::new("/")).join("lib"), own.to_path_buf()];
    let found = tried.iter().find(|folder| folder.join(DRIVER).is_file());
    found.cloned().ok_or_else(|| {
        Failure::new(format!("{DRIVER} is neither in {} nor in {}", tried[0].display(), tried[1].display()))
    })
}

/// How the library judges a value.
type Judge = unsafe extern "C" fn(*const c_char) -> *const c_char;
/// Which of them.
type Chosen = fn(&LauncherTable) -> Judge;

/// Variables whose values the library alone can judge: it knows the functions.
const JUDGED: [(&str, Chosen); 3] = [
    ("DOPPEL_FAULT", |table| table.fault),
    ("DOPPEL_TRACE_CALLS", |table| table.calls),
    ("DOPPEL_TRACE_STACKS", |table| table.calls),
];

/// Refuses values that the library would refuse when the program starts.
pub fn check(folder: &Path, variables: &[(&'static str, OsString)]) -> Result<(), Failure> {
    for (variable, judge) in JUDGED {
        let given = variables.iter().find(|(name, _)| *name == variable).map(|(_, value)| value.clone());
        let option = SETTINGS.iter().find(|s| given.is_some() && s.variable == variable);
        let name = option.map_or_else(|| variable.to_owned(), |s| format!("--{}", s.option));
        let Some(value) = given.or_else(|| std::env::var_os(variable)).filter(|value| !value.is_empty()) else {
            continue;
        };
        let text = CString::new(value.as_bytes()).map_err(|_| Failure::value(format!("{name} has a NUL in it")))?;
        let why = complaint_apart(folder, judge, &text)?;
        if !why.is_empty() {
            return Err(Failure::value(format!("{name}={value:?} is refused: {why}")));
        }
    }
    Ok(())
}

/// What the library has against a value, said in a process of its own: the library decides about its mode and its layers once.
fn complaint_apart(folder: &Path, judge: Chosen, value: &CStr) -> Result<String, Failure> {
    let failed = |why| Failure::new(format!("cannot ask the library: {why}"));
    let (mut answer, mut said) = std::io::pipe().map_err(failed)?;
    // SAFETY: the child goes on in this function alone, and ends in it.
    match unsafe { libc::fork() } {
        -1 => Err(failed(std::io::Error::last_os_error())),
        0 => {
            // SAFETY: a process of one thread. Nothing that the program is to do is done here.
            unsafe {
                std::env::vars_os().filter(|(name, _)| name.as_bytes().starts_with(b"DOPPEL_")).for_each(
                    |(name, _)| {
                        std::env::remove_var(name);
                    },
                );
                std::env::set_var("DOPPEL_MODE", "absent");
            }
            let complaint = match Driver::open(folder) {
                Ok(driver) => driver.launcher().and_then(|table| table.complaint(judge, value)),
                Err(failure) => Some(failure.text),
            };
            let written = said.write_all(complaint.unwrap_or_default().as_bytes());
            // SAFETY: ends the process without what this program does at its end.
            unsafe { libc::_exit(i32::from(written.is_err())) }
        }
        child => {
            drop(said);
            let mut text = String::new();
            let read = answer.read_to_string(&mut text);
            // SAFETY: a child of this process that nobody else waits for.
            unsafe { libc::waitpid(child, core::ptr::null_mut(), 0) };
            read.map_err(failed).map(|_| text)
        }
    }
}

/// What the library tells the launcher alone: see `src/dispatch/launcher.rs`.
#[repr(C)]
pub struct LauncherTable {
    size: usize,
    mode: extern "C" fn() -> *const c_char,
    fault: Judge,
    calls: Judge,
}

impl LauncherTable {
    /// The mode that was chosen, and why, if that is not plain.
    pub fn mode(&self) -> (String, String) {
        // SAFETY: the text lives for ever.
        let text = unsafe { CStr::from_ptr((self.mode)()) }.to_string_lossy();
        let (mode, why) = text.split_once('\t').unwrap_or((&text, ""));
        (mode.to_owned(), why.to_owned())
    }

    fn complaint(&self, judge: Chosen, value: &CStr) -> Option<String> {
        // SAFETY: both texts end in NUL, and the answer lives for ever.
        unsafe {
            let text = judge(self)(value.as_ptr());
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }
}

/// The file of another `libcuda.so.1` than ours that is loaded.
pub fn real_driver(ours: &Path) -> Option<PathBuf> {
    struct Search<'p> {
        ours: &'p Path,
        found: Option<PathBuf>,
    }
    unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
        // SAFETY: the loader's own structure, and the search that is handed over below.
        let (name, search) = unsafe { ((*info).dlpi_name, &mut *search.cast::<Search<'_>>()) };
        if !name.is_null() {
            // SAFETY: a name that ends in NUL.
            let path = PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()));
            let driver = path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"libcuda.so"));
            if driver && path != search.ours {
                search.found = Some(path);
            }
        }
        0
    }
    let mut search = Search { ours, found: None };
    // SAFETY: the function gets the pointer that it expects, and does not keep it.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search.found
}

/// The driver, opened.
pub struct Driver {
    handle: *mut c_void,
}

fn complaint() -> String {
    // SAFETY: the text is copied before anything else can ask the loader.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

impl Driver {
    /// Opens the driver in a folder. It reads its variables at the first call.
    pub fn open(folder: &Path) -> Result<Driver, Failure> {
        let path = CString::new(folder.join(DRIVER).as_os_str().as_bytes());
        let path = path.map_err(|_| Failure::new("the libraries' folder has a NUL in its name"))?;
        // SAFETY: our own library, whose initialisers may run at any time.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        if handle.is_null() { Err(Failure::new(complaint())) } else { Ok(Driver { handle }) }
    }

    /// The address of a function. It stays where it is: the library is never closed.
    fn find(&self, name: &CStr) -> Result<*mut c_void, Failure> {
        // SAFETY: the handle is open.
        let found = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        if found.is_null() { Err(Failure::new(complaint())) } else { Ok(found) }
    }

    /// The address of a function as a number, if the driver has it.
    pub fn symbol(&self, name: &str) -> Option<usize> {
        let name = CString::new(name).ok()?;
        self.find(&name).ok().map(|found| found.expose_provenance())
    }

    /// The name of an answer.
    pub fn code_name(&self, code: u32) -> String {
        self.error_name(code as c_int)
    }

    fn call(&self, name: &CStr, call: impl FnOnce(*mut c_void) -> c_int) -> Result<(), Failure> {
        let code = call(self.find(name)?);
        if code == 0 {
            return Ok(());
        }
        Err(Failure::new(format!("{}: {}", name.to_string_lossy(), self.error_name(code))))
    }

    fn error_name(&self, code: c_int) -> String {
        let mut text: *const c_char = core::ptr::null();
        if let Ok(function) = self.find(c"cuGetErrorName") {
            // SAFETY: the driver's function of this name has this signature; texts of errors live for ever.
            unsafe {
                let function: extern "C" fn(c_int, *mut *const c_char) -> c_int = core::mem::transmute(function);
                if function(code, &mut text) == 0 && !text.is_null() {
                    return CStr::from_ptr(text).to_string_lossy().into_owned();
                }
            }
        }
        format!("error {code}")
    }

    /// `cuInit`
    pub fn init(&self) -> Result<(), Failure> {
        // SAFETY: the signature of the driver's function.
        self.call(c"cuInit", |f| unsafe { core::mem::transmute::<*mut c_void, extern "C" fn(u32) -> c_int>(f)(0) })
    }

    fn number(&self, name: &CStr) -> Result<c_int, Failure> {
        let mut number = 0;
        self.call(name, |f| {
            // SAFETY: the signature of the driver's functions that are asked in this way.
            unsafe { core::mem::transmute::<*mut c_void, extern "C" fn(*mut c_int) -> c_int>(f)(&mut number) }
        })?;
        Ok(number)
    }

    /// `cuDriverGetVersion`
    pub fn version(&self) -> Result<c_int, Failure> {
        self.number(c"cuDriverGetVersion")
    }

    /// `cuDeviceGetCount`
    pub fn device_count(&self) -> Result<c_int, Failure> {
        self.number(c"cuDeviceGetCount")
    }

    /// `cuDeviceGetName`
    pub fn device_name(&self, device: c_int) -> Result<String, Failure> {
        let mut name = [0u8; 256];
        self.call(c"cuDeviceGetName", |f| {
            // SAFETY: the signature of the driver's function, and the length of the buffer.
            unsafe {
                let f: extern "C" fn(*mut c_char, c_int, c_int) -> c_int = core::mem::transmute(f);
                f(name.as_mut_ptr().cast(), name.len() as c_int, device)
            }
        })?;
        Ok(CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned())
    }

    /// `cuDeviceGetUuid_v2`
    pub fn device_uuid(&self, device: c_int) -> Result<[u8; 16], Failure> {
        let mut uuid = [0; 16];
        self.call(c"cuDeviceGetUuid_v2", |f| {
            // SAFETY: the signature of the driver's function.
            unsafe {
                core::mem::transmute::<*mut c_void, extern "C" fn(*mut [u8; 16], c_int) -> c_int>(f)(&mut uuid, device)
            }
        })?;
        Ok(uuid)
    }

    /// `cuDeviceTotalMem_v2`
    pub fn total_memory(&self, device: c_int) -> Result<usize, Failure> {
        let mut bytes = 0;
        self.call(c"cuDeviceTotalMem_v2", |f| {
            // SAFETY: the signature of the driver's function.
            unsafe {
                core::mem::transmute::<*mut c_void, extern "C" fn(*mut usize, c_int) -> c_int>(f)(&mut bytes, device)
            }
        })?;
        Ok(bytes)
    }

    /// `cuDeviceGetAttribute`
    pub fn attribute(&self, attribute: c_int, device: c_int) -> Result<c_int, Failure> {
        let mut value = 0;
        self.call(c"cuDeviceGetAttribute", |f| {
            // SAFETY: the signature of the driver's function.
            unsafe {
                let f: extern "C" fn(*mut c_int, c_int, c_int) -> c_int = core::mem::transmute(f);
                f(&mut value, attribute, device)
            }
        })?;
        Ok(value)
    }

    /// A table that the library hands out under an identifier of ours.
    fn table<T>(&self, id: [u8; 16]) -> Result<&'static T, Failure> {
        let mut table: *const T = core::ptr::null();
        self.call(c"cuGetExportTable", |f| {
            // SAFETY: the signature of the driver's function.
            unsafe {
                let f: extern "C" fn(*mut *const T, *const [u8; 16]) -> c_int = core::mem::transmute(f);
                f(&mut table, &id)
            }
        })?;
        // SAFETY: the table that this identifier stands for begins with its size, and lives for ever.
        unsafe {
            if *table.cast::<usize>() < size_of::<T>() {
                return Err(Failure::new("the library's table is of another kind than this program's"));
            }
            Ok(&*table)
        }
    }

    /// What the library tells the launcher; nothing where a real driver answers.
    pub fn launcher(&self) -> Option<&'static LauncherTable> {
        self.table(*b"Doppel launcher1").ok()
    }

    /// The function table as text: see `src/table/status.rs`.
    pub fn status(&self) -> Result<String, Failure> {
        #[repr(C)]
        struct StatusTable {
            size: usize,
            text: extern "C" fn() -> *const c_char,
        }
        let table = self.table::<StatusTable>(*b"Doppel status  1")?;
        // SAFETY: the text lives for ever.
        Ok(unsafe { CStr::from_ptr((table.text)()) }.to_string_lossy().into_owned())
    }
}
