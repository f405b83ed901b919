//! `DOPPEL_CHECK`: what is looked at while a program runs.

/// The words that there are.
pub const CHECKS: &str = "memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE and sarif=FILE";

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// `memcheck`: kernels access only what is there.
    pub memory: bool,
    /// `leaks`: what was never freed is listed at the end.
    pub leaks: bool,
    /// `racecheck`: what threads do in shared and global memory is in order.
    pub races: bool,
    /// `initcheck`: kernels read only what was written.
    pub unwritten: bool,
    /// `synccheck`: barriers and collective instructions are used as they must be.
    pub misuse: bool,
    /// `exit=N`: the exit status of a process with errors.
    pub exit: Option<u8>,
    /// `limit=N`: reports that are written; more are only counted.
    pub limit: Option<u32>,
    /// `junit=FILE`, `sarif=FILE`: files that reports are written to.
    pub junit: Option<String>,
    pub sarif: Option<String>,
    /// Words that mean nothing.
    pub unknown: Vec<String>,
}

impl Check {
    /// Reads the words of a list.
    pub fn parse(text: &str) -> Check {
        let mut check = Check::default();
        for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let number = |name: &str| word.strip_prefix(name).and_then(|n| n.parse::<u32>().ok());
            match word {
                "off" => {}
                "memcheck" => check.memory = true,
                "leaks" => check.leaks = true,
                "racecheck" => check.races = true,
                "initcheck" => check.unwritten = true,
                "synccheck" => check.misuse = true,
                _ if let Some(status) = number("exit=").and_then(|n| u8::try_from(n).ok()) => check.exit = Some(status),
                _ if let Some(file) = word.strip_prefix("junit=").filter(|f| !f.is_empty()) => {
                    check.junit = Some(file.into())
                }
                _ if let Some(file) = word.strip_prefix("sarif=").filter(|f| !f.is_empty()) => {
                    check.sarif = Some(file.into())
                }
                _ if let Some(limit) = number("limit=") => check.limit = Some(limit),
                _ => check.unknown.push(word.to_owned()),
            }
        }
        check
    }

    /// True when anything is looked at.
    pub fn is_on(&self) -> bool {
        self.accesses() || self.leaks
    }

    /// True when accesses of kernels are looked at: whatever does that looks at all of them as `memcheck` does.
    pub fn accesses(&self) -> bool {
        self.memory || self.races || self.unwritten || self.misuse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let on = Check { memory: true, leaks: true, races: true, unwritten: true, misuse: true, ..Check::default() };
        let (junit, sarif) = (Some("a.xml".to_owned()), Some("b/%p.sarif".to_owned()));
        let all = Check { exit: Some(9), limit: Some(5), junit, sarif, ..on };
        assert_eq!(
            Check::parse("memcheck, leaks,racecheck,initcheck,synccheck,exit=9,limit=5,junit=a.xml,sarif=b/%p.sarif,"),
            all
        );
        assert_eq!(Check::parse(""), Check::default());
        assert_eq!(Check::parse("off"), Check::default());
        let check = Check::parse("memcheck,initchek,exit=256,limit=x,junit=");
        assert!(check.memory && check.exit.is_none());
        assert_eq!(check.unknown, ["initchek", "exit=256", "limit=x", "junit="]);
    }
}
