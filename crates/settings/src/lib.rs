//! What the user sets by the environment, and what we tell the user: [`config`] and [`log`].

pub mod config;
pub mod log;
