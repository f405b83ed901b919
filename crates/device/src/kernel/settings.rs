//! The settings of a kernel, and its attributes.

use crate::base::attribute::DeviceAttribute;
use crate::base::bounds::MOST_BLOCK_THREADS;
use crate::base::devices::Device;
use engine::state::warp::Code;
use error::{Error, Result, refuse, refuse_if};

/// An attribute of a kernel, a `CUfunction_attribute`. Any number is one; most have no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionAttribute(pub u32);

#[allow(missing_docs)]
impl FunctionAttribute {
    pub const MAX_THREADS: FunctionAttribute = FunctionAttribute(0);
    pub const SHARED_BYTES: FunctionAttribute = FunctionAttribute(1);
    pub const CONSTANT_BYTES: FunctionAttribute = FunctionAttribute(2);
    pub const LOCAL_BYTES: FunctionAttribute = FunctionAttribute(3);
    pub const REGISTERS: FunctionAttribute = FunctionAttribute(4);
    pub const PTX_VERSION: FunctionAttribute = FunctionAttribute(5);
    pub const BINARY_VERSION: FunctionAttribute = FunctionAttribute(6);
    pub const CACHE_MODE: FunctionAttribute = FunctionAttribute(7);
    pub const MAX_DYNAMIC_SHARED: FunctionAttribute = FunctionAttribute(8);
    pub const CARVEOUT: FunctionAttribute = FunctionAttribute(9);
    pub const CLUSTER_MUST_BE_SET: FunctionAttribute = FunctionAttribute(10);
    pub const CLUSTER_WIDTH: FunctionAttribute = FunctionAttribute(11);
    pub const CLUSTER_HEIGHT: FunctionAttribute = FunctionAttribute(12);
    pub const CLUSTER_DEPTH: FunctionAttribute = FunctionAttribute(13);
    pub const NON_PORTABLE_CLUSTER: FunctionAttribute = FunctionAttribute(14);
    pub const CLUSTER_POLICY: FunctionAttribute = FunctionAttribute(15);
}

/// What the program can set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionSettings {
    /// Most bytes of dynamic shared memory.
    pub dynamic_shared: i32,
    /// Preferred share of shared memory in percent, -1 for none.
    pub carveout: i32,
    /// Required shape of clusters, 0 for none.
    pub cluster: [i32; 3],
    /// Non-zero: clusters may be larger than every device supports.
    pub non_portable: i32,
    /// How blocks of a cluster are spread.
    pub policy: i32,
    /// `CUfunc_cache`; 0 leaves it to the context.
    pub cache: u32,
}

/// The greatest `CUfunc_cache`.
const MOST_CACHE: u32 = 3;

/// What kernels of one module have in common.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Bytes of constant memory.
    pub constant: u64,
    /// The architecture that the text is for.
    pub target: u32,
}

/// Threads that a block of a kernel may have.
pub fn most_threads(code: &Code) -> u32 {
    let threads =
        code.most_threads.map_or(MOST_BLOCK_THREADS, |s| s.iter().fold(1u32, |all, &n| all.saturating_mul(n.max(1))));
    threads.min(MOST_BLOCK_THREADS)
}

impl FunctionSettings {
    /// The settings of a kernel for which the program has set nothing.
    pub fn of(code: &Code, device: &Device) -> FunctionSettings {
        FunctionSettings {
            dynamic_shared: (device.attribute_value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK)
                - code.shared_size as i32)
                .max(0),
            carveout: -1,
            cluster: code.required_cluster.map_or([0; 3], |shape| shape.map(|n| n as i32)),
            non_portable: 0,
            policy: 0,
            cache: 0,
        }
    }

    /// The value of an attribute of a kernel.
    pub fn attribute(&self, code: &Code, origin: &Origin, device: &Device, which: FunctionAttribute) -> Result<i32> {
        Ok(match which {
            FunctionAttribute::MAX_THREADS => most_threads(code) as i32,
            FunctionAttribute::SHARED_BYTES => code.shared_size as i32,
            FunctionAttribute::CONSTANT_BYTES => origin.constant.min(i32::MAX as u64) as i32,
            FunctionAttribute::LOCAL_BYTES => code.stack.unwrap_or(code.local).min(i32::MAX as u64) as i32,
            FunctionAttribute::REGISTERS => code.registers as i32,
            FunctionAttribute::PTX_VERSION => origin.target as i32,
            FunctionAttribute::BINARY_VERSION => device.compute_capability() as i32,
            FunctionAttribute::CACHE_MODE => 0,
            FunctionAttribute::MAX_DYNAMIC_SHARED => self.dynamic_shared,
            FunctionAttribute::CARVEOUT => self.carveout,
            FunctionAttribute::CLUSTER_MUST_BE_SET => code.explicit_cluster.into(),
            FunctionAttribute::CLUSTER_WIDTH => self.cluster[0],
            FunctionAttribute::CLUSTER_HEIGHT => self.cluster[1],
            FunctionAttribute::CLUSTER_DEPTH => self.cluster[2],
            FunctionAttribute::NON_PORTABLE_CLUSTER => self.non_portable,
            FunctionAttribute::CLUSTER_POLICY => self.policy,
            _ => return Err(refuse!(Error::INVALID_VALUE, "attrib {} is not a CUfunction_attribute", which.0)),
        })
    }

    /// Sets whether L1 cache or shared memory is preferred.
    pub fn set_cache(&mut self, config: u32) -> Result<()> {
        refuse_if!(Error::INVALID_VALUE, config > MOST_CACHE, "config {} is not a CUfunc_cache", config);
        self.cache = config;
        Ok(())
    }

    /// Changes an attribute of a kernel.
    pub fn change(&mut self, code: &Code, device: &Device, which: FunctionAttribute, value: i32) -> Result<()> {
        let checked = |holds: bool| {
            if holds {
                Ok(value)
            } else {
                Err(refuse!(Error::INVALID_VALUE, "value {} is out of range for attrib {}", value, which.0))
            }
        };
        match which {
            FunctionAttribute::MAX_DYNAMIC_SHARED => {
                let most = device.attribute_value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
                    - code.shared_size as i32;
                self.dynamic_shared = checked((0..=most).contains(&value))?;
            }
            FunctionAttribute::CARVEOUT => self.carveout = checked((-1..=100).contains(&value))?,
            // The shape that the code requires may be set again, but not changed.
            FunctionAttribute::CLUSTER_WIDTH | FunctionAttribute::CLUSTER_HEIGHT | FunctionAttribute::CLUSTER_DEPTH => {
                let at = (which.0 - FunctionAttribute::CLUSTER_WIDTH.0) as usize;
                let compiled = code.required_cluster.map(|shape| shape[at].max(1) as i32);
                // Each side is looked at alone, the product by a launch.
                let most = code.largest_cluster.filter(|&most| most != 0).map_or(i64::MAX, i64::from);
                self.cluster[at] = checked(compiled.map_or(value >= 0 && i64::from(value) <= most, |n| n == value))?;
            }
            FunctionAttribute::NON_PORTABLE_CLUSTER => self.non_portable = i32::from(value != 0),
            FunctionAttribute::CLUSTER_POLICY => self.policy = checked((0..=2).contains(&value))?,
            _ => return Err(refuse!(Error::INVALID_VALUE, "attrib {} cannot be set", which.0)),
        }
        Ok(())
    }
}
