"""Traces in Perfetto's own trace processor: it takes them without a complaint, and what it answers is what `doppel trace summary` says
and what the events are.

    run.py NODE FOLDER DOPPEL LIBRARIES PROGRAMS [TRACE...]
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys

node, folder, doppel, libraries, programs, *traces = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
failed = 0


def ask(trace, queries):
    run = subprocess.run([node, os.path.join(here, "processor.js"), folder, trace], input=json.dumps(queries), text=True, capture_output=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout)


def expect(what, found, expected):
    global failed
    if found != expected:
        failed += 1
        print(f"FAILED  {what}:\n    found    {found}\n    expected {expected}")


def trace(name, *command, **variables):
    """Runs a program with a trace; the files of it and of its children."""
    for old in glob.glob(f"{name}*.json"):
        os.remove(old)
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries, DOPPEL_TRACE=f"{name}.json", DOPPEL_NODE="none", **variables)
    subprocess.run([os.path.join(programs, command[0]), *command[1:]], env=environment, stdout=subprocess.DEVNULL, check=True)
    return sorted(glob.glob(f"{name}*.json"))


COMPLAINTS = """select name, value from stats where value > 0 and (severity in ('error', 'data_loss') or name glob 'json*fail*')"""
CALLS = """select s.name, count(*), sum(s.dur), sum(extract_arg(s.arg_set_id, 'args.result') != 'CUDA_SUCCESS')
    from slice s where s.category is not 'device' group by s.name order by s.name"""
WORK = """select s.name, count(*), sum(s.dur) from slice s where s.category = 'device' group by s.name order by s.name"""
KERNELS = """select s.name, count(*), sum(s.dur) from slice s
    where s.category = 'device' and extract_arg(s.arg_set_id, 'args.grid') is not null group by s.name order by s.name"""
STREAMS = """select t.name, count(*), sum(s.dur) from slice s join thread_track tt on tt.id = s.track_id join thread t using (utid)
    where s.category = 'device' group by t.name order by t.name"""
THREADS = """select p.name, p.pid, t.tid, count(*) from slice s join thread_track tt on tt.id = s.track_id join thread t using (utid)
    join process p using (upid) where s.category is not 'device' group by t.tid order by t.tid"""
ARROWS = """select c.name, w.name, c.ts <= w.ts from flow f join slice c on c.id = f.slice_out join slice w on w.id = f.slice_in
    where c.category is not 'device' and w.category = 'device' order by w.ts, w.id"""
WITHOUT = """select s.name from slice s left join flow f on f.slice_in = s.id where s.category = 'device' and f.id is null"""
LAUNCHES = """select extract_arg(arg_set_id, 'args.kernel'), extract_arg(arg_set_id, 'args.gridDimX'), extract_arg(arg_set_id, 'args.hStream')
    from slice where name = 'cuLaunchKernel' order by ts"""


def whole(file):
    """What any trace has to answer."""
    complaints, calls, work, kernels, streams, threads, arrows, without = ask(
        file, [COMPLAINTS, CALLS, WORK, KERNELS, STREAMS, THREADS, ARROWS, WITHOUT])
    name = os.path.basename(file)
    expect(f"{name}: complaints", complaints, [])
    said = json.loads(subprocess.run([doppel, "trace", "summary", "--json", file], check=True, capture_output=True).stdout)
    numbers = lambda table: [[name, row["calls"], row["nanoseconds"]] for name, row in sorted(table.items())]
    expect(f"{name}: calls by name", [row[:3] for row in calls], numbers(said["functions"]))
    expect(f"{name}: errors by name", [row[3] for row in calls], [row["errors"] for _, row in sorted(said["functions"].items())])
    expect(f"{name}: all calls", [sum(row[1] for row in calls), sum(row[3] for row in calls), sum(row[2] for row in calls)],
           [said["all"]["calls"], said["all"]["errors"], said["all"]["nanoseconds"]])
    device = said["device"]
    expect(f"{name}: kernels by time", kernels, numbers(device["kernels"]))
    expect(f"{name}: work by time", work, numbers({**device["kernels"], **device["others"]}))
    expect(f"{name}: tracks of streams", streams, numbers(device["streams"]))
    expect(f"{name}: an arrow to each piece of work", [len(arrows), without], [sum(row[1] for row in work), []])
    expect(f"{name}: arrows lead forward", [arrow for arrow in arrows if not arrow[2]], [])
    # The file as what it is, without the last bracket where the process did not come to it.
    lines = [line.rstrip(",\n") for line in open(file)]
    events = [json.loads(line) for line in lines if line not in ("", "[", "]")]
    own = collections.Counter(event["tid"] for event in events if event["ph"] == "X" and event.get("cat") != "device")
    [process] = [event for event in events if event["name"] == "process_name" and event["args"]["name"] != "device"]
    expect(f"{name}: tracks by thread", threads, [[process["args"]["name"], process["pid"], tid, n] for tid, n in sorted(own.items())])
    return [arrow[:2] for arrow in arrows], sum(row[1] for row in calls), len(threads)


for file in traces:
    _, calls, threads = whole(file)
    print(f"{file}: {calls} calls of {threads} threads")
if traces:
    sys.exit(failed != 0)

[file] = trace("step", "step", "20")
arrows, _, _ = whole(file)
expect("step: arrows", collections.Counter(map(tuple, arrows)), {
    ("cuLaunchKernel", "scale"): 20, ("cuMemcpyHtoD_v2", "copy host to device"): 20, ("cuMemcpyDtoH_v2", "copy device to host"): 20})
[launches, failures] = ask(file, [LAUNCHES, "select name, extract_arg(arg_set_id, 'args.result') from slice where extract_arg(arg_set_id, 'args.result') glob 'CUDA_ERROR*'"])
expect("step: arguments of a launch", [launches[0][0].startswith("scale(0x"), launches[0][0].endswith(", 1048576)"), launches[0][1:]], [True, True, ["4096", "stream#1"]])
expect("step: errors", failures, [["cuMemFree_v2", "CUDA_ERROR_INVALID_VALUE"]])

[file] = trace("tracks", "traced", "tracks", DOPPEL_TRACE_STACKS="cuMemAlloc*")
arrows, _, _ = whole(file)
expect("tracks: arrows", sorted(arrows), sorted([
    ["cuLaunchHostFunc", "host function"], ["cuMemcpyHtoDAsync_v2", "copy host to device"], ["cuMemsetD32Async", "memset"],
    ["cuMemcpyDtoDAsync_v2", "copy device to device"], ["cuLaunchKernel", "fill"], ["cuMemcpyDtoHAsync_v2", "copy device to host"],
    ["cuLaunchKernel", "_Z5scalePKfPfijdx"], ["cuLaunchKernel", "plain"], ["cuGraphLaunch", "memset"], ["cuGraphLaunch", "fill"]]))
[stacks] = ask(file, ["select extract_arg(arg_set_id, 'args.stack') from slice where name = 'cuMemAlloc_v2'"])
expect("tracks: stacks", [stack.splitlines()[0].split()[1] for [stack] in stacks], ["allocate", "allocate"])

[file] = trace("threads", "traced", "threads")
_, calls, threads = whole(file)
expect("threads", [calls, threads], [4 + 8 * (1 + 2 * 2000), 9])

for what, count in ("all", 1), ("fork", 2), ("killed", 1), ("crashed", 1), ("_exit", 1):
    files = trace(what, "traced", what)
    expect(f"{what}: files", len(files), count)
    for file in files:
        whole(file)

# What is damaged is complained of.
text = open("step.json").read()
for what, damaged in ("half an event", text.replace('"ph":"X"', '"ph":"X', 1)), ("an arrow from nowhere", re.sub(r'("ph":"s".*?"ts":)[0-9.]+', r"\g<1>0.001", text, count=1)):
    with open("damaged.json", "w") as file:
        file.write(damaged)
    try:
        [complaints] = ask("damaged.json", [COMPLAINTS])
    except AssertionError as why:
        complaints = [str(why)]
    expect(f"{what} is complained of", complaints != [], True)
print("failed" if failed else "all traces are what Perfetto says they are")
sys.exit(failed != 0)
