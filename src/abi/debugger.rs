//! Private symbols of the real library.

#![allow(non_snake_case)]

use api_macro::entry;
use error::Result;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgApiAttach(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgApiDetach(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgApiInit(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgGetAPI(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgGetAPIVersion(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgMain(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgReportDriverApiError(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;

/// Private; part of the debugger interface.
#[entry(since = 2000, needs = init, header = false, lookup = false)]
pub fn cudbgReportDriverInternalError(a0: usize, a1: usize, a2: usize, a3: usize, a4: usize, a5: usize) -> Result<()>;
