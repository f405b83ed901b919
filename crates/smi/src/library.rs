//! The management library: opening it, and asking it.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A result that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub c_int);

impl Code {
    pub const NOT_SUPPORTED: Code = Code(3);
    pub const DEPRECATED: Code = Code(26);
    pub const DRIVER_NOT_LOADED: Code = Code(9);
    pub const LIBRARY_NOT_FOUND: Code = Code(12);
    pub const FUNCTION_NOT_FOUND: Code = Code(13);
    const INSUFFICIENT_SIZE: Code = Code(7);

    fn of(result: c_int) -> Result<(), Code> {
        if result == 0 { Ok(()) } else { Err(Code(result)) }
    }
}

pub type Answer<T> = Result<T, Code>;

/// A handle of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Device(*mut c_void);

/// Where a device sits (`nvmlPciInfo_t`).
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pci {
    legacy: [u8; 16],
    pub domain: u32,
    pub bus: u32,
    pub device: u32,
    pub id: u32,
    pub subsystem: u32,
    text: [u8; 32],
}

impl Pci {
    /// The address as text.
    pub fn address(&self) -> String {
        string(&self.text)
    }
}

/// Memory of a device in bytes (`nvmlMemory_v2_t`).
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Memory {
    version: u32,
    pub total: u64,
    pub reserved: u64,
    pub free: u64,
    pub used: u64,
}

/// A process that uses a device (`nvmlProcessInfo_t`).
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Process {
    pub pid: u32,
    pub memory: u64,
    instance: u32,
    compute_instance: u32,
}

/// The library, initialised.
pub struct Library(*mut c_void);

/// The name of its file.
const FILE: &str = "libnvidia-ml.so.1";

