//! The result codes of the driver API: number, name and text, once; and the reasons why calls are refused.

mod code;
mod lock;
mod reason;
pub use code::{Error, Result, code_named, name_of, text_of};
pub use lock::lock_briefly;
pub use reason::{Named, keep_reasons, ordinal};

/// An error with its reason: a code, and why the call is refused, in words, with the values. The reason names the argument as
/// the manual does:
///
/// ```
/// # use error::{Error, refuse};
/// # let (pitch, width) = (1, 2);
/// let error = refuse!(Error::INVALID_VALUE, "srcPitch {} is less than WidthInBytes {}", pitch, width);
/// ```
///
/// Who does not know the argument's name writes `_` in its place, at the beginning: `"_ is NULL"`. Callers name it with
/// [`Error::of`] or [`Named::of`]; in entry points `#[entry]` does.
///
/// The words are put together in a function of their own, if anybody may read them; values are copied, so that they stay in
/// registers on the way of success. (Therefore they stand behind the text, not in it.)
#[macro_export]
macro_rules! refuse {
    ($error:expr, $text:literal $(, $value:expr)* $(,)?) => {
        $error.because(format_args!(concat!($text, "") $(, { $value })*))
    };
}

/// Refuses a call where a condition holds:
///
/// ```
/// # use error::{Error, Result, refuse_if};
/// # fn check(p: usize, flags: u32) -> Result<()> {
/// refuse_if!(Error::INVALID_VALUE, p == 0, "p is NULL");
/// refuse_if!(Error::INVALID_VALUE, flags & !7 != 0, "Flags {:#x} has bits that have no meaning", flags);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! refuse_if {
    ($error:expr, $wrong:expr, $text:literal $(, $value:expr)* $(,)?) => {
        if $wrong {
            return Err($crate::refuse!($error, $text $(, $value)*));
        }
    };
}
