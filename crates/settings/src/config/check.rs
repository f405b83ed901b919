//! `DOPPEL_CHECK`: what is looked at while a program runs.

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// `memcheck`: kernels access only what is there.
    pub memory: bool,
    /// `leaks`: what was never freed is listed at the end.
    pub leaks: bool,
    /// `racecheck`: what threads of a block do in shared memory is in order.
    pub races: bool,
    /// `exit=N`: the exit status of a process with errors.
    pub exit: Option<u8>,
    /// `limit=N`: reports that are written; more are only counted.
    pub limit: Option<u32>,
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
                _ if let Some(status) = number("exit=").and_then(|n| u8::try_from(n).ok()) => check.exit = Some(status),
                _ if let Some(limit) = number("limit=") => check.limit = Some(limit),
                _ => check.unknown.push(word.to_owned()),
            }
        }
        check
    }

    /// True when anything is looked at.
    pub fn is_on(&self) -> bool {
        self.memory || self.leaks || self.races
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let all = Check { memory: true, leaks: true, races: true, exit: Some(9), limit: Some(5), unknown: vec![] };
        assert_eq!(Check::parse("memcheck, leaks,racecheck,exit=9,limit=5,"), all);
        assert_eq!(Check::parse(""), Check::default());
        assert_eq!(Check::parse("off"), Check::default());
        let check = Check::parse("memcheck,initcheck,exit=256,limit=x");
        assert!(check.memory && check.exit.is_none());
        assert_eq!(check.unknown, ["initcheck", "exit=256", "limit=x"]);
    }
}
