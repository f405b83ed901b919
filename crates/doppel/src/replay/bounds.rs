//! What a file must not say: functions that are not asked again, and numbers that are more than the memory they are about.

/// Functions that a record does not ask for: they write files or read them, or are about other processes.
const REFUSED: &[&str] =
    &["cuGetExportTable", "cuGraphDebugDotPrint", "cuModuleLoad", "cuModuleLoad_v2", "cuLibraryLoadFromFile"];
const REFUSED_ALL: &[&str] =
    &["cuCoredump", "cuCheckpoint", "cuLogs", "cuIpc", "cuLinkAddFile", "cuGetProcAddress", "cuProfiler"];

/// Whether a function may be called because a file names it; calls that are not asked again may name others.
pub fn may_be_asked(name: &str) -> bool {
    let own = name.strip_prefix("cu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    own && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a function is asked at all.
pub fn is_refused(name: &str) -> bool {
    REFUSED.contains(&name) || REFUSED_ALL.iter().any(|start| name.starts_with(start))
}

/// A function's name without version and thread's stream.
fn base(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// The arguments that are memory, and those that say how many bytes of it.
pub fn pieces(name: &str) -> &'static [(usize, usize)] {
    match base(name) {
        "cuMemcpyHtoD" | "cuMemcpyHtoDAsync" => &[(1, 2)],
        "cuMemcpyDtoH" | "cuMemcpyDtoHAsync" => &[(0, 2)],
        "cuMemcpyHtoA" | "cuMemcpyHtoAAsync" => &[(2, 3)],
        "cuMemcpyAtoH" | "cuMemcpyAtoHAsync" => &[(0, 3)],
        "cuMemcpy" | "cuMemcpyAsync" | "cuMemcpyWithAttributesAsync" => &[(0, 2), (1, 2)],
        "cuMemHostRegister" => &[(0, 1)],
        "cuParamSetv" | "cuLinkAddData" => &[(2, 3)],
        _ => &[],
    }
}

/// Whether the memory of [`pieces`] is the host's, and not addressed as the device's is.
pub fn of_host(name: &str) -> bool {
    ["HtoD", "DtoH", "HtoA", "AtoH"].iter().any(|way| base(name).contains(way))
}

/// No structure that is looked at has more bytes.
pub const LARGEST_STRUCTURE: usize = 1024;

/// The argument that is a function of the program's.
pub fn callback(name: &str) -> Option<usize> {
    match base(name) {
        "cuLaunchHostFunc" | "cuStreamAddCallback" | "cuDeviceRegisterAsyncNotification" => Some(1),
        "cuUserObjectCreate" => Some(2),
        "cuOccupancyMaxPotentialBlockSize" | "cuOccupancyMaxPotentialBlockSizeWithFlags" => Some(3),
        _ => None,
    }
}

/// A structure among the arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Structure {
    /// `CUDA_MEMCPY2D`.
    Copy2,
    /// `CUDA_MEMCPY3D`, also that between devices.
    Copy3,
    /// `CUDA_HOST_NODE_PARAMS`.
    Host,
    /// `CUgraphNodeParams`.
    Node,
}

/// The argument that leads to a structure with memory of the host or a function in it.
pub fn structure(name: &str) -> Option<(usize, Structure)> {
    Some(match base(name) {
        "cuMemcpy2D" | "cuMemcpy2DUnaligned" | "cuMemcpy2DAsync" => (0, Structure::Copy2),
        "cuMemcpy3D" | "cuMemcpy3DAsync" | "cuMemcpy3DPeer" | "cuMemcpy3DPeerAsync" => (0, Structure::Copy3),
        "cuGraphAddMemcpyNode" => (4, Structure::Copy3),
        "cuGraphMemcpyNodeSetParams" => (1, Structure::Copy3),
        "cuGraphExecMemcpyNodeSetParams" => (2, Structure::Copy3),
        "cuGraphAddHostNode" => (4, Structure::Host),
        "cuGraphHostNodeSetParams" => (1, Structure::Host),
        "cuGraphExecHostNodeSetParams" => (2, Structure::Host),
        "cuGraphAddNode" if name != "cuGraphAddNode" => (5, Structure::Node),
        "cuGraphAddNode" => (4, Structure::Node),
        "cuGraphNodeSetParams" => (1, Structure::Node),
        "cuGraphExecNodeSetParams" => (2, Structure::Node),
        _ => return None,
    })
}

/// What a structure says.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// Where an address of the host's may stand, and the bytes behind it that are used.
    pub boxes: Vec<(usize, u64)>,
    /// The program's function.
    pub function: Option<u64>,
}

