//! What stands between the program and the device, in front of the emulated device and of a real driver, for which a second
//! copy of this library stands in.

mod stage;

use stage::{Answers, run, stage};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The stage, with `real/libcuda.so.1`, a driver of its own that emulates a device, and the programs of this file.
fn layers_stage() -> &'static Path {
    static BUILT: OnceLock<()> = OnceLock::new();
    let dir = stage();
    BUILT.get_or_init(|| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let real = dir.join("real");
        fs::create_dir_all(&real).unwrap();
        // Another name, by which the loader tells it from ours.
        let mut library = fs::read(dir.join("copy/libcuda.so.1")).unwrap();
        let (from, to) = (b"\0libcuda.so.1\0", b"\0libinner.so.\0");
        let at = library.windows(from.len()).position(|bytes| bytes == from).expect("the library has its name in it");
        library[at..at + to.len()].copy_from_slice(to);
        fs::write(real.join("libinner.so."), library).unwrap();
        let cc = |arguments: &[&str], source: &str, out: &str| {
            let mut command = Command::new("cc");
            command.args([
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-I",
                env!("CARGO_MANIFEST_DIR"),
                "-o",
            ]);
            let status = command.arg(dir.join(out)).arg(data.join(source)).args(arguments).current_dir(dir).status();
            assert!(status.expect("a C compiler is needed").success());
        };
        cc(
            &["-shared", "-fPIC", "-Wl,--no-as-needed", "real/libinner.so.", "-Wl,-rpath,$ORIGIN"],
            "ours_as_real.c",
            "real/libcuda.so.1",
        );
        fs::create_dir_all(dir.join("null")).unwrap();
        cc(&["-shared", "-fPIC"], "../../benches/null_driver.c", "null/libcuda.so.1");
        cc(&["ours/libcuda.so.1", "-lpthread"], "quota.c", "quota");
        cc(&["ours/libcuda.so.1", "-lpthread"], "traced.c", "traced");
        cc(&["ours/libcuda.so.1"], "faults.c", "faults");
        cc(&["ours/libcuda.so.1", "-g", "-O0"], "leaks.c", "leaks");
        cc(&["ours/libcuda.so.1"], "kernel_faults.c", "kernel_faults");
        cc(&["ours/libcuda.so.1"], "recovers.c", "recovers");
        cc(&["-ldl"], "every.c", "every");
        cc(&["-shared", "-fPIC", "-ldl"], "each_first.c", "each_first.so");
    });
    dir
}

/// In front of the emulated device, and of another driver.
const MODES: [&[(&str, &str)]; 2] =
    [&[("DOPPEL_MODE", "cpu")], &[("DOPPEL_MODE", "forward"), ("DOPPEL_REAL_LIBCUDA", "@/real/libcuda.so.1")]];

fn program(name: &str, args: &[&str], vars: &[&[(&str, &str)]]) -> Answers {
    layers_stage();
    run(name, args, &[&[("LD_LIBRARY_PATH", "@/ours")], vars.concat().as_slice()].concat())
}

#[test]
fn all_memory_counts_and_is_given_back() {
    const WAYS: [&str; 13] = [
        "cuMemAlloc",
        "cuMemAllocPitch",
        "cuArrayCreate",
        "cuArray3DCreate",
        "cuMipmappedArrayCreate",
        "cuMemAllocAsync",
        "cuMemAllocAsync_ptsz",
        "cuMemAllocAsync on the default stream",
        "cuMemAllocFromPoolAsync",
        "a pool that is destroyed first",
        "cuMemCreate",
        "cuMemMap",
        "a graph",
    ];
    for mode in MODES {
        let answers = program("quota", &[], &[mode, &[("DOPPEL_MEMORY_LIMIT", "64MiB")]]);
        answers.expect(&WAYS.map(|way| (way, "0 left")));
        let rest = [
            ("total", "67108864"),
            ("before", "0"),
            ("too much", "CUDA_ERROR_OUT_OF_MEMORY 0"),
            ("no result", "CUDA_ERROR_INVALID_VALUE"),
            ("managed", "CUDA_SUCCESS"),
            ("after a context", "0"),
            ("after a reset", "0"),
        ];
        answers.expect(&rest);
        // Whatever else it printed is a complaint.
        assert_eq!(answers.values.len(), WAYS.len() + rest.len(), "{:?}", answers.values);
        assert_eq!(answers.stderr, "");
    }
}

#[test]
fn a_refusal_gives_its_reason() {
    for mode in MODES {
        let answers = program("quota", &[], &[mode, &[("DOPPEL_MEMORY_LIMIT", "64MiB,none"), ("DOPPEL_LOG", "info")]]);
        let reasons =
            answers.stderr.lines().filter(|line| line.contains("are over DOPPEL_MEMORY_LIMIT: the process has"));
        assert!(reasons.count() >= 9, "{}", answers.stderr);
    }
}

#[test]
fn a_malformed_limit_makes_init_fail() {
    for mode in MODES {
        for bad in ["much", "1XB", "1GiB,", "0"] {
            let answers = program("probe", &["@/ours/libcuda.so.1"], &[mode, &[("DOPPEL_MEMORY_LIMIT", bad)]]);
            answers.expect(&[("init", "1")]);
            assert_eq!(answers.stderr.matches("DOPPEL_MEMORY_LIMIT=").count(), 1, "{}", answers.stderr);
        }
    }
}

