//! Names of functions in what layers are told.

use crate::table;
use settings::config::{self, glob};

/// What is wrong with patterns of functions' names: one that no function has.
pub fn no_function<'p>(mut patterns: impl Iterator<Item = &'p str>) -> Option<String> {
    let names = || table::ENTRIES.iter().flat_map(|entry| [entry.base, entry.name()]);
    let nobody = patterns.find(|pattern| !names().any(|name| glob(pattern.as_bytes(), name.as_bytes())))?;
    let meant = config::nearest(nobody, names()).filter(|_| !nobody.contains(['*', '?']));
    Some(format!("no function is {nobody}{}", meant.map_or_else(String::new, |name| format!("; did you mean {name}?"))))
}