impl Structure {
    /// Looks at a structure. None if there are too few bytes.
    pub fn look(self, bytes: &[u8]) -> Option<Found> {
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        match self {
            Structure::Copy2 => {
                let words = words(bytes, 0, 16)?;
                let side = |x: usize| {
                    let s = &words[x..];
                    // x, y, kind of memory, host, device, array, pitch
                    let len = extent([s[0], s[1], 0], (s[6], 0), [words[14], words[15], 1]);
                    [(8 * (x + 3), len), (8 * (x + 4), len)]
                };
                Some(Found { boxes: [side(0), side(7)].concat(), function: None })
            }
            Structure::Copy3 => copy3(bytes, 0),
            Structure::Host => Some(Found { boxes: Vec::new(), function: Some(word(0)?) }),
            Structure::Node => {
                const MEMCPY: u64 = 1;
                const HOST: u64 = 3;
                match word(0)? & 0xffff_ffff {
                    MEMCPY => copy3(bytes, 32),
                    HOST => Some(Found { boxes: Vec::new(), function: Some(word(16)?) }),
                    _ => Some(Found::default()),
                }
            }
        }
    }
}

fn words(bytes: &[u8], at: usize, count: usize) -> Option<Vec<u64>> {
    let bytes = bytes.get(at..at + 8 * count)?;
    Some(bytes.chunks_exact(8).map(|word| word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))).collect())
}

fn copy3(bytes: &[u8], at: usize) -> Option<Found> {
    let words = words(bytes, at, 25)?;
    let side = |x: usize| {
        let s = &words[x..];
        // x, y, z, level, kind of memory, host, device, array, context, pitch, height
        let len = extent([s[0], s[1], s[2]], (s[9], s[10]), [words[22], words[23], words[24]]);
        [(at + 8 * (x + 5), len), (at + 8 * (x + 6), len)]
    };
    Some(Found { boxes: [side(0), side(11)].concat(), function: None })
}

/// Bytes from the beginning of memory to the end of a box in it.
fn extent(from: [u64; 3], (pitch, rows): (u64, u64), size: [u64; 3]) -> u64 {
    if size.contains(&0) {
        return 0;
    }
    let pitch = if pitch == 0 { from[0].saturating_add(size[0]) } else { pitch };
    let rows = if rows == 0 { from[1].saturating_add(size[1]) } else { rows };
    let slices = from[2].saturating_add(size[2] - 1).saturating_mul(rows);
    let before = slices.saturating_add(from[1]).saturating_add(size[1] - 1).saturating_mul(pitch);
    before.saturating_add(from[0]).saturating_add(size[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_functions_but_the_drivers() {
        assert!(may_be_asked("cuInit") && may_be_asked("cuMemAlloc_v2"));
        assert!(!may_be_asked("cuserid") && !may_be_asked("system") && !may_be_asked("cuA-"));
        assert!(is_refused("cuGraphDebugDotPrint") && is_refused("cuModuleLoad") && !is_refused("cuModuleLoadData"));
    }

    #[test]
    fn boxes_end_with_their_last_row() {
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let mut flat = [0; 16];
        // 10 bytes of 3 rows, of which each has 100; on the other side without gaps.
        (flat[0], flat[1], flat[6], flat[14], flat[15]) = (4, 1, 100, 10, 3);
        let boxes = Structure::Copy2.look(&bytes(&flat)).unwrap().boxes;
        assert_eq!(boxes, [(24, 314), (32, 314), (80, 30), (88, 30)]);
        let mut deep = [0; 25];
        (deep[0], deep[1], deep[2], deep[9], deep[10]) = (4, 1, 1, 100, 8);
        (deep[22], deep[23], deep[24]) = (10, 3, 2);
        let boxes = Structure::Copy3.look(&bytes(&deep)).unwrap().boxes;
        assert_eq!(boxes, [(40, 1914), (48, 1914), (128, 60), (136, 60)]);
        deep[9] = u64::MAX;
        assert_eq!(Structure::Copy3.look(&bytes(&deep)).unwrap().boxes[0].1, u64::MAX);
        deep[23] = 0;
        assert_eq!(Structure::Copy3.look(&bytes(&deep)).unwrap().boxes[0].1, 0);
        assert!(Structure::Copy3.look(&bytes(&deep[1..])).is_none());
        let node = [3, 0, 77, 0];
        assert_eq!(Structure::Node.look(&bytes(&node)).unwrap().function, Some(77));
    }
}