fn string(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

impl Library {
    /// Opens ours, in `folder` or beside this program, else the one that the loader finds; and initialises it.
    pub fn open(folder: Option<&Path>) -> Answer<Library> {
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(|p| Some(p.parent()?.parent()?.join("lib").join(FILE)));
        let ours = folder.map(|folder| folder.join(FILE)).or(beside).filter(|file| file.exists());
        let name = ours.map_or_else(|| CString::new(FILE), |file| CString::new(file.as_os_str().as_bytes()));
        let name = name.map_err(|_| Code::LIBRARY_NOT_FOUND)?;
        // SAFETY: a path that ends in NUL; the library is made to be opened so.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
        if handle.is_null() {
            return Err(Code::LIBRARY_NOT_FOUND);
        }
        let library = Library(handle);
        let init = library.symbol(c"nvmlInit_v2")?;
        // SAFETY: the function of that name has this type.
        Code::of(unsafe { core::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(init)() })?;
        Ok(library)
    }

    fn symbol(&self, name: &CStr) -> Answer<*mut c_void> {
        // SAFETY: the handle is open, the name ends in NUL.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if found.is_null() { Err(Code::FUNCTION_NOT_FOUND) } else { Ok(found) }
    }

    /// Calls a function that fills in something about a device.
    ///
    /// The function of that name takes a device and a pointer to a `T`.
    fn fill<T>(&self, device: Device, name: &CStr, value: &mut T) -> Answer<()> {
        type Getter = extern "C" fn(Device, *mut c_void) -> c_int;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        Code::of(function(device, ptr::from_mut(value).cast()))
    }

    /// A number of a device.
    pub fn number(&self, device: Device, name: &CStr) -> Answer<u32> {
        let mut value = 0u32;
        self.fill(device, name, &mut value).map(|()| value)
    }

    /// A number of a device, of one kind of several.
    pub fn number_of(&self, device: Device, name: &CStr, kind: u32) -> Answer<u32> {
        type Getter = extern "C" fn(Device, c_uint, *mut c_uint) -> c_int;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut value = 0;
        Code::of(function(device, kind, &mut value)).map(|()| value)
    }

    /// Sets something of a device that is a number.
    pub fn set_number(&self, device: Device, name: &CStr, value: u32) -> Answer<()> {
        type Setter = extern "C" fn(Device, c_uint) -> c_int;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Setter>(function) };
        Code::of(function(device, value))
    }

    /// The text of a result.
    pub fn text_of(&self, code: Code) -> String {
        type Getter = extern "C" fn(c_int) -> *const c_char;
        let Ok(function) = self.symbol(c"nvmlErrorString") else { return "Unknown Error".into() };
        // SAFETY: the function of that name has this type, and gives a string that stays.
        let text = unsafe { CStr::from_ptr(core::mem::transmute::<*mut c_void, Getter>(function)(code.0)) };
        text.to_string_lossy().into_owned()
    }

    /// Two numbers of a device: as now and as after a restart, or of two kinds.
    pub fn pair(&self, device: Device, name: &CStr) -> Answer<(u32, u32)> {
        type Getter = extern "C" fn(Device, *mut c_uint, *mut c_uint) -> c_int;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let (mut first, mut second) = (0, 0);
        Code::of(function(device, &mut first, &mut second)).map(|()| (first, second))
    }

    /// A text about a device.
    pub fn text(&self, device: Device, name: &CStr) -> Answer<String> {
        type Getter = extern "C" fn(Device, *mut c_char, c_uint) -> c_int;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut buffer = [0u8; 256];
        Code::of(function(device, buffer.as_mut_ptr().cast(), buffer.len() as c_uint)).map(|()| string(&buffer))
    }

    /// All devices, in order.
    pub fn devices(&self) -> Vec<Device> {
        type Count = extern "C" fn(*mut c_uint) -> c_int;
        type ByIndex = extern "C" fn(c_uint, *mut Device) -> c_int;
        let (Ok(count), Ok(by_index)) =
            (self.symbol(c"nvmlDeviceGetCount_v2"), self.symbol(c"nvmlDeviceGetHandleByIndex_v2"))
        else {
            return Vec::new();
        };
        // SAFETY: the functions of these names have these types.
        let (count, by_index) = unsafe {
            (core::mem::transmute::<*mut c_void, Count>(count), core::mem::transmute::<*mut c_void, ByIndex>(by_index))
        };
        let mut number = 0;
        if count(&mut number) != 0 {
            return Vec::new();
        }
        let device = |index| {
            let mut device = Device(ptr::null_mut());
            (by_index(index, &mut device) == 0).then_some(device)
        };
        (0..number).filter_map(device).collect()
    }

    /// The device of a UUID, an address or a serial number.
    pub fn by_name(&self, name: &str) -> Option<Device> {
        type ByName = extern "C" fn(*const c_char, *mut Device) -> c_int;
        let name = CString::new(name).ok()?;
        let ways = [c"nvmlDeviceGetHandleByUUID", c"nvmlDeviceGetHandleByPciBusId_v2", c"nvmlDeviceGetHandleBySerial"];
        ways.into_iter().find_map(|way| {
            let function = self.symbol(way).ok()?;
            // SAFETY: the functions of these names have this type.
            let function = unsafe { core::mem::transmute::<*mut c_void, ByName>(function) };
            let mut device = Device(ptr::null_mut());
            (function(name.as_ptr(), &mut device) == 0).then_some(device)
        })
    }

    /// The driver's version.
    pub fn driver_version(&self) -> String {
        type Getter = extern "C" fn(*mut c_char, c_uint) -> c_int;
        let Ok(function) = self.symbol(c"nvmlSystemGetDriverVersion") else { return "N/A".into() };
        // SAFETY: the function of that name has this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut buffer = [0u8; 80];
        if function(buffer.as_mut_ptr().cast(), buffer.len() as c_uint) == 0 { string(&buffer) } else { "N/A".into() }
    }

    /// The driver's CUDA version.
    pub fn cuda_version(&self) -> String {
        type Getter = extern "C" fn(*mut c_int) -> c_int;
        let Ok(function) = self.symbol(c"nvmlSystemGetCudaDriverVersion_v2") else { return "N/A".into() };
        // SAFETY: the function of that name has this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut version = 0;
        if function(&mut version) == 0 { format!("{}.{}", version / 1000, version % 1000 / 10) } else { "N/A".into() }
    }

    /// Where a device sits.
    pub fn pci(&self, device: Device) -> Answer<Pci> {
        let mut pci = Pci { legacy: [0; 16], domain: 0, bus: 0, device: 0, id: 0, subsystem: 0, text: [0; 32] };
        self.fill(device, c"nvmlDeviceGetPciInfo_v3", &mut pci).map(|()| pci)
    }

    /// Memory of a device.
    pub fn memory(&self, device: Device) -> Answer<Memory> {
        const VERSION: u32 = 2 << 24 | size_of::<Memory>() as u32;
        let mut memory = Memory { version: VERSION, ..Memory::default() };
        self.fill(device, c"nvmlDeviceGetMemoryInfo_v2", &mut memory).map(|()| memory)
    }

    /// Errors of memory that could not be corrected since the driver was loaded.
    pub fn uncorrected_errors(&self, device: Device) -> Answer<u64> {
        type Getter = extern "C" fn(Device, c_uint, c_uint, *mut u64) -> c_int;
        const UNCORRECTED: c_uint = 1;
        const VOLATILE: c_uint = 0;
        let function = self.symbol(c"nvmlDeviceGetTotalEccErrors")?;
        // SAFETY: the function of that name has this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut count = 0;
        Code::of(function(device, UNCORRECTED, VOLATILE, &mut count)).map(|()| count)
    }

    /// How busy a device and its memory are, in percent.
    pub fn utilization(&self, device: Device) -> Answer<[u32; 2]> {
        let mut rates = [0u32; 2];
        self.fill(device, c"nvmlDeviceGetUtilizationRates", &mut rates).map(|()| rates)
    }

    /// The apertures through which the host sees memory: total, free, used.
    pub fn aperture(&self, device: Device) -> Answer<[u64; 3]> {
        let mut bytes = [0u64; 3];
        self.fill(device, c"nvmlDeviceGetBAR1MemoryInfo", &mut bytes).map(|()| bytes)
    }

    /// How the device reaches the host's memory.
    pub fn addressing(&self, device: Device) -> Answer<u32> {
        let mut mode = [1 << 24 | 8, 0u32];
        self.fill(device, c"nvmlDeviceGetAddressingMode", &mut mode).map(|()| mode[1])
    }

    /// Processes with a context on a device.
    pub fn processes(&self, device: Device) -> Vec<Process> {
        type Getter = extern "C" fn(Device, *mut c_uint, *mut Process) -> c_int;
        let Ok(function) = self.symbol(c"nvmlDeviceGetComputeRunningProcesses_v3") else { return Vec::new() };
        // SAFETY: the function of that name has this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut list = vec![Process::default(); 64];
        loop {
            let mut count = list.len() as c_uint;
            match Code::of(function(device, &mut count, list.as_mut_ptr())) {
                Ok(()) => {
                    list.truncate(count as usize);
                    return list;
                }
                Err(Code::INSUFFICIENT_SIZE) if list.len() < 1 << 16 => list.resize(list.len() * 2, Process::default()),
                Err(_) => return Vec::new(),
            }
        }
    }

    /// The program that a process runs.
    pub fn process_name(&self, pid: u32) -> String {
        type Getter = extern "C" fn(c_uint, *mut c_char, c_uint) -> c_int;
        let Ok(function) = self.symbol(c"nvmlSystemGetProcessName") else { return "N/A".into() };
        // SAFETY: the function of that name has this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut buffer = [0u8; 1024];
        let found = function(pid, buffer.as_mut_ptr().cast(), buffer.len() as c_uint) == 0;
        if found { string(&buffer) } else { "[Not Found]".into() }
    }

    /// What two devices have in common, and whether one can access the other's memory in a way.
    pub fn between(&self, name: &CStr, one: Device, other: Device, way: Option<u32>) -> Answer<u32> {
        type Level = extern "C" fn(Device, Device, *mut c_uint) -> c_int;
        type Status = extern "C" fn(Device, Device, c_uint, *mut c_uint) -> c_int;
        let function = self.symbol(name)?;
        let mut value = 0;
        let result = match way {
            // SAFETY: the caller names a function of this type.
            None => unsafe { core::mem::transmute::<*mut c_void, Level>(function)(one, other, &mut value) },
            // SAFETY: as above.
            Some(way) => unsafe { core::mem::transmute::<*mut c_void, Status>(function)(one, other, way, &mut value) },
        };
        Code::of(result).map(|()| value)
    }

    /// The processors, or the nodes of memory, near a device.
    pub fn affinity(&self, device: Device, name: &CStr) -> Answer<Vec<usize>> {
        type Getter = extern "C" fn(Device, c_uint, *mut u64, c_uint) -> c_int;
        const WORDS: usize = 64;
        let function = self.symbol(name)?;
        // SAFETY: the caller names a function of this type.
        let function = unsafe { core::mem::transmute::<*mut c_void, Getter>(function) };
        let mut words = [0u64; WORDS];
        Code::of(function(device, WORDS as c_uint, words.as_mut_ptr(), 0))?;
        Ok((0..WORDS * 64).filter(|bit| words[bit / 64] >> (bit % 64) & 1 != 0).collect())
    }
}
