//! What the environment says of core dumps, in the variables that CUDA's debugger documents.

/// What is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreDump {
    /// `CUDA_ENABLE_COREDUMP_ON_EXCEPTION`.
    pub enabled: bool,
    /// `CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION`; true if nothing is said.
    pub host: bool,
    /// `CUDA_ENABLE_LIGHTWEIGHT_COREDUMP`.
    pub light: bool,
    /// `CUDA_ENABLE_USER_TRIGGERED_COREDUMP`.
    pub user: bool,
    /// `CUDA_COREDUMP_FILE` and `CUDA_COREDUMP_PIPE`: templates.
    pub file: Option<Vec<u8>>,
    pub pipe: Option<Vec<u8>>,
    /// `CUDA_COREDUMP_GENERATION_FLAGS`, as the bits of `CUCoredumpGenerationFlags`.
    pub flags: u32,
}

impl Default for CoreDump {
    fn default() -> CoreDump {
        CoreDump { enabled: false, host: true, light: false, user: false, file: None, pipe: None, flags: 0 }
    }
}

/// The words of `CUDA_COREDUMP_GENERATION_FLAGS`.
const FLAGS: [(&str, u32); 6] = [
    ("skip_nonrelocated_elf_images", 0x1),
    ("skip_global_memory", 0x2),
    ("skip_shared_memory", 0x4),
    ("skip_local_memory", 0x8),
    ("skip_abort", 0x10),
    ("skip_constbank_memory", 0x20),
];

fn flags(list: &str) -> u32 {
    let word = |word: &str| FLAGS.iter().find(|flag| flag.0 == word).map_or(0, |flag| flag.1);
    list.split(',').fold(0, |all, part| all | word(part))
}

impl CoreDump {
    /// Reads it. A process with more rights than its user writes no files that the environment names.
    pub fn parse(env: impl Fn(&str) -> Option<Vec<u8>>, secure: bool) -> CoreDump {
        if secure {
            return CoreDump::default();
        }
        let text = |name| env(name).map(|v| String::from_utf8_lossy(&v).into_owned());
        // 1 alone is true, as the real driver has it.
        let number = |name| text(name).and_then(|v| super::leading_number(&v));
        let template = |name| env(name).filter(|v| !v.is_empty());
        CoreDump {
            enabled: number("CUDA_ENABLE_COREDUMP_ON_EXCEPTION") == Some(1),
            host: number("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION").is_none_or(|n| n == 1),
            light: number("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP") == Some(1),
            user: number("CUDA_ENABLE_USER_TRIGGERED_COREDUMP") == Some(1),
            file: template("CUDA_COREDUMP_FILE"),
            pipe: template("CUDA_COREDUMP_PIPE"),
            flags: text("CUDA_COREDUMP_GENERATION_FLAGS").map_or(0, |v| flags(&v)),
        }
    }
}
