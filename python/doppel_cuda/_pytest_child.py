"""Runs one test for `pytest_plugin`, as the session that started this process would: `python -m doppel_cuda._pytest_child JOB`."""

from __future__ import annotations

import os
import pickle
import sys


def main(path: str) -> int:
    """Runs the test that a job names, and gives pytest's exit status."""
    with open(path, "rb") as file:
        job = pickle.load(file)
    sys.path[:] = job["path"]
    # Their part has been done: what they ask for is in the options.
    os.environ.pop("PYTEST_ADDOPTS", None)
    from _pytest.config import _prepareconfig

    from doppel_cuda.pytest_plugin import Recorder

    arguments = ["--rootdir", job["root"], "-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts="]
    if job["file"]:
        arguments += ["-c", job["file"]]
    arguments.append(os.path.join(job["root"], job["test"]))
    options = job["options"]
    # What belongs to the session as a whole: files that it writes, who else runs tests.
    whole = {
        "xmlpath": None, "report_log": None, "usepdb": False, "trace": False, "numprocesses": None, "dist": "no", "tx": [], "maxfail": 0,
        "collectonly": False, "keyword": "", "markexpr": "", "deselect": None, "lf": False, "failedfirst": False, "stepwise": False,
        "cacheclear": False, "cacheshow": None, "reruns": None, "basetemp": None, "file_or_dir": [arguments[-1]], "args": None,
        "override_ini": ["addopts="], "plugins": [], "inifilename": job["file"], "rootdir": job["root"],
    }  # fmt: skip
    config = _prepareconfig(arguments, None)
    for name, value in {**options, **{name: value for name, value in whole.items() if name in options}}.items():
        setattr(config.option, name, value)
    config.pluginmanager.register(Recorder(config, job["results"]), "doppel-recorder")
    try:
        return int(config.hook.pytest_cmdline_main(config=config))
    finally:
        config._ensure_unconfigure()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
