#!/usr/bin/env python3
"""Builds the book: the pages of the repository in their places, by mdbook, and looks at every link in what came out. `make docs` calls this.

    book.py MDBOOK OUT     with the program MDBOOK, into the folder OUT
    book.py --links        looks at the links of the pages alone, where they lie: files and headings have to be there
"""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

#: The order of the book: titles of parts, then pages.
PARTS = [
    ("Use", ["README.md", "docs/ci.md", "docs/PACKAGES.md", "docs/TOOLCHAINS.md", "docs/RUNTIME.md", "docs/DEVICES.md", "docs/CHECK.md", "docs/LAYERS.md", "docs/COREDUMP.md", "docs/MANAGEMENT.md"]),
    ("What it does", ["docs/DIFFERENCES.md", "docs/FORWARD.md", "docs/PTX.md", "docs/CLIENTS.md", "docs/ENGINES.md", "docs/BENCHMARKS.md", "docs/SECURITY.md"]),
    ("Status", ["docs/STATUS.md", "docs/STATUS-cudart.md", "docs/STATUS-compilers.md", "docs/STATUS-nvml.md"]),
    ("Work on it", ["CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/TESTING.md", "CHANGELOG.md", "SECURITY.md"]),
]
LINK = re.compile(r"\[[^\]\n]*\](?:\(([^)\s]+)\))")


def pages():
    listed = [page for _, part in PARTS for page in part]
    there = [f"docs/{name}" for name in sorted(os.listdir(os.path.join(TOP, "docs"))) if name.endswith(".md")]
    lost = set(there) - set(listed)
    if lost:
        sys.exit(f"book.py: no part has {', '.join(sorted(lost))}")
    return listed


def read(page):
    with open(os.path.join(TOP, page), encoding="utf-8") as file:
        return file.read()


def prose(text):
    """A page without what is not prose: code in blocks and in lines."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "`code`", text)


def headings(text):
    """The names of headings, as GitHub and mdbook make them."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    names = set()
    for title in re.findall(r"^#+ (.+)$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return names


def targets(page):
    """What a page links to in this repository: the path, and the heading."""
    for link in LINK.findall(prose(read(page))):
        if urlsplit(link).scheme or link.startswith("//"):
            continue
        path, _, heading = link.partition("#")
        yield link, os.path.normpath(os.path.join(os.path.dirname(page), unquote(path))) if path else page, heading


def check_links():
    wrong = looked = 0
    for page in pages():
        for link, path, heading in targets(page):
            looked += 1
            if not os.path.exists(os.path.join(TOP, path)):
                wrong += 1
                print(f"{page}: {link} leads nowhere")
            elif heading and path.endswith(".md") and heading not in headings(read(path)):
                wrong += 1
                print(f"{page}: {link}: there is no such heading")
    print(f"links: {looked} looked at, {wrong} wrong")
    return wrong or not looked


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.names.add(value)


def build(mdbook, out):
    work = os.path.join(out, "source")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(os.path.join(work, "src"))
    with open(os.path.join(work, "book.toml"), "w", encoding="utf-8") as file:
        file.write('[book]\ntitle = "Doppel"\nlanguage = "en"\n\n[output.html]\nno-section-label = true\n\n[output.html.search]\nenable = false\n')
    summary = ["# Summary\n"]
    files = set()
    for part, listed in PARTS:
        summary.append(f"\n# {part}\n")
        for page in listed:
            text = read(page)
            title = re.search(r"^# (.+)$", text, re.M)[1]
            summary.append(f"- [{title}]({page})")
            files.add(page)
            # What it links to lies in the same place: files as they are. Folders have no page.
            for _, path, _ in targets(page):
                if os.path.isfile(os.path.join(TOP, path)):
                    files.add(path)
    for name in sorted(files):
        to = os.path.join(work, "src", name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(os.path.join(TOP, name), to)
        if name.endswith(".md"):
            folder = os.path.dirname(name)

            def plain(match):
                path = match[1].partition("#")[0]
                whole = os.path.normpath(os.path.join(TOP, folder, path))
                return match[0][: match[0].index("](")][1:] if path and not urlsplit(path).scheme and os.path.isdir(whole) else match[0]

            with open(to, encoding="utf-8") as file:
                text = file.read()
            with open(to, "w", encoding="utf-8") as file:
                file.write(LINK.sub(plain, text))
    with open(os.path.join(work, "src/SUMMARY.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(summary) + "\n")
    html = os.path.join(out, "html")
    subprocess.run([mdbook, "build", work, "--dest-dir", html], check=True)
    shutil.rmtree(work)
    parsed = {}
    for folder, _, names in os.walk(html):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                links = Links()
                with open(path, encoding="utf-8") as file:
                    links.feed(file.read())
                parsed[path] = links
    wrong = looked = 0
    for path, page in parsed.items():
        # Pages of mdbook's own: all pages as one, for printing, and the one for what is not found.
        if os.path.basename(path) in ("print.html", "404.html"):
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or link.startswith(("//", "data:")):
                continue
            looked += 1
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            if not os.path.exists(to):
                wrong += 1
                print(f"{os.path.relpath(path, html)}: {link} leads nowhere")
            elif parts.fragment and to in parsed and unquote(parts.fragment) not in parsed[to].names:
                wrong += 1
                print(f"{os.path.relpath(path, html)}: {link}: there is no such heading")
    print(f"{html}/index.html: {len(parsed)} pages, {looked} links looked at, {wrong} wrong")
    return wrong or not looked


if __name__ == "__main__":
    sys.exit(1 if (check_links() if sys.argv[1:] == ["--links"] else build(sys.argv[1], os.path.abspath(sys.argv[2]))) else 0)
