"""`pytest --doppel`: CUDA tests without a GPU.

The session uses our libraries. A test marked `@pytest.mark.doppel(...)` runs in a process of its own, on devices of its own, with checks:
it fails if a kernel touches memory that it may not, or if the process leaves device memory behind. Without `--doppel` the marker means
nothing, so that the same tests run on a GPU.

Arguments of the marker, all optional and by name:

    devices     how many (2), or profiles as `doppel run --devices` takes them ("cc86,h200")
    profile     one profile for all devices ("cc86")
    memory      memory of each device ("1GiB")
    schedule    when queued work runs: "eager", "lazy", "random:SEED"
    memcheck    False: kernels are not checked, and run at full speed
    leaks       False: memory may be left behind
    timeout     seconds after which the process is ended

Fixtures of wider scope than a test are set up in each of these processes.
"""

from __future__ import annotations

import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

#: The exit status of a process in which something was found. pytest's own are below 10.
FOUND = 86
#: What the children are: see `_pytest_child`.
CHILD = "DOPPEL_PYTEST_CHILD"
KNOWN = {"devices", "profile", "memory", "schedule", "memcheck", "leaks", "timeout"}

_numbers: Iterator[int] = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("doppel", "CUDA without a GPU")
    group.addoption("--doppel", action="store_true", help="run CUDA tests on Doppel: marked ones in processes of their own, with checks")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    # Before anybody loads a driver. A child has been started by `doppel run`.
    if early_config.known_args_namespace.doppel and CHILD not in os.environ:
        import doppel_cuda.auto  # noqa: F401


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "doppel(devices, profile, memory, schedule, memcheck, leaks, timeout): with --doppel, run in a process of its own on such devices",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    if not config.getoption("doppel"):
        return None
    from doppel_cuda import __version__

    return f"doppel: {__version__}, mode {os.environ.get('DOPPEL_MODE', 'cpu')}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    mark = item.get_closest_marker("doppel")
    if mark is None or not item.config.getoption("doppel") or CHILD in os.environ:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in _run(item, mark):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _options(mark: pytest.Mark) -> list[str]:
    """Options of `doppel run` out of a marker."""
    if mark.args or not KNOWN.issuperset(mark.kwargs):
        wrong = ", ".join(map(repr, mark.args)) or ", ".join(sorted(set(mark.kwargs) - KNOWN))
        raise ValueError(f"the marker doppel takes {', '.join(sorted(KNOWN))} by name, not {wrong}")
    wanted = mark.kwargs
    options = ["--node", f"pytest-{os.getpid()}-{next(_numbers)}"]
    devices, profile = wanted.get("devices"), wanted.get("profile")
    if profile is not None:
        if devices is not None and not isinstance(devices, int):
            raise ValueError("the marker doppel takes profiles by devices or by profile, not by both")
        devices = ",".join([profile] * (1 if devices is None else devices))
    if devices is not None:
        options += ["--devices", str(devices)]
    for name in ("memory", "schedule"):
        if wanted.get(name) is not None:
            options += [f"--{name}", str(wanted[name])]
    checks = [name for name in ("memcheck", "leaks") if wanted.get(name, True)]
    options += ["--check", ",".join([*checks, f"exit={FOUND}"])]
    return options


def _failure(item: pytest.Item, text: str) -> pytest.TestReport:
    """A report of a test that failed for a reason that is not an exception of its own."""
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords=dict.fromkeys(item.keywords, 1),
        outcome="failed",
        longrepr=text,
        when="call",
    )


