//! Functions: kernels of a module in a context.

use super::context::Context;
use super::handle::{Kind, Table};
use crate::engine::program::{Code, Program};
use crate::error::{Error, Result};
use parking_lot::Mutex;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Weak};

/// `CU_FUNC_ATTRIBUTE_*`.
pub mod attribute {
    pub const MAX_THREADS: u32 = 0;
    pub const SHARED_BYTES: u32 = 1;
    pub const CONSTANT_BYTES: u32 = 2;
    pub const LOCAL_BYTES: u32 = 3;
    pub const REGISTERS: u32 = 4;
    pub const PTX_VERSION: u32 = 5;
    pub const BINARY_VERSION: u32 = 6;
    pub const CACHE_MODE: u32 = 7;
    pub const MAX_DYNAMIC_SHARED: u32 = 8;
    pub const CARVEOUT: u32 = 9;
    pub const CLUSTER_MUST_BE_SET: u32 = 10;
    pub const CLUSTER_WIDTH: u32 = 11;
    pub const CLUSTER_HEIGHT: u32 = 12;
    pub const CLUSTER_DEPTH: u32 = 13;
    pub const NON_PORTABLE_CLUSTER: u32 = 14;
    pub const CLUSTER_POLICY: u32 = 15;
}

/// What the program can set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Most bytes of dynamic shared memory.
    pub dynamic_shared: i32,
    /// Preferred share of shared memory in percent, -1 for none.
    pub carveout: i32,
    /// Required shape of clusters, 0 for none.
    pub cluster: [i32; 3],
    /// Clusters that not every device has.
    pub non_portable: i32,
    /// How blocks of a cluster are spread.
    pub policy: i32,
}

/// A kernel in a context.
pub struct Function {
    /// What the program holds.
    pub handle: usize,
    /// Its module's.
    pub module: usize,
    /// Where it runs.
    pub context: Weak<Context>,
    /// The module's code.
    pub program: Arc<Program>,
    /// Its number there.
    pub kernel: u32,
    name: CString,
    /// The architecture that its text is for.
    target: u32,
    settings: Mutex<Settings>,
}

/// All functions.
pub static FUNCTIONS: Table<Function> = Table::new(Kind::Function);

/// The device's limits of shared memory of a block: without asking, and at most.
const SHARED_PER_BLOCK: u32 = 8;
const SHARED_PER_BLOCK_OPTIN: u32 = 97;

impl Function {
    /// Enters a kernel of a module.
    pub(super) fn create(
        context: &Arc<Context>,
        module: usize,
        program: &Arc<Program>,
        kernel: u32,
        code: &Code,
        target: u32,
    ) -> Option<Arc<Function>> {
        let name = CString::new(code.name.as_str()).ok()?;
        let most = context.device.number(SHARED_PER_BLOCK);
        let cluster = code.required_cluster.map_or([0; 3], |shape| shape.map(|n| n as i32));
        FUNCTIONS.insert_with(|handle| {
            Arc::new(Function {
                handle,
                module,
                context: Arc::downgrade(context),
                program: program.clone(),
                kernel,
                name,
                target,
                settings: Mutex::new(Settings {
                    dynamic_shared: (most - code.shared as i32).max(0),
                    carveout: -1,
                    cluster,
                    non_portable: 0,
                    policy: 0,
                }),
            })
        })
    }

    /// The function behind a handle, which may be a library's kernel.
    pub fn find(handle: usize) -> Result<Arc<Function>> {
        match FUNCTIONS.get(handle) {
            Some(function) => Ok(function),
            None => super::library::function_of(handle)
                .unwrap_or_else(|| Err(FUNCTIONS.find(handle).err().unwrap_or(Error::INVALID_HANDLE))),
        }
    }

    /// Its code.
    pub fn code(&self) -> &Code {
        &self.program.functions[self.kernel as usize]
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.name.to_str().unwrap_or("")
    }

    /// Its name for C; it lives as long as the function.
    pub fn c_name(&self) -> &CStr {
        &self.name
    }

    /// What the program has set.
    pub fn settings(&self) -> Settings {
        *self.settings.lock()
    }

    /// Threads that a block may have.
    pub fn most_threads(&self) -> u32 {
        let code = self.code();
        let shape = code.required_threads.or(code.most_threads);
        let threads = shape.map_or(1024, |s| s.iter().fold(1u32, |all, &n| all.saturating_mul(n.max(1))));
        threads.min(1024)
    }

    /// Blocks that a cluster may have: as many as on every device, unless the program wants more.
    pub fn largest_cluster(&self) -> u32 {
        const PORTABLE: u32 = 8;
        const LARGEST: u32 = 16;
        if self.settings().non_portable != 0 { LARGEST } else { PORTABLE }
    }

    /// Offset and size of a parameter.
    pub fn parameter(&self, index: usize) -> Result<(usize, usize)> {
        let parameter = self.code().parameters.get(index).ok_or(Error::INVALID_VALUE)?;
        Ok((parameter.offset, parameter.size))
    }

    /// The value of an attribute.
    pub fn attribute(&self, which: u32) -> Result<i32> {
        use attribute::*;
        let (code, settings) = (self.code(), self.settings());
        let context = self.context.upgrade().ok_or(Error::CONTEXT_IS_DESTROYED)?;
        Ok(match which {
            MAX_THREADS => self.most_threads() as i32,
            SHARED_BYTES => code.shared as i32,
            CONSTANT_BYTES => self.program.constant.min(i32::MAX as u64) as i32,
            LOCAL_BYTES => code.stack.unwrap_or(code.local).min(i32::MAX as u64) as i32,
            REGISTERS => code.registers as i32,
            PTX_VERSION => self.target as i32,
            BINARY_VERSION => super::module::capability(&context.device) as i32,
            CACHE_MODE => 0,
            MAX_DYNAMIC_SHARED => settings.dynamic_shared,
            CARVEOUT => settings.carveout,
            CLUSTER_MUST_BE_SET => i32::from(code.required_cluster.is_some()),
            CLUSTER_WIDTH => settings.cluster[0],
            CLUSTER_HEIGHT => settings.cluster[1],
            CLUSTER_DEPTH => settings.cluster[2],
            NON_PORTABLE_CLUSTER => settings.non_portable,
            CLUSTER_POLICY => settings.policy,
            _ => return Err(Error::INVALID_VALUE),
        })
    }

    /// Changes an attribute.
    pub fn set_attribute(&self, which: u32, value: i32) -> Result<()> {
        use attribute::*;
        let context = self.context.upgrade().ok_or(Error::CONTEXT_IS_DESTROYED)?;
        let mut settings = self.settings.lock();
        let checked = |holds: bool| if holds { Ok(value) } else { Err(Error::INVALID_VALUE) };
        match which {
            MAX_DYNAMIC_SHARED => {
                let most = context.device.number(SHARED_PER_BLOCK_OPTIN) - self.code().shared as i32;
                settings.dynamic_shared = checked((0..=most).contains(&value))?;
            }
            CARVEOUT => settings.carveout = checked((-1..=100).contains(&value))?,
            CLUSTER_WIDTH..=CLUSTER_DEPTH if self.code().required_cluster.is_none() => {
                settings.cluster[(which - CLUSTER_WIDTH) as usize] = checked(value >= 0)?;
            }
            NON_PORTABLE_CLUSTER => settings.non_portable = checked((0..=1).contains(&value))?,
            CLUSTER_POLICY => settings.policy = checked((0..=2).contains(&value))?,
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(())
    }
}
