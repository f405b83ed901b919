"""Compares what ask.c heard from our library with what it heard from an H200's, by kind: success or which error, and which
results were written.

    compare.py RECORDED DIFFERENT HEARD...    RECORDED, DIFFERENT: tests/data/nvml/answers.txt and different.txt
    compare.py --record HEARD...              prints the first of them

Where the real library crashed there is nothing to compare. Where it answers, ours may say that an emulated device has no such thing
(NVML_ERROR_NOT_SUPPORTED). Other differences are those of the functions in DIFFERENT, each with its reason.
"""
import re
import sys

NOT_SUPPORTED = "3"


def written(rest):
    """For each result whether it was written: `[1] untouched [2] 5` is `us`. A structure's version is the program's own."""
    kinds = ""
    for part in re.findall(r"\[\d\] (.*?)(?= \[\d\] |$)", rest):
        part = part.strip()
        same = part.startswith("untouched") or re.fullmatch(r"([0-9a-f]{8})?\.\.\(\d+\)", part)
        kinds += "u" if same else "s"
    return kinds


def heard(files):
    answers, counts = {}, {}
    for file in files:
        for line in open(file, errors="replace"):
            part = [word.strip() for word in line.rstrip("\n").split(" |")]
            if len(part) < 3 or not re.fullmatch(r"nvml\w+|field \d+|no field|negative", part[0]):
                continue
            function, label, code = part[:3]
            label = label or "plain"
            rest = " ".join(part[3:])
            if function.startswith("nvmlDeviceGetHandleBy") and label.startswith('"'):
                if function.endswith("Serial") and code == "0":
                    continue
                # The texts are the device's own.
                counts[function] = counts.get(function, 0) + 1
                label = f"text {counts[function]}"
                rest = f"[0] {rest}"
            if function == "nvmlErrorString" or re.fullmatch(r"-?\d+( -?\d+)*", code):
                answers[function, label] = (code, written(rest))
    return answers


def record(answers):
    groups = {}
    for (function, label), answer in answers.items():
        groups.setdefault((function, answer), []).append(label)
    for (function, (code, kinds)), labels in groups.items():
        print(f"{function} | {code} {kinds}".rstrip(), "|", "; ".join(labels))


def recorded(file):
    answers = {}
    for line in open(file):
        if line.startswith("#") or not line.strip():
            continue
        function, answer, labels = (word.strip() for word in line.split(" | ", 2))
        code, kinds = answer, ""
        if function != "nvmlErrorString" and re.fullmatch(r".* [us]+", answer):
            code, kinds = answer.rsplit(" ", 1)
        for label in labels.split("; "):
            answers[function, label] = (code, kinds)
    return answers


def main():
    if sys.argv[1] == "--record":
        return record(heard(sys.argv[2:]))
    real, ours = recorded(sys.argv[1]), heard(sys.argv[3:])
    reasons = dict(line.strip().split(": ", 1) for line in open(sys.argv[2]) if line.strip() and not line.startswith("#"))
    same = without = known = failed = 0
    used = set()
    for (function, label), (code, kinds) in real.items():
        answer = ours.get((function, label))
        if answer is None:
            print(f"FAILED {function}, {label}: nothing was heard")
            failed += 1
        elif answer == (code, kinds):
            same += 1
        elif answer[0] == NOT_SUPPORTED and code == "0":
            without += 1
        elif function in reasons:
            known += 1
            used.add(function)
        else:
            print(f"FAILED {function}, {label}: {answer[0]} {answer[1]} instead of {code} {kinds}")
            failed += 1
    for function in sorted(set(reasons) - used):
        print(f"FAILED {function} is listed as different and is not")
        failed += 1
    print(f"{same} answers as an H200's, {without} of things that an emulated device does not have, {known} known to differ, {failed} failed")
    return failed > 0


sys.exit(main())
