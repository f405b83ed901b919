//! Instructions of newer devices: a profile may name such a device, and what is not there is refused then, too.

use super::forms::load;
use ptx::forms::examples::{example, variants};
use ptx::forms::table;

/// What is known and not done.
fn is_missing(line: &str) -> bool {
    let name = line.split(' ').next().unwrap_or("");
    let starts = ["tcgen05.", "wgmma.", "tensormap.replace.tile.swizzle_atomicity"];
    starts.iter().any(|start| name.starts_with(start))
        || name.starts_with("cvt.") && name.contains(".scaled::n2::ue8m0.s2f6x2.")
}

#[test]
fn what_newer_devices_have_is_refused_or_done() {
    let registers = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
                     .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b8 %b<9>;";
    let mut lines: Vec<String> = include_str!("../../../../tests/ptx/newer.txt").lines().map(str::to_owned).collect();
    for form in table().forms().filter(|f| f.target > 90) {
        lines.extend(variants(form, 12).iter().filter_map(|m| example(form, m)));
    }
    let mut wrong = Vec::new();
    for line in &lines {
        let loads = |target: &str| {
            let head = format!(".version 9.5\n.target {target}\n.address_size 64\n");
            load(&format!("{head}.visible .entry k() {{ {registers}\n{line}\nret; }}")).is_ok()
        };
        if ["sm_100a", "sm_120a"].iter().any(|target| loads(target)) == is_missing(line) {
            wrong.push(line.as_str());
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}