/// What is left is listed with the function that made it; in front of a real driver arrays and physical memory, too.
#[test]
fn leaks_are_listed() {
    const BOTH: [(&str, &str); 5] = [
        ("1000 bytes of device memory", "linear"),
        ("1000 bytes of device memory", "linear"),
        ("2000 bytes of managed memory", "managed"),
        ("3000 bytes of page-locked host memory", "host"),
        ("4000 bytes of device memory in stream order", "ordered"),
    ];
    const IN_FRONT: [(&str, &str); 2] =
        [("2048 bytes of array memory", "array"), ("2097152 bytes of physical memory", "physical")];
    for (mode, more) in MODES.into_iter().zip([&[][..], &IN_FRONT]) {
        let answers = program("leaks", &[], &[mode, &[("DOPPEL_CHECK", "leaks")]]);
        answers.expect(&[("destroyed", "1")]);
        let mut expected = [&BOTH[..], more].concat();
        let mut found = Vec::new();
        let lines: Vec<_> = answers.stderr.lines().collect();
        for (line, rest) in lines.iter().enumerate().filter_map(|(i, line)| Some((line, lines.get(i + 2)?))) {
            let headline = line.strip_prefix("doppel: leaks: ").and_then(|line| line.split_once(" at 0x"));
            if let Some((what, _)) = headline {
                let function = rest.trim_start_matches("doppel: ").trim_start().split(' ').next().unwrap();
                found.push((what, function));
            }
        }
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{}", answers.stderr);
        let bytes = if more.is_empty() { 11_000 } else { 11_000 + 2048 + 2_097_152 };
        let last = format!("doppel: leaks: {bytes} bytes in {} allocations were never freed", expected.len());
        assert_eq!(answers.stderr.lines().last(), Some(last.as_str()), "{}", answers.stderr);
        // One says so, the child does not.
        let answers = program("leaks", &["fork"], &[mode, &[("DOPPEL_CHECK", "leaks")]]);
        assert!(answers.stderr.contains("leaks: everything was freed"), "{}", answers.stderr);
    }
    // With a limit, whose accounts they are.
    let both = [("DOPPEL_CHECK", "leaks"), ("DOPPEL_MEMORY_LIMIT", "64MiB")];
    let answers = program("leaks", &[], &[MODES[1], &both]);
    assert!(answers.stderr.contains("in 7 allocations were never freed"), "{}", answers.stderr);
    let answers = program("quota", &[], &[MODES[1], &both]);
    answers.expect(&[("after a reset", "0"), ("cuMemCreate", "0 left")]);
    // What cannot be looked at there is said.
    let answers = program("leaks", &["fork"], &[MODES[1], &[("DOPPEL_CHECK", "memcheck"), ("DOPPEL_LOG", "warn")]]);
    assert!(answers.stderr.contains("in front of a real driver only leaks are looked for"), "{}", answers.stderr);
}

/// A folder of its own for the files of a test.
fn folder(name: &str) -> PathBuf {
    let dir = layers_stage().join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Runs `traced WHAT` with a trace in `FILE` of the folder.
fn traced(mode: &[(&str, &str)], what: &str, folder: &Path, file: &str, more: &[(&str, &str)]) -> Answers {
    let path = folder.join(file);
    program("traced", &[what], &[mode, &[("DOPPEL_TRACE", path.to_str().unwrap()), ("DOPPEL_LOG", "warn")], more])
}

/// A line with the thread, the times and addresses, which differ from run to run, taken out.
fn plain(line: &str) -> String {
    let call = line.splitn(3, ' ').nth(2).unwrap_or(line);
    let call = call.rsplit_once(" <").map_or(call, |(call, _)| call);
    let mut text = String::new();
    let mut rest = call;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        text.push_str(&rest[..at]);
        // Small numbers are the program's own.
        text.push_str(if digits > 4 { "ADDRESS" } else { &rest[at..at + 2 + digits] });
        rest = &rest[at + 2 + digits..];
    }
    text + rest
}

