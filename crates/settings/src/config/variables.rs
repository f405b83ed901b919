//! The names of our variables, and names that are none.

use crate::log;

/// What all of them begin with.
const PREFIX: &str = "DOPPEL_";

/// Variables of which some part of the product reads, each with this beginning.
const NAMES: &[&str] = &[
    "DOPPEL_CHECK",
    "DOPPEL_COVERAGE",
    "DOPPEL_CPU",
    "DOPPEL_DEVICES",
    "DOPPEL_DEVICE_MEMORY",
    "DOPPEL_ENGINE",
    "DOPPEL_FAILURE",
    "DOPPEL_FAULT",
    "DOPPEL_JIT_MAP",
    "DOPPEL_KERNEL_TIMEOUT",
    "DOPPEL_LOG",
    "DOPPEL_MEMORY_LIMIT",
    "DOPPEL_MODE",
    "DOPPEL_NODE",
    "DOPPEL_PYTEST_CHILD",
    "DOPPEL_REAL_FATBINARY",
    "DOPPEL_REAL_LIBCUDA",
    "DOPPEL_REAL_NVCC",
    "DOPPEL_REAL_NVJITLINK",
    "DOPPEL_REAL_NVML",
    "DOPPEL_REAL_NVRTC",
    "DOPPEL_REAL_PTXAS",
    "DOPPEL_RECORD",
    "DOPPEL_SCHEDULE",
    "DOPPEL_TOOLS_SEEN",
    "DOPPEL_TRACE",
    "DOPPEL_TRACE_CALLS",
    "DOPPEL_TRACE_RANGE",
    "DOPPEL_TRACE_STACKS",
    "DOPPEL_UNSUPPORTED",
];

/// Whether this is the name of a variable of ours.
pub fn is_variable(name: &str) -> bool {
    NAMES.contains(&name)
}

/// A sentence for each name that looks like one of ours and is none, with the one that was probably meant.
pub fn unknown_variables<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let unknown = names.filter(|name| name.starts_with(PREFIX) && !is_variable(name));
    let sentence = |name: &str| {
        let typed = name[PREFIX.len()..].to_ascii_uppercase();
        let near = nearest(&typed, NAMES.iter().map(|known| &known[PREFIX.len()..]));
        let meant = near.map_or_else(String::new, |near| format!("; did you mean {PREFIX}{near}?"));
        format!("{name} is no variable of Doppel's and has no effect{meant}")
    };
    unknown.map(sentence).collect()
}

/// The name among `known` that was probably meant, of which half is right at least.
pub fn nearest<'k>(typed: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let by_distance = known.map(|known| (strsim::damerau_levenshtein(known, typed), known));
    let (distance, nearest) = by_distance.min_by_key(|(distance, _)| *distance)?;
    (2 * distance <= typed.len().max(nearest.len())).then_some(nearest)
}

/// Warns of such names in the environment that the process was started with. It cannot change meanwhile, as another
/// thread may change the environment; without `/proc` nothing is said.
pub fn warn_of_unknown_variables() {
    let environment = std::fs::read("/proc/self/environ").unwrap_or_default();
    let names = environment.split(|&byte| byte == 0).filter_map(|variable| variable.split(|&byte| byte == b'=').next());
    for sentence in unknown_variables(names.filter_map(|name| core::str::from_utf8(name).ok())) {
        log::warn!("{sentence}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_said() {
        for (name, nearest) in [
            ("DOPPEL_MEMROY_LIMIT", "DOPPEL_MEMORY_LIMIT"),
            ("DOPPEL_DEVICE", "DOPPEL_DEVICES"),
            ("DOPPEL_DEVICES_MEMORY", "DOPPEL_DEVICE_MEMORY"),
            ("DOPPEL_MOD", "DOPPEL_MODE"),
            ("DOPPEL_CHEKC", "DOPPEL_CHECK"),
            ("DOPPEL_mode", "DOPPEL_MODE"),
        ] {
            let said = unknown_variables([name].into_iter());
            let expected = format!("{name} is no variable of Doppel's and has no effect; did you mean {nearest}?");
            assert_eq!(said, [expected]);
        }
        let said =
            unknown_variables(["DOPPEL_XYZZY_PLUGH", "DOPPEL_", "HOME", "doppel_mode", "DOPPEL_MODE"].into_iter());
        assert!(said.len() == 2 && said.iter().all(|sentence| sentence.ends_with("no effect")), "{said:?}");
    }

    #[test]
    fn what_is_read_is_known() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
        let page = std::fs::read_to_string(folder).unwrap();
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `DOPPEL_"));
        let names: Vec<String> =
            rows.map(|rest| format!("DOPPEL_{}", rest.split(['`', '=']).next().unwrap())).collect();
        assert!(names.len() > 5, "the table of variables has another form");
        for name in names {
            assert!(is_variable(&name), "{name}");
        }
    }
}
