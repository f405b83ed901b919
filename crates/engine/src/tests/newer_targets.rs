//! Instructions of newer devices: a profile may name such a device, and what is not there is refused then, too.

use super::forms::load;
use ptx::forms::examples::{example, variants};
use ptx::forms::table;

/// What needs a newer device and is done as well: vectors of 32 bytes, sums of halves that saturate, `tf32` within bounds.
fn runs(line: &str) -> bool {
    let name = line.split(' ').next().unwrap_or("");
    let wide = name.contains(".v4.") && ["b64", "u64", "s64", "f64"].iter().any(|ty| name.ends_with(ty));
    matches!(name.get(..3), Some("ld." | "st.")) && wide
        || matches!(name, "add.sat.u16x2" | "add.sat.s16x2")
        || name.starts_with("cvt.") && name.ends_with(".tf32.f32")
}

#[test]
fn what_newer_devices_have_is_refused_or_done() {
    let registers = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .b128 %q<9>; \
                     .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b8 %b<9>;";
    let mut lines: Vec<String> = include_str!("../../../../tests/ptx/newer.txt").lines().map(str::to_owned).collect();
    for form in table().forms().filter(|f| f.target > 90) {
        lines.extend(variants(form, 12).iter().filter_map(|m| example(form, m)));
    }
    let mut taken = Vec::new();
    for line in &lines {
        let loads = |target: &str| {
            let head = format!(".version 9.5\n.target {target}\n.address_size 64\n");
            load(&format!("{head}.visible .entry k() {{ {registers}\n{line}\nret; }}")).is_ok()
        };
        if ["sm_100a", "sm_120a"].iter().any(|target| loads(target)) {
            taken.push(line.as_str());
        }
    }
    taken.retain(|line| !runs(line));
    assert!(taken.is_empty(), "{} of {}:\n{}", taken.len(), lines.len(), taken.join("\n"));
}
