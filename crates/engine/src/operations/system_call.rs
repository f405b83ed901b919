//! Calls of functions that the system provides.

use crate::numeric::value::LANES;
use crate::operations::argument::place_of;
use crate::state::fault::Fault;
use crate::state::program::{CallSite, System};
use crate::state::services::Assertion;
use crate::state::warp::Warp;

/// A call of a function that the system provides.
pub fn call(warp: &mut Warp, function: System, site: &CallSite) -> Result<(), Fault> {
    // SAFETY: a warp that runs has surroundings, which hold the services while the launch runs.
    let services = unsafe { &*(*warp.around).services };
    for lane in (0..LANES).filter(|&lane| warp.mask >> lane & 1 != 0) {
        let argument = |n: usize| -> u64 {
            let Some(passed) = site.arguments.get(n) else { return 0 };
            let mut bytes = [0u8; 8];
            let size = passed.size.min(8);
            // SAFETY: a place of the current frame with that many bytes.
            unsafe {
                let from = place_of(warp, passed.place, lane) as *const u8;
                core::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), size);
            }
            u64::from_le_bytes(bytes)
        };
        let result = match function {
            System::Print => services.print(argument(0), argument(1)).ok_or(Fault::IllegalAddress)? as u64,
            System::Assert => {
                let assertion = Assertion {
                    message: argument(0),
                    file: argument(1),
                    line: argument(2) as u32,
                    function: argument(3),
                };
                services.assertion(warp.thread(lane), assertion);
                continue;
            }
            System::Device(what) => crate::operations::device_runtime::call(warp, what, site, lane),
            System::Allocate => services.allocate(argument(0)),
            System::Free if services.free(argument(0)) => 0,
            System::Free => return Err(Fault::Trap),
            System::SetCondition if services.set_condition(argument(0), argument(1) as u32) => continue,
            System::SetCondition => return Err(Fault::IllegalAddress),
            System::LaunchGraph => {
                // SAFETY: as above.
                let running = unsafe { (*warp.around).nested().graph() };
                services.launch_graph(running, argument(0), argument(1)).into()
            }
        };
        if let Some(passed) = site.results.first() {
            // SAFETY: as above.
            unsafe {
                let to = place_of(warp, passed.place, lane) as *mut u8;
                core::ptr::copy_nonoverlapping(result.to_le_bytes().as_ptr(), to, passed.size.min(8));
            }
        }
    }
    if function == System::Assert { Err(Fault::Assert) } else { Ok(()) }
}