def _run(item: pytest.Item, mark: pytest.Mark) -> list[pytest.TestReport]:
    """Runs a test in a process of its own, and gives what is to be reported of it."""
    from doppel_cuda import launcher

    try:
        options = _options(mark)
    except ValueError as error:
        return [_failure(item, str(error))]
    config = item.config
    with tempfile.TemporaryDirectory(prefix="doppel-pytest-") as folder:
        job, results = Path(folder, "job"), Path(folder, "results")
        results.touch()
        job.write_bytes(pickle.dumps(_job(config, item.nodeid, str(results))))
        command = [os.fspath(launcher()), "run", *options, "--", sys.executable, "-m", "doppel_cuda._pytest_child", str(job)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, CHILD: "1"},
            cwd=config.invocation_params.dir,
            start_new_session=True,
        )
        late = False
        try:
            out, err = process.communicate(timeout=mark.kwargs.get("timeout"))
        except subprocess.TimeoutExpired:
            late = True
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        lines = results.read_text(encoding="utf-8").splitlines()
    reports = []
    for line in lines:
        report = config.hook.pytest_report_from_serializable(config=config, data=json.loads(line))
        reports.append(report)
    text = err.decode(errors="replace")
    for title, what in (("stdout", out.decode(errors="replace")), ("stderr", text)):
        if what and reports:
            reports[-1].sections.append((f"Captured {title} of the process", what))
    return _settled(item, reports, process.returncode, text, late)


def _findings(reports: list[pytest.TestReport], text: str) -> list[str]:
    """What the checks wrote, whether pytest captured it or the process wrote it when it ended."""
    said = [content for report in reports for title, content in report.sections if "stderr" in title] or [text]
    lines = [line for part in said for line in part.splitlines() if line.startswith("doppel: ")]
    return [line for line in lines if not line.endswith(": no errors")]


def _settled(item: pytest.Item, reports: list[pytest.TestReport], status: int, text: str, late: bool) -> list[pytest.TestReport]:
    """The reports, one of which says what the process itself came to."""
    if late:
        problem = "the process took longer than its timeout and was ended"
    elif status == FOUND:
        # A test that failed by itself keeps memory in its traceback.
        if any(report.failed for report in reports):
            return reports
        problem = "\n".join(["the checks found mistakes:", *_findings(reports, text)])
    elif status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = f"signal {number}"
        problem = f"the process was ended by {name}\n{text}"
    elif not any(report.when == "teardown" for report in reports):
        problem = f"the process ended with status {status} before the test was over\n{text}"
    else:
        return reports
    for report in reports:
        if report.when == "call" and report.passed:
            report.outcome, report.longrepr = "failed", problem
            return reports
    # The test never came to its end, or to something else than passed.
    before = [report for report in reports if report.when == "setup"]
    return [*before, _failure(item, problem), *(report for report in reports if report.when == "teardown")]


def _job(config: pytest.Config, nodeid: str, results: str) -> dict[str, Any]:
    """What a child needs to run one test as this session would."""
    options = {}
    for name, value in vars(config.option).items():
        try:
            pickle.dumps(value)
        except Exception:  # What cannot travel is left at its default.
            continue
        options[name] = value
    return {
        "options": options,
        "test": nodeid,
        "root": str(config.rootpath),
        "file": str(config.inipath) if config.inipath else None,
        "results": results,
        "path": sys.path,
    }


class Recorder:
    """In a child: writes reports for the parent, and lets go of what libraries keep for later."""

    def __init__(self, config: pytest.Config, results: str) -> None:
        self.config = config
        self.results = results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        with open(self.results, "a", encoding="utf-8") as file:
            print(json.dumps(data, default=str), file=file)

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self) -> Generator[None, object, object]:
        result = yield
        _let_go()
        return result


def _let_go() -> None:
    """Frees what nobody uses any more and a library frees later: that is no leak."""
    import gc

    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        if hasattr(sys, name):
            delattr(sys, name)
    gc.collect()
    numba = sys.modules.get("numba.cuda.cudadrv.driver")
    if numba is not None and numba.driver.is_initialized:
        for gpu in sys.modules["numba.cuda.cudadrv.devices"].gpus.lst:
            context = gpu._device.primary_context
            for holder in (context, getattr(context, "memory_manager", None)):
                if hasattr(holder, "deallocations"):
                    holder.deallocations.clear()
    cupy = sys.modules.get("cupy")
    if cupy is not None:
        cupy.get_default_memory_pool().free_all_blocks()
        cupy.get_default_pinned_memory_pool().free_all_blocks()
