#!/usr/bin/env python3
"""Runs each seeded mistake of mistakes.cu in a process of its own, under all checks, and looks for the report that its comment promises: on
stderr, in JUnit's XML and in SARIF.

   mistakes.py PROGRAM FOLDER"""
import json, os, re, subprocess, sys
import xml.etree.ElementTree as xml
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mistakes.cu")
lines = open(source).read().splitlines()
wanted = {}  # name: [(line, check and how its report begins)]
kernel = None
for number, line in enumerate(lines, 1):
    if begin := re.match(r"__(?:global|device)__ (?:void|int) (\w+)\(", line):
        kernel = begin[1]
    if said := re.search(r"// (?:([\w ]+): )?((?:mem|init|race|sync)check: .*)$", line):
        names = said[1].split() if said[1] else [kernel]
        place = number
        if names == ["anywhere"]:
            names, place = [kernel], None
        for name in ["returns_first" if n == "block_sum" else n for n in names]:
            wanted.setdefault(name, []).append((place, said[2]))
cases = re.findall(r"^    CASE\((\w+),", "\n".join(lines), re.M)
assert sorted(cases) == sorted(wanted), set(cases) ^ set(wanted)
junit, sarif = (os.path.join(sys.argv[2], "reports." + kind) for kind in ("xml", "sarif"))
checks = f"memcheck,initcheck,racecheck,synccheck,exit=9,junit={junit},sarif={sarif}"
missed, found = [], {}


def in_junit(check, begin, place):
    root = xml.parse(junit).getroot()
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    failures = [case for case in cases if case.find("failure") is not None]
    assert root.tag == "testsuites" and int(suite.get("tests")) == len(cases) and int(suite.get("failures")) == len(failures)
    assert all(case.get("classname") and case.get("name") for case in cases)
    return any(
        case.get("classname") == "doppel." + check
        and case.find("failure").get("message") == begin
        and (place is None or (os.path.basename(case.get("file", "")), case.get("line")) == ("mistakes.cu", str(place)))
        for case in failures
    )


def in_sarif(check, begin, place):
    with open(sarif, encoding="utf-8") as file:
        log = json.load(file)
    assert log["version"] == "2.1.0" and log["$schema"] and len(log["runs"]) == 1
    run = log["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["tool"]["driver"]["name"] and {"memcheck", "initcheck", "racecheck", "synccheck"} == rules
    for result in run["results"]:
        assert result["ruleId"] in rules and result["level"] == "error" and result["message"]["text"]
        lines = []
        for location in result.get("locations", []):
            where = location["physicalLocation"]
            assert re.fullmatch(r"[\w%./:~-]+", where["artifactLocation"]["uri"]) and where["region"]["startLine"] >= 1
            lines.append((where["artifactLocation"]["uri"].rpartition("/")[2], where["region"]["startLine"]))
        if result["ruleId"] == check and result["message"]["text"].startswith(f"{check}: {begin}\n"):
            if place is None or ("mistakes.cu", place) in lines:
                return True
    return False


for name in cases:
    run = subprocess.run([sys.argv[1], name], capture_output=True, text=True, timeout=30, env={**os.environ, "DOPPEL_CHECK": checks})
    text = run.stderr
    reports = re.split(r"^doppel: (?=\w+check: )", text, flags=re.M)
    def told(place, begin):
        at = "" if place is None else f"mistakes.cu:{place} "
        return any(report.startswith(begin + "\n") and at in report for report in reports)
    check = wanted[name][0][1].split(":")[0]
    # The files name the first place of a race, which need not be the one with the comment.
    files = [(begin.partition(": ")[2], None if check == "racecheck" else place) for place, begin in wanted[name]]
    in_files = any(in_junit(check, *each) for each in files) and any(in_sarif(check, *each) for each in files)
    if run.returncode == 9 and in_files and any(told(*promise) for promise in wanted[name]):
        found[check] = found.get(check, 0) + 1
    else:
        missed.append(name)
        print(f"FAILED {name}: exit status {run.returncode}, no {wanted[name]} in:\n{text}")
print(f"found {sum(found.values())} of {len(cases)} seeded mistakes: " + ", ".join(f"{n} by {check}" for check, n in sorted(found.items())))
sys.exit(bool(missed))
