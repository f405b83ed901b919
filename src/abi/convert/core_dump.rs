//! Values of core dump settings, as programs have them.

use crate::abi::ptr::{InOut, Out};
use core::ffi::c_void;
use device::base::core_dump::{Attribute, MOST_TEXT, Settings, expand};
use error::{Error, Result, refuse_if};

/// Bytes of a setting, of text at most.
fn bytes(attribute: Attribute) -> usize {
    match attribute {
        Attribute::File | Attribute::Pipe => MOST_TEXT,
        Attribute::Flags => size_of::<u32>(),
        _ => 1,
    }
}

/// Whether a value is there. If not, its size is what was asked for.
fn is_there(attribute: Attribute, value: *mut c_void, size: InOut<usize>) -> Result<bool> {
    if value.is_null() {
        size.set(bytes(attribute))?;
    }
    Ok(!value.is_null())
}

fn check_size(attribute: Attribute, size: usize) -> Result<()> {
    let wanted = bytes(attribute);
    refuse_if!(Error::INVALID_VALUE, size != wanted, "size {} is not that of the setting, {}", size, wanted);
    Ok(())
}

/// Reads a setting.
pub fn get(settings: &Settings, attribute: Attribute, value: *mut c_void, size: InOut<usize>) -> Result<()> {
    if !is_there(attribute, value, size)? {
        return Ok(());
    }
    let room = size.get()?;
    let text = match attribute {
        Attribute::File => &settings.file,
        Attribute::Pipe => &settings.pipe,
        Attribute::Flags => {
            check_size(attribute, room)?;
            return Out(value.cast::<u32>()).set(settings.number(attribute));
        }
        _ => {
            check_size(attribute, room)?;
            return Out(value.cast::<u8>()).set(settings.number(attribute) as u8);
        }
    };
    // The real driver writes all bytes of the largest text, whatever room there is.
    let mut padded = text.clone();
    padded.resize(MOST_TEXT, 0);
    padded.truncate(room);
    match guard::write(value as usize, guard::bytes(&padded)) {
        Err(error) => Err(error),
        Ok(()) => Ok(()),
    }
}

/// Changes a setting. Text of the process has its words with `%` replaced at once, and no more of it counts than there is up to its NUL.
pub fn set(
    settings: &mut Settings,
    attribute: Attribute,
    value: *mut c_void,
    size: InOut<usize>,
    of_process: bool,
) -> Result<()> {
    if !is_there(attribute, value, size)? {
        return Ok(());
    }
    let given = size.get()?;
    if !matches!(attribute, Attribute::File | Attribute::Pipe) {
        check_size(attribute, given)?;
        let mut word = [0u8; 4];
        word[..given].copy_from_slice(&guard::read_vec(value as usize, given)?);
        settings.set_number(attribute, u32::from_le_bytes(word));
        return Ok(());
    }
    refuse_if!(Error::INVALID_VALUE, given > MOST_TEXT, "size {} is more than text may have, {}", given, MOST_TEXT);
    let text = match of_process {
        true => expand(&guard::read_string(value as usize, MOST_TEXT)?),
        false => {
            let all = guard::read_vec(value as usize, given)?;
            all.into_iter().take_while(|&byte| byte != 0).collect()
        }
    };
    match attribute {
        Attribute::File => settings.file = text,
        _ => settings.pipe = text,
    }
    Ok(())
}
