//! Options: machine code is asked for as PTX.

use container::Architecture;

/// What the options of a compilation mean to us.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// As they go to the real library.
    pub given: Vec<Vec<u8>>,
    /// Machine code was asked for, for this architecture.
    pub machine_code: Option<Architecture>,
    /// `-maxrregcount`.
    pub most_registers: Option<u32>,
    /// `--ptxas-options`, for the assembler.
    pub assembler: Vec<Vec<u8>>,
    /// `-rdc=true`: what is not defined may come with other modules.
    pub relocatable: bool,
}

/// The value of an option that stands in one string, or in this one and the next.
fn value<'o>(names: &[&str], option: &'o [u8], next: Option<&'o Vec<u8>>) -> Option<(&'o [u8], bool)> {
    let name = names.iter().find(|name| option.starts_with(name.as_bytes()))?;
    match &option[name.len()..] {
        [] => Some((next?.trim_ascii(), true)),
        [b'=', value @ ..] => Some((value, false)),
        _ => None,
    }
}

/// Reads options and replaces `sm_XX` by `compute_XX`. Of several architectures the last one holds.
pub fn read(options: Vec<Vec<u8>>) -> Options {
    let mut all = Options { given: options.clone(), ..Options::default() };
    let mut at = 0;
    while at < options.len() {
        let (option, next) = (options[at].trim_ascii(), options.get(at + 1));
        let mut taken = 1;
        let architecture = ["--gpu-architecture", "-arch"];
        if let Some((value, two)) = value(&architecture, option, next) {
            taken += usize::from(two);
            let named = value.strip_prefix(b"sm_").and_then(|rest| str::from_utf8(rest).ok());
            // Once machine code was asked for there is some, for the last architecture.
            let architecture = str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            if named.is_some() || all.machine_code.is_some() {
                all.machine_code = architecture;
            }
            if let Some(rest) = named {
                let new = format!("compute_{rest}").into_bytes();
                let whole = &option[..option.len() - if two { 0 } else { value.len() }];
                all.given[at + usize::from(two)] = if two { new } else { [whole, &new].concat() };
            }
        } else if let Some((value, two)) = value(&["--maxrregcount", "-maxrregcount"], option, next) {
            taken += usize::from(two);
            all.most_registers = str::from_utf8(value).ok().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
        } else if let Some((value, two)) = value(&["--relocatable-device-code", "-rdc"], option, next) {
            taken += usize::from(two);
            all.relocatable = value == b"true";
        } else if let Some((value, two)) = value(&["--ptxas-options", "-Xptxas"], option, next) {
            taken += usize::from(two);
            all.assembler.push(value.to_vec());
        } else if matches!(option, b"--device-c" | b"-dc" | b"-rdc" | b"--relocatable-device-code") {
            all.relocatable = true;
        }
        at += taken;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(options: &[&str]) -> (Vec<String>, Option<String>) {
        let read = read(options.iter().map(|o| o.as_bytes().to_vec()).collect());
        let given = read.given.into_iter().map(|o| String::from_utf8(o).unwrap()).collect();
        (given, read.machine_code.map(|a| a.to_string()))
    }

    #[test]
    fn spellings() {
        for (options, wanted) in [
            (&["-arch=sm_90"][..], &["-arch=compute_90"][..]),
            (&["--gpu-architecture=sm_90"], &["--gpu-architecture=compute_90"]),
            (&["-arch", "sm_90"], &["-arch", "compute_90"]),
            (&["--gpu-architecture", "sm_90"], &["--gpu-architecture", "compute_90"]),
            (&[" -arch=sm_90 "], &["-arch=compute_90"]),
            (&["-arch=compute_80", "-arch=sm_90"], &["-arch=compute_80", "-arch=compute_90"]),
        ] {
            let wanted: Vec<_> = wanted.iter().map(|w| w.to_string()).collect();
            assert_eq!(given(options), (wanted, Some("sm_90".to_owned())), "{options:?}");
        }
        assert_eq!(given(&["-arch=sm_100f"]).1.unwrap(), "sm_100f");
        assert_eq!(given(&["-arch=sm_90a"]).0, ["-arch=compute_90a"]);
    }

    #[test]
    fn what_is_no_machine_code_stays() {
        for options in
            [&["-arch=compute_90"][..], &["-arch sm_90"], &["-arch= sm_90"], &["-arch"], &["-G", "-archx=sm_90"]]
        {
            let same: Vec<_> = options.iter().map(|w| w.to_string()).collect();
            assert_eq!(given(options), (same, None), "{options:?}");
        }
        assert_eq!(given(&["-arch=sm_80", "-arch=compute_90"]).1.unwrap(), "sm_90");
        // The value of another option is none of ours.
        assert_eq!(given(&["-arch", "-arch=sm_90"]).1, None);
    }

    #[test]
    fn registers_and_relocatable_code() {
        let read = |options: &[&str]| read(options.iter().map(|o| o.as_bytes().to_vec()).collect());
        assert_eq!(read(&["-maxrregcount=32"]).most_registers, Some(32));
        assert_eq!(read(&["--maxrregcount", "40"]).most_registers, Some(40));
        assert!(read(&["-rdc=true"]).relocatable && read(&["-dc"]).relocatable);
        assert!(!read(&["-rdc=false"]).relocatable);
    }
}
