//! What a module is for, and whose own features a form is of.

/// What the module says that it is for.
#[derive(Clone, Copy, Default)]
pub struct Target {
    /// `.target`.
    pub architecture: u32,
    /// Its suffix.
    pub suffix: Option<char>,
    /// `.version`.
    pub version: (u32, u32),
}

/// A target of whose own features a form is.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// The number of the target.
    pub number: u32,
    /// Later targets of its family have it, too.
    pub family: bool,
}

impl Own {
    /// Reads `90a` or `100f`.
    pub(super) fn read(text: &str) -> Option<Own> {
        let family = text.ends_with('f');
        let number = text.strip_suffix(['a', 'f'])?.parse().ok()?;
        Some(Own { number, family })
    }

    /// Whether a module for a target may use it.
    pub(super) fn has(self, target: Target) -> bool {
        // What was called 101 is 110 by now.
        let architecture = if target.architecture == 101 { 110 } else { target.architecture };
        match (target.suffix, self.family) {
            (Some(_), true) => architecture / 10 == self.number / 10 && architecture >= self.number,
            (Some('a'), false) => architecture == self.number,
            _ => false,
        }
    }
}
