#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A man page out of a page of docs/reference: one source for both.

    page_to_man.py VERSION PAGE.md >NAME.SECTION

The first line of the page is `<!-- NAME(SECTION): summary -->`. The Markdown is the subset that
docs/ uses: headings, paragraphs, lists of one level, tables, fenced and indented code, and `code`,
*emphasis*, **bold** and [links](x), of which the text remains.
"""
import re
import sys


def escape(text):
    """Text that roff takes as it is."""
    return text.replace("\\", "\\e").replace("-", "\\-")


def inline(text):
    """Code and bold in bold, emphasis in italics."""
    text = re.sub(r"\[((?:`[^`]*`|[^\]`])*)\]\([^)]*\)", r"\1", text)
    made = ""
    for part in re.split(r"(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)", text):
        if part.startswith("`") and len(part) > 1:
            made += "\\fB" + escape(part[1:-1].replace("\\|", "|")) + "\\fR"
        elif part.startswith("**") and len(part) > 4:
            made += "\\fB" + escape(part[2:-2]) + "\\fR"
        elif part.startswith("*") and len(part) > 2:
            made += "\\fI" + escape(part[1:-1].replace("`", "")) + "\\fR"
        else:
            made += escape(part.replace("\\|", "|"))
    return re.sub(r"^([.'])", r"\\&\1", made, flags=re.M)


def code(lines):
    """A block that keeps its lines."""
    kept = [re.sub(r"^([.'])", r"\\&\1", escape(line)) for line in lines]
    return [".PP", ".RS 4", ".nf", *kept, ".fi", ".RE"]


def table(rows):
    """Cells that may hold whole sentences; the last column takes the room that there is."""
    split = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
             for row in rows]
    head, body = split[0], split[2:]
    made = [".PP", ".TS", "allbox;", " ".join(["l"] * (len(head) - 1) + ["lx"]) + "."]
    for cells in [head] * any(head) + body:
        made.append("\t".join(f"T{{\n{inline(cell)}\nT}}" for cell in cells))
    return made + [".TE"]


def blocks(lines):
    """Groups of lines that belong together."""
    while lines:
        size, first = 1, lines[0]
        if first.startswith("```"):
            size = 2 + next(i for i, line in enumerate(lines[1:]) if line.startswith("```"))
        elif first.strip():
            while size < len(lines) and lines[size].strip() and not first.startswith("#") and (
                    first.startswith("|") == lines[size].startswith("|")) and not (
                    re.match(r"(- |\d+\. |```)", lines[size])):
                size += 1
        yield lines[:size]
        lines = lines[size:]


def convert(text):
    """The lines of the man page."""
    lines = text.splitlines()
    name, section, summary = re.match(r"<!-- (\S+)\((\d)\): (.*) -->", lines[0]).groups()
    made = ["'\\\" t", f'.TH "{name}" "{section}" "" "cflr {sys.argv[1]}" "cflr manual"',
            ".ad l", ".nh", ".SH NAME", f"{name} \\- {escape(summary)}", ".SH DESCRIPTION"]
    for block in blocks(lines[1:]):
        first = block[0]
        if not first.strip() or first.startswith(("# ", "<!--")):
            continue
        if first.startswith("```"):
            made += code(block[1:-1])
        elif first.startswith("    "):
            made += code([line[4:] for line in block])
        elif first.startswith("|"):
            made += table(block)
        elif first.startswith("#"):
            words = inline(first.lstrip("# "))
            made.append(f".SH {words.upper()}" if first.startswith("## ") else f".SS {words}")
        else:
            item = re.match(r"(- |\d+\. )", first)
            joined = " ".join(line.strip() for line in block)
            mark = item and (item.group(1).strip() if item.group(1)[0].isdigit() else "\\(bu")
            made.append(f'.IP "{mark}" 4' if item else ".PP")
            made.append(inline(joined[len(item.group(1)):] if item else joined))
    return made


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as page:
        print("\n".join(convert(page.read())))
