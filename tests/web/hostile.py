"""Text that tries to become markup or script, and logs, names and articles made of it."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

#: Each calls `alert` (or changes the page) if it is ever taken for more than text.
PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "\"><svg onload=alert(4)>",
    "' onmouseover='alert(5)' autofocus onfocus='alert(6)",
    "</textarea><script>alert(7)</script>",
    "</title><script>alert(8)</script>",
    "</code></pre><iframe src=javascript:alert(9)>",
    "javascript:alert(10)",
    "{{ 7*7 }}{% for x in y %}",
    "<!--<script>",
    "]]><style>body{display:none}</style>",
    "`<b onclick=alert(11)>x</b>`",
    "[x](javascript:alert(12)) ![x](http://192.0.2.1/x.png)",
    "\u202egnp.exe\u200b\x1b[31m\x00",
    "&lt;script&gt;alert(13)&lt;/script&gt;",
)


def log(rank: int) -> str:
    """A worker's log with payloads in every part of a line that is shown somewhere."""
    head = f"2026-11-30 08:02:0{rank},357 - mindformers./output/log[mindformers/x.py:337] - INFO - "
    lines = [f"{head}{{ step:[    {step}/  100], loss: {'nan' if step > 2 else 9.5}, "
             f"per_step_time: 400ms, lr: 1.0e-05, grad_norm: 1.0, throughput: 2.5T }}"
             for step in range(1, 5)]
    for payload in PAYLOADS:
        lines += [f"[ERROR] ME(7:8,{payload}):2026-11-30-08:03:00.000.000 [{payload}] {payload}",
                  f"ModuleNotFoundError: No module named '{payload}'",
                  f"EI0006: {payload}"]
    lines += ["Traceback (most recent call last):",
              f'  File "/home/{PAYLOADS[2]}/train.py", line 9, in {PAYLOADS[0]}',
              f"    f('{PAYLOADS[1]}')",
              f"ValueError: {' '.join(PAYLOADS)}"]
    return "\n".join(lines) + "\n"


def names() -> list[str]:
    """File names of payloads."""
    return [f"{payload.replace('/', '∕').replace(chr(0), '')}_{rank}.log"
            for rank, payload in enumerate(PAYLOADS)]


def archive(kind: str) -> bytes:
    """An archive whose members' names are payloads, and worse."""
    content = io.BytesIO()
    text = log(0).encode("utf-8", "surrogatepass")
    wanted = ["worker_0.log", *names(), "../../../etc/passwd.log", "/etc/cron.d/x.log",
              "a/../../b.log", "C:\\windows\\x.log"]
    if kind == "zip":
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as container:
            for name in wanted:
                container.writestr(name, text)
        return content.getvalue()
    with tarfile.open(fileobj=content, mode="w:gz") as packed:
        for name in wanted:
            member = tarfile.TarInfo(name)
            member.size = len(text)
            packed.addfile(member, io.BytesIO(text))
        link = tarfile.TarInfo("worker_1.log")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    return content.getvalue()


def pack(folder: Path) -> Path:
    """A pack with a rule and articles that are made of payloads."""
    (folder / "rules").mkdir(parents=True)
    payload = PAYLOADS[0] + PAYLOADS[2] + "\\\"><svg onload=alert(4)>"
    (folder / "rules" / "hostile.yaml").write_text(f"""\
id: user-code.hostile
title: {{en: "{payload} {{word}}", zh: "{payload} {{word}}"}}
category: user-code
severity: error
article: hostile
confidence: 1.0
owner: "{payload}"
references: ["{payload}"]
signals:
  one: {{log: 'ValueError: (?P<word>.*)', in: worker}}
when: one
tests:
  - name: "{payload}"
    logs: {{worker_0.log: "ValueError: x"}}
    expect: {{}}
  - name: none
    logs: {{worker_0.log: "fine"}}
    expect: none
""", encoding="utf-8")
    body = "\n\n".join(payload.replace("\0", "") for payload in PAYLOADS)
    for lang, headings in (("en", ("What it means", "What to do")), ("zh", ("含义", "处理步骤"))):
        path = folder / "kb" / lang / "hostile.md"
        path.parent.mkdir(parents=True)
        path.write_text(
            f"---\ntitle: '{PAYLOADS[0]}{PAYLOADS[2]}'\ncategory: '{PAYLOADS[2]}'\n---\n"
            f"## {headings[0]}\n\n{body}\n\n<div onclick=alert(14)>html</div>\n\n"
            "[link](javascript:alert(15)) <javascript:alert(16)> "
            "[data](data:text/html;base64,PHNjcmlwdD4=) [fine](https://example.org/)\n\n"
            f"```\n{PAYLOADS[1]}\n```\n\n"
            f"## {headings[1]}\n\n1. Run `echo {{word}}`. {PAYLOADS[2]}\n", encoding="utf-8")
    return folder
