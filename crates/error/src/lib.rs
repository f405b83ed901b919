//! The result codes of the driver API: number, name and text, once; and the reasons why calls are refused.

mod code;
mod reason;
pub use code::{Error, Result, name_of, text_of};
pub use reason::{Named, ordinal};
