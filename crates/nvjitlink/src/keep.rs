//! Functions of code for link time optimisation that only PTX calls.
//!
//! The real library makes PTX of that code by itself (`-lto -ptx`) and leaves out what no kernel there calls; what is left is
//! known in that PTX alone. So it gets a kernel of ours beside, compiled by NVRTC, that takes the addresses of these functions.
//! The kernel is taken out of the PTX again.

use core::ffi::{c_char, c_int, c_void};
use real::Library;
use std::ffi::CString;
use std::fmt::Write;
use std::ptr;

/// Our kernel.
pub const KEEPER: &str = "doppel_keeps_these_functions";

/// NVRTC of our major version: ours, if that is in the way of the real one.
const NVRTC: &str = if cfg!(nvjitlink = "12") { "libnvrtc.so.12" } else { "libnvrtc.so.13" };

/// A program of NVRTC.
type Program = *mut c_void;

/// The source of a kernel that keeps functions. Names that C++ does not have are left out; `None` if none is left.
fn source(names: &[String]) -> Option<String> {
    let word = |name: &&String| {
        name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    let names: Vec<&String> = names.iter().filter(word).collect();
    let (mut declarations, mut uses) = (String::new(), String::new());
    for (at, name) in names.iter().enumerate() {
        let _ = writeln!(declarations, "extern \"C\" __device__ void {name}();");
        let _ = writeln!(uses, "to[{at}] = (void *){name};");
    }
    let kernel = format!("{declarations}extern \"C\" __global__ void {KEEPER}(void **to) {{\n{uses}}}\n");
    (!names.is_empty()).then_some(kernel)
}

/// Code for link time optimisation with a kernel that keeps functions. `None`: there is no NVRTC, or it refuses.
pub fn kernel(names: &[String], architecture: &str) -> Option<Vec<u8>> {
    let source = CString::new(source(names)?).ok()?;
    let nvrtc = Library::of_name(NVRTC)?;
    macro_rules! function {
        ($name:literal, fn($($t:ty),*)) => {{
            let address = nvrtc.symbol($name);
            if address.is_null() {
                return None;
            }
            // SAFETY: NVRTC's function of that name has this type.
            unsafe { core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($t),*) -> c_int>(address) }
        }};
    }
    type Strings = *const *const c_char;
    let create =
        function!(c"nvrtcCreateProgram", fn(*mut Program, *const c_char, *const c_char, c_int, Strings, Strings));
    let compile = function!(c"nvrtcCompileProgram", fn(Program, c_int, Strings));
    let measure = function!(c"nvrtcGetLTOIRSize", fn(Program, *mut usize));
    let get = function!(c"nvrtcGetLTOIR", fn(Program, *mut c_char));
    let destroy = function!(c"nvrtcDestroyProgram", fn(*mut Program));

    let architecture = CString::new(format!("-arch={architecture}")).ok()?;
    let options = [architecture.as_ptr(), c"-dlto".as_ptr(), c"-rdc=true".as_ptr()];
    let mut program = ptr::null_mut();
    let name = c"doppel_keeper.cu".as_ptr();
    // SAFETY: all strings and results are ours.
    if unsafe { create(&mut program, source.as_ptr(), name, 0, ptr::null(), ptr::null()) } != 0 {
        return None;
    }
    let mut code = Vec::new();
    let mut size = 0;
    // SAFETY: the program is alive, the options are three, and the buffer has the size that was asked for.
    let made = unsafe {
        compile(program, options.len() as c_int, options.as_ptr()) == 0 && measure(program, &mut size) == 0 && {
            code.resize(size, 0);
            size > 0 && get(program, code.as_mut_ptr().cast()) == 0
        }
    };
    // SAFETY: nobody uses the program afterwards.
    unsafe { destroy(&mut program) };
    made.then_some(code)
}

/// PTX without our kernel, in which the functions that it kept are visible to other modules. The text is the real
/// library's: each function begins a line, and a brace alone on a line ends it.
pub fn published(text: &str, names: &[String]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        inside |= line.starts_with(&format!(".visible .entry {KEEPER}("));
        if !inside {
            if line.strip_prefix(".func").and_then(name_of_function).is_some_and(|name| names.iter().any(|n| n == name))
            {
                new.push_str(".visible ");
            }
            new.push_str(line);
        }
        inside &= line.trim_end() != "}";
    }
    new
}

/// The name behind `.func` and a result.
fn name_of_function(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let rest = if rest.starts_with('(') { &rest[rest.find(')')? + 1..] } else { rest }.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$%".contains(c))).unwrap_or(rest.len());
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn what_cpp_can_name_is_kept() {
        assert_eq!(source(&names(&["a$b", "1x"])), None);
        let text = source(&names(&["f", "a$b", "_Z1gi"])).unwrap();
        assert!(text.contains("void f();") && text.contains("to[1] = (void *)_Z1gi;") && !text.contains('$'), "{text}");
    }

    #[test]
    fn the_kernel_goes_and_functions_are_visible() {
        let text = format!(
            ".version 8.0\n.visible .entry k(\n)\n{{\nret;\n}}\n.func  (.param .b32 r) f(\n.param .b32 a\n)\n{{\nret;\n}}\n\
             .func  own()\n{{\nret;\n}}\n.visible .entry {KEEPER}(\n.param .u64 p\n)\n{{\nret;\n}}\n// end\n"
        );
        let new = published(&text, &names(&["f", "never"]));
        assert_eq!(
            new,
            ".version 8.0\n.visible .entry k(\n)\n{\nret;\n}\n.visible .func  (.param .b32 r) f(\n.param .b32 a\n)\n{\nret;\n}\n\
             .func  own()\n{\nret;\n}\n// end\n"
        );
    }
}
