#!/usr/bin/env python3
"""Does what a page of docs/ says. A block ```LANGUAGE file=NAME is written to that file, ```sh run is run, and what it prints has to hold each line of the
```text output behind it. ```LANGUAGE same=NAME is what that file beside the page holds. Each heading starts in a folder of its own.

    pages.py PAGE [--only HEADING]
"""

import os
import re
import subprocess
import sys
import tempfile


def main():
    page = sys.argv[1]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    ran = compared = failed = 0
    # Examples that lie beside the page as files of their own.
    for name, body in re.findall(r"^```\w+ same=(\S+)\n(.*?)^```$", text, re.M | re.S):
        compared += 1
        with open(os.path.join(os.path.dirname(page), name), encoding="utf-8") as file:
            if file.read() != body:
                failed += 1
                print(f"FAILED {page}: {name} holds something else")
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title = section.splitlines()[0]
        blocks = re.findall(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", section, re.M | re.S)
        if not any(words == "run" for _, words, _ in blocks) or (len(sys.argv) > 2 and sys.argv[3] != title):
            continue
        with tempfile.TemporaryDirectory() as folder:
            output = ""
            for _, words, body in blocks:
                if words.startswith("file="):
                    path = os.path.join(folder, words[5:])
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(body)
                elif words == "run":
                    result = subprocess.run(["bash", "-euc", body], cwd=folder, capture_output=True, text=True, timeout=300)
                    output = result.stdout + result.stderr
                    ran += 1
                    if result.returncode:
                        failed += 1
                        print(f"FAILED {page}, {title}: exit status {result.returncode}\n{body}\n{output}")
                elif words == "output":
                    for line in body.splitlines():
                        compared += 1
                        if line not in output:
                            failed += 1
                            print(f"FAILED {page}, {title}: no line with {line!r} in:\n{output}")
    print(f"{page}: {ran} blocks were run, {compared} lines compared, {failed} failed")
    return 1 if failed or not ran or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
