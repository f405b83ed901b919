//! Names that arguments have of functions and of errors.

/// A name without what its spellings differ in: capitals, underscores, and what stands at its end for a version or a default stream.
pub fn plain(name: &str) -> String {
    let mut name = name.trim().trim_end_matches("()").to_ascii_lowercase();
    loop {
        let version = name.rsplit_once("_v").filter(|(_, digits)| digits.parse::<u8>().is_ok()).map(|(front, _)| front);
        let Some(front) = name.strip_suffix("_ptsz").or_else(|| name.strip_suffix("_ptds")).or(version) else { break };
        name.truncate(front.len());
    }
    name.replace('_', "")
}

/// The name of a function that is asked for: one of which something is left in whatever spelling.
pub fn function(text: &str) -> Result<String, &'static str> {
    if plain(text).is_empty() { Err("a name is needed") } else { Ok(text.to_owned()) }
}

/// The name of an error that is asked for, of those that calls can give.
pub fn error(name: &str) -> Result<String, &'static str> {
    match error::code_named(name) {
        Some(_) => Ok(name.to_owned()),
        None => Err("no error of the driver has this name; OUT_OF_MEMORY is one"),
    }
}
