//! What the user sets by the environment, and what we tell the user: [`config`], [`log`], and files
//! of the user's that may be a [`pipe`].

pub mod config;
pub mod log;
pub mod pipe;