#[test]
fn a_line_for_each_call() {
    const EXPECTED: &str = r#"cuInit(Flags=0) = CUDA_SUCCESS
cuDeviceGet(device=[0], ordinal=0) = CUDA_SUCCESS
cuDevicePrimaryCtxRetain(pctx=[context#1], dev=0) = CUDA_SUCCESS
cuCtxSetCurrent(ctx=context#1) = CUDA_SUCCESS
cuDeviceGetAttribute(pi=[9], attrib=CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev=0) = CUDA_SUCCESS
cuMemAlloc_v2(dptr=[ADDRESS], bytesize=4096) = CUDA_SUCCESS
cuStreamCreate(phStream=[stream#1], Flags=CU_STREAM_NON_BLOCKING) = CUDA_SUCCESS
cuStreamCreate(phStream=[stream#2], Flags=CU_STREAM_DEFAULT) = CUDA_SUCCESS
cuModuleLoadData(module=[module#1], image=ADDRESS) = CUDA_SUCCESS
cuModuleGetFunction(hfunc=[function#1], hmod=module#1, name="fill") = CUDA_SUCCESS
cuLaunchKernel(f=function#1, gridDimX=2, gridDimY=1, gridDimZ=1, blockDimX=32, blockDimY=1, blockDimZ=1, sharedMemBytes=0, hStream=stream#2, kernelParams=[ADDRESS], extra=NULL -> fill(ADDRESS, -7)) = CUDA_SUCCESS
cuStreamSynchronize(hStream=stream#2) = CUDA_SUCCESS
cuMemcpyDtoH_v2(dstHost=ADDRESS, srcDevice=ADDRESS, ByteCount=4) = CUDA_SUCCESS
cuArrayCreate_v2(pHandle=[array#1], pAllocateArray=[{Width=16, Height=8, Format=CU_AD_FORMAT_FLOAT, NumChannels=2}]) = CUDA_SUCCESS
cuMemFree_v2(dptr=ADDRESS) = CUDA_ERROR_INVALID_VALUE
cuArrayCreate_v2(pHandle=ADDRESS, pAllocateArray=0x10) = CUDA_ERROR_INVALID_VALUE
cuGetProcAddress_v2(symbol="cuCtxGetCurrent", pfn=[ADDRESS], cudaVersion=12000, flags=CU_GET_PROC_ADDRESS_DEFAULT, symbolStatus=NULL) = CUDA_SUCCESS
cuCtxGetCurrent(pctx=[context#1]) = CUDA_SUCCESS
cuStreamDestroy_v2(hStream=stream#1) = CUDA_SUCCESS
cuMemFree_v2(dptr=ADDRESS) = CUDA_SUCCESS"#;
    let dir = folder("line");
    for mode in MODES {
        let answers = traced(mode, "all", &dir, "trace.txt", &[]);
        // What the program sees is what it sees without a trace.
        let bare = program("traced", &["all"], &[mode]);
        assert_eq!((&answers.values, answers.stderr.as_str()), (&bare.values, ""));
        let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
        let (first, lines) = text.split_once('\n').unwrap();
        assert!(first.starts_with("# doppel trace, process ") && first.ends_with(", traced"), "{first}");
        let is_call = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        let lines: Vec<_> = lines.lines().filter(is_call).collect();
        let got: Vec<_> = lines.iter().map(|line| plain(line)).collect();
        assert_eq!(got.join("\n"), EXPECTED);
        // Thread, start and duration.
        for line in lines {
            let words: Vec<_> = line.split(' ').collect();
            assert!(words[0].parse::<u32>().is_ok() && words[1].parse::<f64>().is_ok(), "{line}");
            let duration = words.last().unwrap().strip_prefix('<').and_then(|word| word.strip_suffix('>'));
            assert!(duration.is_some_and(|word| word.parse::<f64>().is_ok()), "{line}");
        }
    }
}

#[test]
fn a_trace_of_chosen_calls() {
    let dir = folder("chosen");
    for mode in MODES {
        traced(mode, "all", &dir, "trace.txt", &[("DOPPEL_TRACE_CALLS", "cuMem*,cuStream*,!*Create*")]);
        let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
        let names: Vec<_> = text
            .lines()
            .filter(|line| line.contains("("))
            .map(|line| plain(line).split('(').next().unwrap().to_owned())
            .collect();
        let expected = [
            "cuMemAlloc_v2",
            "cuStreamSynchronize",
            "cuMemcpyDtoH_v2",
            "cuMemFree_v2",
            "cuStreamDestroy_v2",
            "cuMemFree_v2",
        ];
        assert_eq!(names, expected);
    }
    let answers = program("probe", &["@/ours/libcuda.so.1"], &[&[("DOPPEL_TRACE_CALLS", "cu(")]]);
    answers.expect(&[("init", "1")]);
    assert_eq!(answers.stderr.matches("DOPPEL_TRACE_CALLS=").count(), 1, "{}", answers.stderr);
}

#[test]
fn a_trace_of_what_a_profiler_would_see() {
    let dir = folder("range");
    let wanted = [
        "cuMemsetD8_v2(dstDevice=ADDRESS, uc=2, N=200) = CUDA_SUCCESS",
        "cuProfilerStop() = CUDA_SUCCESS",
        "cuMemsetD8_v2(dstDevice=ADDRESS, uc=2, N=201) = CUDA_SUCCESS",
        "cuProfilerStop() = CUDA_SUCCESS",
    ];
    let range = ("DOPPEL_TRACE_RANGE", "profiler");
    for mode in MODES {
        for (calls, expected) in [("*", &wanted[..]), ("cuMemset*", &[wanted[0], wanted[2]])] {
            traced(mode, "ranges", &dir, "trace.txt", &[("DOPPEL_TRACE_CALLS", calls), range]);
            let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
            let (of_calls, of_work): (Vec<_>, Vec<_>) =
                text.lines().skip(1).partition(|line| line.starts_with(|c: char| c.is_ascii_digit()));
            assert_eq!(of_calls.into_iter().map(plain).collect::<Vec<_>>(), expected, "{calls}");
            assert_eq!(of_work.len(), if mode == MODES[0] { 2 } else { 0 }, "{text}");
        }
        traced(mode, "ranges", &dir, "trace.txt", &[("DOPPEL_TRACE_CALLS", "cuMemset*"), (range.0, "all")]);
        let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
        assert_eq!(text.matches("cuMemsetD8").count(), 6, "{text}");
    }
    let answers = program("probe", &["@/ours/libcuda.so.1"], &[&[(range.0, "never")]]);
    answers.expect(&[("init", "1")]);
    assert!(answers.stderr.contains("DOPPEL_TRACE_RANGE="), "{}", answers.stderr);
}

#[test]
fn a_trace_for_perfetto() {
    let dir = folder("perfetto");
    for mode in MODES {
        traced(mode, "all", &dir, "trace.json", &[]);
        let text = fs::read_to_string(dir.join("trace.json")).unwrap();
        // The reader of JSON is Python's: it takes no liberties.
        let read = Command::new("python3")
            .args([
                "-c",
                "import json,sys; t=[e for e in json.load(open(sys.argv[1])) if e.get('cat')!='device' and e['pid']<1<<30]; print(len(t)); print(sorted({e['ph'] for e in t})); \
                    c=[e for e in t if e['ph']=='X']; print(all(e['dur']>=0 and e['ts']>=0 for e in c)); \
                    print([e['args']['name'] for e in c if e['name']=='cuModuleGetFunction'], \
                    [e['args']['kernel'][:5] for e in c if 'kernel' in e['args']])",
            ])
            .arg(dir.join("trace.json"))
            .output()
            .unwrap();
        let read = String::from_utf8(read.stdout).unwrap();
        assert_eq!(read, "21\n['M', 'X']\nTrue\n['\"fill\"'] ['fill(']\n", "{text}");
    }
}

/// What the emulated device does, in one mode: in the other the device is not ours.
#[test]
fn work_of_the_device_is_on_tracks_of_streams() {
    let dir = folder("tracks");
    let cpu = MODES[0];
    traced(cpu, "tracks", &dir, "trace.txt", &[]).expect(&[("calls", "1")]);
    let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
    let of_call = |end: &str| {
        let (thread, time) = end.split_once(" at ").unwrap();
        let call = text.lines().find(|line| line.starts_with(&format!("{thread} {time} ")));
        plain(call.unwrap_or_else(|| panic!("{end}\n{text}"))).split('(').next().unwrap().to_owned()
    };
    let works = text.lines().filter(|line| line.starts_with("stream#")).map(|line| {
        let (stream, rest) = line.split_once(' ').unwrap();
        let (what, rest) = rest.split_once(' ').unwrap().1.split_once(" <").unwrap();
        let what = if what.starts_with("host function 0x") { "host function" } else { what };
        format!("{stream} {what}, {}", of_call(rest.split_once("> by ").unwrap().1))
    });
    assert_eq!(
        works.collect::<Vec<_>>(),
        [
            "stream#1 host function, cuLaunchHostFunc",
            "stream#1 copy host to device bytes=4096, cuMemcpyHtoDAsync_v2",
            "stream#1 memset bytes=256, cuMemsetD32Async",
            "stream#1 copy device to device bytes=4096, cuMemcpyDtoDAsync_v2",
            "stream#1 kernel fill grid=1,1,1 block=32,1,1, cuLaunchKernel",
            "stream#1 copy device to host bytes=128, cuMemcpyDtoHAsync_v2",
            "stream#2 kernel _Z5scalePKfPfijdx grid=3,2,1 block=64,1,1, cuLaunchKernel",
            "stream#2 kernel plain grid=1,1,1 block=1,1,1, cuLaunchKernel",
            "stream#2 memset bytes=100, cuGraphLaunch",
            "stream#2 kernel fill grid=1,1,1 block=32,1,1, cuGraphLaunch",
        ],
        "{text}"
    );
    for parameters in [", -3, 4294967295, 0.5, -2)) = ", "-> plain(1.25, -3)) = "] {
        assert!(text.contains(parameters), "{parameters}\n{text}");
    }
    // Calls that are not traced have no work that is.
    traced(cpu, "tracks", &dir, "few.txt", &[("DOPPEL_TRACE_CALLS", "cuMemsetD*")]);
    let few = fs::read_to_string(dir.join("few.txt")).unwrap();
    assert_eq!(few.lines().filter(|line| line.starts_with("stream#")).count(), 1, "{few}");
}

/// The reader of Perfetto demands of its JSON what this looks for: events of a track lie in each other or apart, and an arrow
/// begins inside of one event and ends at the beginning of another one.
#[test]
fn arrows_lead_from_calls_to_their_work() {
    const CHECK: &str = "\
import json, sys
from decimal import Decimal
events = json.load(open(sys.argv[1]), parse_float=Decimal, parse_int=Decimal)
slices = [e for e in events if e['ph'] == 'X']
tracks = {}
for e in slices: tracks.setdefault((e['pid'], e['tid']), []).append((e['ts'], e['ts'] + e['dur'], e['name']))
for track in tracks.values():
    track.sort(key=lambda s: (s[0], -s[1]))
    open = []
    for s in track:
        while open and open[-1] <= s[0]: open.pop()
        assert not open or s[1] <= open[-1], s
        open.append(s[1])
def at(e): return [s[2] for s in tracks[e['pid'], e['tid']] if s[0] <= e['ts'] < s[1]]
begins = {e['id']: at(e) for e in events if e['ph'] == 's'}
ends = {e['id']: at(e) for e in events if e['ph'] == 'f'}
assert begins.keys() == ends.keys() and len(begins) == len([e for e in events if e['ph'] in 'sf']) / 2
for i in sorted(begins): print(begins[i][-1], '->', ends[i][-1])
print(sorted(e['args']['name'] for e in events if e['ph'] == 'M'))
";
    let dir = folder("arrows");
    traced(MODES[0], "tracks", &dir, "trace.json", &[]);
    let read = Command::new("python3").args(["-c", CHECK]).arg(dir.join("trace.json")).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
    assert_eq!(
        out,
        "cuLaunchHostFunc -> host function\n\
         cuMemcpyHtoDAsync_v2 -> copy host to device\n\
         cuMemsetD32Async -> memset\n\
         cuMemcpyDtoDAsync_v2 -> copy device to device\n\
         cuLaunchKernel -> fill\n\
         cuMemcpyDtoHAsync_v2 -> copy device to host\n\
         cuLaunchKernel -> _Z5scalePKfPfijdx\n\
         cuLaunchKernel -> plain\n\
         cuGraphLaunch -> memset\n\
         cuGraphLaunch -> fill\n\
         ['device', 'stream#1', 'stream#2', 'traced']\n",
        "{err}"
    );
}

#[test]
fn stacks_of_chosen_calls() {
    let dir = folder("stacks");
    for mode in MODES {
        traced(mode, "tracks", &dir, "trace.txt", &[("DOPPEL_TRACE_STACKS", "cuMemAlloc")]);
        let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
        let lines: Vec<_> = text.lines().collect();
        let calls: Vec<_> = (0..lines.len()).filter(|i| lines[*i].contains(" cuMemAlloc_v2(")).collect();
        assert_eq!(calls.len(), 2);
        for call in calls {
            // The program is linked without debug information: its own functions have their file and place.
            assert!(lines[call + 1].starts_with("    at ") && lines[call + 1].contains("traced"), "{text}");
        }
        assert!(!lines.iter().any(|line| line.starts_with("    at ") && line.contains("libcuda")), "{text}");
        traced(mode, "tracks", &dir, "trace.json", &[("DOPPEL_TRACE_STACKS", "cuMemAlloc")]);
        let json = fs::read_to_string(dir.join("trace.json")).unwrap();
        assert_eq!(json.matches("\"stack\":\"    at ").count(), 2, "{json}");
    }
}

/// Lines of launches are put together from what was written before: functions that have the handle of another one, streams and threads
/// that follow others, other parameters and wrong ones have the lines that they would have alone.
#[test]
fn launches_behind_others_have_their_own_lines() {
    let dir = folder("again");
    let null: &[(&str, &str)] = &[("DOPPEL_MODE", "forward"), ("DOPPEL_REAL_LIBCUDA", "@/null/libcuda.so.1")];
    let launch = |function: u8, stream: u8, rest: &str| {
        format!(
            "cuLaunchKernel(f=function#{function}, gridDimX=2, gridDimY=1, gridDimZ=1, blockDimX=1, blockDimY=1, blockDimZ=1, \
             sharedMemBytes=0, hStream=stream#{stream}, kernelParams={rest}) = CUDA_SUCCESS"
        )
    };
    let by_config = |function: u8, stream: u8, rest: &str| {
        format!(
            "cuLaunchKernelEx(config=[{{gridDimX=2, gridDimY=1, gridDimZ=1, blockDimX=1, blockDimY=1, blockDimZ=1, sharedMemBytes=0, \
             hStream=stream#{stream}, attrs=NULL, numAttrs=0}}], f=function#{function}, kernelParams={rest}) = CUDA_SUCCESS"
        )
    };
    for (mode, what) in [(MODES[0], "again"), (MODES[1], "again"), (null, "wrong")] {
        for calls in ["*", "cuLaunch*"] {
            let answers = traced(mode, what, &dir, "trace.txt", &[("DOPPEL_TRACE_CALLS", calls)]);
            let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
            let all: Vec<_> = text.lines().filter(|line| line.contains(" cuLaunchKernel")).collect();
            let (own, threads): (Vec<_>, Vec<_>) = all.into_iter().partition(|line| !line.contains("shared_2"));
            let own: Vec<_> = own.into_iter().map(plain).collect();
            let same = answers.values["same"] == "1";
            // The driver that does nothing has one stream, too.
            let (second, behind) = (if same { 1 } else { 2 }, if what == "wrong" { 1 } else { 2 });
            let numbers =
                [-7, -6, -5].map(|n| launch(1, 1, &format!("[ADDRESS], extra=NULL -> first_2(ADDRESS, {n})")));
            let mut expected = numbers.to_vec();
            expected.push(by_config(1, behind, "[ADDRESS], extra=NULL -> first_2(ADDRESS, -4)"));
            expected.push(launch(second, behind, "[ADDRESS], extra=NULL -> second_1(ADDRESS)"));
            expected.push(by_config(second, behind, "[ADDRESS], extra=NULL -> second_1(ADDRESS)"));
            if what == "wrong" {
                assert!(same, "handles are given again");
                expected.push(launch(1, 1, "[0x10], extra=NULL -> second_1(8 bytes)"));
                expected.push(launch(1, 1, "0x18, extra=NULL -> second_1(8 bytes)"));
                let child = of_child(&dir, &answers);
                let child: Vec<_> = child.lines().filter(|line| line.contains(" cuLaunch")).map(plain).collect();
                assert_eq!(child, [launch(1, 1, "[ADDRESS], extra=NULL -> second_1(ADDRESS)")]);
            }
            assert_eq!(own, expected, "{calls}");
            // Each thread has launched with an address of its own, and with numbers in their order.
            let mut next = std::collections::HashMap::<&str, i32>::new();
            let mut of = std::collections::HashMap::<&str, &str>::new();
            for line in threads {
                let thread = line.split(' ').next().unwrap();
                let (address, rest) = line.split_once("shared_2(").unwrap().1.split_once(", ").unwrap();
                let number = next.entry(thread).or_default();
                assert_eq!(rest.split_once(')').unwrap().0, number.to_string(), "{line}");
                assert!(line.contains(&format!("gridDimX={}, ", 1 + *number % 3)), "{line}");
                assert_eq!(*of.entry(thread).or_insert(address), address, "{line}");
                *number += 1;
            }
            assert_eq!(next.values().copied().collect::<Vec<_>>(), [1500; 4]);
            let mut addresses: Vec<_> = of.into_values().collect();
            addresses.sort_unstable();
            assert_eq!(addresses, ["0x7f0000000000", "0x7f0000000001", "0x7f0000000002", "0x7f0000000003"]);
        }
    }
}

#[test]
fn threads_write_whole_lines() {
    let dir = folder("threads");
    for mode in MODES {
        traced(mode, "threads", &dir, "trace.txt", &[]);
        let text = fs::read_to_string(dir.join("trace.txt")).unwrap();
        let mut calls = std::collections::HashMap::<(&str, String), usize>::new();
        for line in text.lines().skip(1) {
            let name = plain(line).split('(').next().unwrap().to_owned();
            assert!(name.starts_with("cu") && line.ends_with('>'), "{line}");
            *calls.entry((line.split(' ').next().unwrap(), name)).or_default() += 1;
        }
        for name in ["cuMemAlloc_v2", "cuMemFree_v2"] {
            let each: Vec<_> = calls.iter().filter(|((_, n), _)| n == name).map(|(_, count)| *count).collect();
            assert_eq!(each, [2000; 8], "{name}");
        }
    }
}

/// The file of a child.
fn of_child(dir: &Path, answers: &Answers) -> String {
    fs::read_to_string(dir.join(format!("trace.{}.txt", answers.values["child"]))).unwrap()
}

#[test]
fn a_trace_is_complete_however_the_process_ends() {
    for what in ["killed", "crashed", "_exit"] {
        let dir = folder(what);
        for mode in MODES {
            let answers = traced(mode, what, &dir, "trace.txt", &[]);
            // The parent makes no call, so that the child's file is the one that was asked for.
            let text =
                fs::read_to_string(dir.join("trace.txt")).or_else(|_| Ok::<_, ()>(of_child(&dir, &answers))).unwrap();
            let calls = text.lines().filter(|line| line.contains("cuDeviceGetCount(count=[1]) = CUDA_SUCCESS <"));
            assert_eq!(calls.count(), 5, "{text}");
            let rest = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#') && !line.contains(") = "));
            assert_eq!(rest.count(), 0);
        }
    }
}

#[test]
fn a_child_has_a_file_of_its_own() {
    for mode in MODES {
        let dir = folder("fork");
        let answers = traced(mode, "fork", &dir, "trace.txt", &[]);
        answers.expect(&[("status", "0")]);
        let parent = fs::read_to_string(dir.join("trace.txt")).unwrap();
        let names = |text: &str| {
            let name = |line: &str| plain(line).split('(').next().unwrap().to_owned();
            text.lines().skip(1).map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(&parent), ["cuDriverGetVersion", "cuInit"]);
        let child = of_child(&dir, &answers);
        assert_eq!(names(&child), ["cuInit", "cuDeviceGetCount", "cuDeviceGetCount", "cuDeviceGetCount"]);
        assert!(child.starts_with(&format!("# doppel trace, process {},", answers.values["child"])), "{child}");
        // One for each process.
        traced(mode, "fork", &dir, "each-%p.txt", &[]);
        let files = fs::read_dir(&dir)
            .unwrap()
            .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with("each-"));
        assert_eq!(files.count(), 2);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_once() {
    for mode in MODES {
        let answers = program("traced", &["all"], &[mode, &[("DOPPEL_TRACE", "/nowhere/trace.txt")]]);
        answers.expect(&[("freed", "1")]);
        assert_eq!(answers.stderr.lines().count(), 1, "{}", answers.stderr);
        assert!(answers.stderr.contains("DOPPEL_TRACE: /nowhere/trace.txt cannot be written: "), "{}", answers.stderr);
    }
}

/// What went wrong, by number of the call, and whether memory is left.
fn faults(mode: &[(&str, &str)], rules: &str) -> (Vec<String>, Option<String>) {
    let answers = program("faults", &[], &[mode, &[("DOPPEL_FAULT", rules), ("DOPPEL_MEMORY_LIMIT", "64MiB")]]);
    assert_eq!(answers.stderr, "");
    let mut calls: Vec<(u32, String)> = answers
        .values
        .iter()
        .filter(|(_, answer)| *answer != "SUCCESS")
        .filter_map(|(call, answer)| {
            let (number, call) = call.split_once(' ')?;
            Some((number.parse().unwrap(), format!("{call} {answer}")))
        })
        .collect();
    calls.sort();
    (calls.into_iter().map(|(_, call)| call).collect(), answers.values.get("used").cloned())
}

#[test]
fn calls_fail_by_rules() {
    for mode in MODES {
        let check = |rules: &str, expected: &[&str]| {
            let (calls, used) = faults(mode, rules);
            assert_eq!(calls, expected, "{rules}");
            assert_eq!(used.as_deref(), Some("0"), "{rules}");
        };
        check("cuMemFree_v2:nth=99,error=UNKNOWN", &[]);
        check("alloc:nth=2,error=OUT_OF_MEMORY", &["alloc ERROR_OUT_OF_MEMORY"]);
        check("cuMemAlloc_v2:every=2,error=CUDA_ERROR_OUT_OF_MEMORY", &["alloc ERROR_OUT_OF_MEMORY"; 3]);
        check(
            "alloc:from=1MiB,nth=3,error=OUT_OF_MEMORY;sync:error=LAUNCH_TIMEOUT,nth=2",
            &["alloc ERROR_OUT_OF_MEMORY", "wait ERROR_LAUNCH_TIMEOUT"],
        );
        // Told by the call that waits, once.
        check("cuMemcpy*Async:async,error=ILLEGAL_ADDRESS", &["wait ERROR_ILLEGAL_ADDRESS"]);
        check("cuStream*:delay=1", &[]);
        let (calls, _) = faults(mode, "cuMemsetD8Async:async,sticky,error=LAUNCH_FAILED");
        assert_eq!(calls[..3], ["wait ERROR_LAUNCH_FAILED", "wait ERROR_LAUNCH_FAILED", "fill ERROR_LAUNCH_FAILED"]);
        assert_eq!(calls.last().map(String::as_str), Some("info ERROR_LAUNCH_FAILED"));
        let (calls, _) = faults(mode, "cuStreamCreate:sticky,error=DEVICE_UNAVAILABLE");
        let stuck = calls.iter().filter(|call| call.ends_with("ERROR_DEVICE_UNAVAILABLE"));
        // Also the end of the stream, which is never there.
        assert_eq!((stuck.count(), calls.len()), (14, 14), "{calls:?}");
        // The same seed, the same faults.
        let by_chance = "cuMemAlloc_v2:probability=0.5,seed=3,error=OUT_OF_MEMORY";
        assert_eq!(faults(mode, by_chance), faults(mode, by_chance));
    }
}

#[test]
fn every_function_can_fail() {
    let names = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/symbols.txt");
    for mode in MODES {
        let rule = [("DOPPEL_FAULT", "all:error=LAUNCH_TIMEOUT")];
        let answers = program("every", &[names, "702"], &[mode, &rule]);
        answers.expect(&[("asked", "682"), ("failed", "682")]);
        assert_eq!(answers.values.len(), 2, "{:?}", answers.values);
    }
}

/// Calls of sixty functions, each made again until it succeeds, do the same as if none had failed, and hold no memory at the end.
#[test]
fn programs_that_try_again_recover() {
    const RULES: [&str; 4] = [
        "all:every=2,error=UNKNOWN",
        "all:every=3,error=OUT_OF_MEMORY",
        "all:probability=0.4,seed=5,error=ECC_UNCORRECTABLE",
        "alloc:every=2,error=OUT_OF_MEMORY; sync:every=2,delay=1; cuLaunch* cuMemcpy*:probability=0.5,seed=3,error=LAUNCH_FAILED",
    ];
    for mode in MODES {
        let bare = program("recovers", &[], &[mode]);
        bare.expect(&[("used", "0"), ("mapped 1", "77")]);
        assert_eq!((bare.values.len(), bare.stderr.as_str()), (15, "0 failures\n"));
        for rule in RULES {
            let answers = program("recovers", &[], &[mode, &[("DOPPEL_FAULT", rule)]]);
            assert_eq!(answers.values, bare.values, "{rule}");
            let failures: u32 = answers.stderr.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
            assert!(failures > 20, "{rule}: {}", answers.stderr);
        }
    }
}

/// The first call of each function fails, whatever it is asked. What a program does behind that is the same as without, and needs no
/// second try; `tests/recovered.sh` does the same with the C tests.
#[test]
fn nothing_is_left_of_a_call_of_any_function_that_failed() {
    let names = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/symbols.txt");
    let rules: String =
        fs::read_to_string(names).unwrap().lines().map(|name| format!("{name}:nth=1,error=@\n")).collect();
    let folder = folder("each-first");
    let file = folder.join("rules.txt");
    for mode in MODES {
        let bare = program("recovers", &[], &[mode]);
        for (error, code) in [("LAUNCH_TIMEOUT", "702"), ("ECC_UNCORRECTABLE", "214"), ("DEVICE_UNAVAILABLE", "46")] {
            fs::write(&file, rules.replace('@', error)).unwrap();
            let more = [
                ("DOPPEL_FAULT", file.to_str().unwrap()),
                ("LD_PRELOAD", "@/each_first.so"),
                ("EACH_FIRST_NAMES", names),
                ("EACH_FIRST_ERROR", code),
            ];
            let answers = program("recovers", &[], &[mode, &more]);
            assert_eq!((answers.values, answers.stderr.as_str()), (bare.values.clone(), "0 failures\n"), "{error}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn kernels_fail_by_name() {
    for mode in MODES {
        let answers = |rule: &str| {
            let values = program("kernel_faults", &[], &[mode, &[("DOPPEL_FAULT", rule)]]).values;
            let mut lines: Vec<_> = values.into_iter().collect();
            lines.sort();
            lines.into_iter().map(|(what, answer)| format!("{} {answer}", &what[3..])).collect::<Vec<_>>()
        };
        let bare = answers("cuArrayCreate:error=UNKNOWN");
        assert_eq!(bare.len(), 21);
        assert!(bare.iter().all(|line| line.ends_with(" SUCCESS") || line == "got 6"), "{bare:?}");
        let all = |error: &str, from: usize| {
            let mut expected = bare.clone();
            let mut answer = |lines: core::ops::Range<usize>, error: &str| {
                for line in &mut expected[lines] {
                    *line = format!("{} {error}", line.split(' ').next().unwrap());
                }
            };
            answer(from..9, error);
            answer(11..12, error);
            answer(12..20, "ERROR_CONTEXT_IS_DESTROYED");
            expected[20] = "got 0".into();
            expected
        };
        // The second launch of this kernel succeeds; what waits for it fails, and all until the context is reset, when there is
        // no other one.
        for kernel in ["fill", "_Z4fill*"] {
            let mut expected = all("ERROR_ILLEGAL_ADDRESS", 7);
            expected[9] = "got 5".into();
            assert_eq!(answers(&format!("launch:kernel={kernel},nth=2,inside,error=ILLEGAL_ADDRESS")), expected);
        }
        let mut expected = all("ERROR_LAUNCH_FAILED", 3);
        expected[9] = "got 0".into();
        assert_eq!(answers("cuLaunchKernel:nth=2,inside,error=LAUNCH_FAILED"), expected);
        // No kernel has this name.
        assert_eq!(answers("launch:kernel=filled,inside,error=LAUNCH_FAILED"), bare);
        // At once, by name.
        let mut expected = bare.clone();
        expected[6] = "fill ERROR_UNKNOWN".into();
        expected[9] = "got 5".into();
        assert_eq!(answers("launch:kernel=fill,nth=2,error=UNKNOWN"), expected);
    }
}

#[test]
fn streams_are_late_by_rules() {
    let dir = folder("late");
    let path = dir.join("trace.txt");
    let vars = [("DOPPEL_FAULT", "cuMemsetD8Async:async,delay=1,nth=2"), ("DOPPEL_TRACE", path.to_str().unwrap())];
    let answers = program("faults", &[], &[MODES[0], &vars]);
    answers.expect(&[("used", "0")]);
    let text = fs::read_to_string(&path).unwrap();
    let works: Vec<_> = text.lines().filter(|line| line.starts_with("stream#1")).collect();
    let is_sleep = |line: &&&str| line.contains(" host function ");
    assert_eq!((works.len(), works.iter().filter(is_sleep).count()), (4, 1), "{text}");
    assert!(works[2].contains(" host function ") && works[3].contains(" memset "), "{text}");
    assert!(!text.contains("cuLaunchHostFunc") && !text.contains("cuStreamIsCapturing"), "{text}");
    let (calls, used) = faults(MODES[1], "cuMemsetD8Async:async,delay=1");
    assert_eq!((calls, used.as_deref()), (vec![], Some("0")));
}

#[test]
fn rules_in_a_file() {
    let dir = folder("rules");
    fs::write(dir.join("rules.txt"), "# the second one\n\nalloc:nth=2,error=OUT_OF_MEMORY\ncopy:error=UNKNOWN\n")
        .unwrap();
    for mode in MODES {
        let (calls, used) = faults(mode, dir.join("rules.txt").to_str().unwrap());
        assert_eq!(
            (calls, used.as_deref()),
            (vec!["alloc ERROR_OUT_OF_MEMORY".into(), "copy ERROR_UNKNOWN".into()], Some("0"))
        );
        let answers = program("probe", &["@/ours/libcuda.so.1"], &[mode, &[("DOPPEL_FAULT", "/nowhere/rules.txt")]]);
        answers.expect(&[("init", "1")]);
        assert!(answers.stderr.contains("No such file"), "{}", answers.stderr);
    }
}

#[test]
fn malformed_rules_make_init_fail() {
    for mode in MODES {
        for bad in ["alloc", "alloc:nth=1", "malloc:error=UNKNOWN", "alloc:error=NO_SUCH", "x"] {
            let answers = program("probe", &["@/ours/libcuda.so.1"], &[mode, &[("DOPPEL_FAULT", bad)]]);
            answers.expect(&[("init", "1")]);
            assert_eq!(answers.stderr.matches("DOPPEL_FAULT=").count(), 1, "{}", answers.stderr);
        }
    }
}

#[test]
fn a_trace_shows_faults() {
    let dir = folder("faulty");
    for mode in MODES {
        let path = dir.join("trace.txt");
        let vars = [("DOPPEL_TRACE", path.to_str().unwrap()), ("DOPPEL_FAULT", "alloc:nth=1,error=OUT_OF_MEMORY")];
        program("faults", &[], &[mode, &vars]);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(") = CUDA_ERROR_OUT_OF_MEMORY <").count(), 1, "{text}");
    }
}
