//! Faults of kernels, as programs are told of them.

use engine::state::fault::Fault;
use error::Error;

/// What a program is told of a fault.
pub fn error_of(fault: Fault) -> Error {
    match fault {
        Fault::IllegalAddress => Error::ILLEGAL_ADDRESS,
        Fault::Misaligned => Error::MISALIGNED_ADDRESS,
        Fault::Assert => Error::ASSERT,
        Fault::IllegalTarget => Error::INVALID_PC,
        Fault::Trap => Error::LAUNCH_FAILED,
        Fault::IllegalInstruction => Error::ILLEGAL_INSTRUCTION,
        Fault::TimedOut => Error::LAUNCH_TIMEOUT,
        Fault::Interrupted => Error::LAUNCH_FAILED,
        Fault::OutOfMemory => Error::OUT_OF_MEMORY,
        // On a device, the addresses behind the end of the stack have no memory.
        Fault::StackOverflow => Error::ILLEGAL_ADDRESS,
    }
}
