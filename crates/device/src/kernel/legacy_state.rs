//! What the launch calls before `cuLaunchKernel` have set of a function: block shape, dynamic shared memory and parameters.

use crate::base::bounds::MOST_PARAMETER_BYTES;
use error::{Error, Result, refuse, refuse_if};

/// What is set.
pub struct LegacyState {
    /// Shape of blocks.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Bytes of parameters that are set.
    pub parameters: Vec<u8>,
    /// How many of them count.
    pub size: usize,
}

impl Default for LegacyState {
    fn default() -> LegacyState {
        LegacyState { block: [1; 3], shared: 0, parameters: Vec::new(), size: 0 }
    }
}

impl LegacyState {
    /// Takes over what another launch had: the shape of its blocks, dynamic shared memory, words of parameters and how many
    /// bytes of them count.
    pub fn note(&mut self, block: [u32; 3], shared: u32, parameters: &[u64], size: usize) {
        let parameters = parameters.iter().flat_map(|word| word.to_le_bytes()).collect();
        *self = LegacyState { block, shared, parameters, size };
    }

    /// Sets how many bytes of parameters count.
    pub fn set_size(&mut self, size: usize) -> Result<()> {
        refuse_if!(
            Error::INVALID_VALUE,
            size > MOST_PARAMETER_BYTES,
            "numbytes {} is more than parameters may have, {}",
            size,
            MOST_PARAMETER_BYTES
        );
        self.size = size;
        Ok(())
    }

    /// Writes parameters.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) -> Result<()> {
        let end = offset.checked_add(bytes.len()).filter(|&end| end <= MOST_PARAMETER_BYTES).ok_or_else(|| {
            refuse!(
                Error::INVALID_VALUE,
                "offset {} + {} bytes is more than parameters may have, {}",
                offset,
                bytes.len(),
                MOST_PARAMETER_BYTES
            )
        })?;
        if self.parameters.len() < end {
            self.parameters.resize(end, 0);
        }
        self.parameters[offset..end].copy_from_slice(bytes);
        Ok(())
    }
}
