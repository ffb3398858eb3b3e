"""What the codes of the linter mean, from lint_codes.yaml: for `kbtriage rules docs`.

    python -m assistant.authoring.lint_codes        writes docs/lint-codes.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assistant.errors import UsageError
from assistant.rules.suggest import closest

#: Kinds of file of the examples, in words.
_FILES = {"rule": "a rule", "wait": "a rule", "article": "an article", "pack": "pack.yaml",
          "site": "site.yaml"}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one code means.

    Attributes:
        level: `error` or `warning`.
        optional: whether it has to be asked for (`--also`).
        what: what is wrong. why: why that matters.
        file: the kind of file of the example.
        bad, good: a piece of a file with the mistake, and without; empty where the mistake is
            one that a piece of text cannot show.
        whole: whether the bad piece is the whole file.
    """

    code: str
    level: str
    optional: bool
    what: str
    why: str
    file: str = "rule"
    bad: str = ""
    good: str = ""
    whole: bool = False


@cache
def explanations() -> Mapping[str, Explanation]:
    """All codes, by name, in the order in which the file has them."""
    import yaml

    text = (resources.files("assistant.authoring") / "lint_codes.yaml").read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {code: Explanation(
        code, "error" if values["level"] == "error" else "warning",
        values["level"] == "optional", values["what"], values["why"],
        values.get("file", "rule"), values.get("bad", ""), values.get("good", ""),
        values.get("whole", False)) for code, values in yaml.load(text, loader).items()}


def explained(code: str) -> str:
    """The explanation of a code, as the command prints it.

    Raises:
        UsageError: there is no such code.
    """
    known = explanations()
    if code not in known:
        near = closest(code, known)
        raise UsageError(f"there is no lint code {code!r}; "
                         + (f"did you mean {near}?" if near else "see kbtriage rules docs"))
    one = known[code]
    level = f"{one.level}, only with --also {code}" if one.optional else one.level
    lines = [f"{code} ({level})", one.what, "", one.why]
    if one.bad:
        lines += ["", f"Wrong, in {_FILES[one.file]}:", *_indented(one.bad),
                  "", "Right:", *_indented(one.good)]
    if one.level == "warning":
        mark = (f"<!-- kbtriage: allow {code} because ... -->" if one.file == "article"
                else f"# kbtriage: allow {code} because ...")
        lines += ["", "Where it is meant, say so on the line, or on the one above:",
                  *_indented(mark)]
    return "\n".join(lines)


def listed() -> str:
    """All codes, a line each."""
    known = explanations()
    width = max(map(len, known))
    return "\n".join(f"{one.code:{width}}  {one.level:7}  {one.what}"
                     + ("  (--also)" if one.optional else "") for one in known.values())


def page() -> str:
    """All explanations as one page of documentation, ending with a line end."""
    parts = ["# Codes of the linter\n\nMade from `assistant/authoring/lint_codes.yaml` by "
             "`python -m assistant.authoring.lint_codes`;\ndo not edit it. The same stands in "
             "`kbtriage rules docs CODE`. How to allow a warning:\n[Packs](packs.md)."]
    for one in explanations().values():
        level = f"{one.level}, with `--also {one.code}`" if one.optional else one.level
        parts.append(f"## {one.code}\n\n({level}) {one.what} {one.why}")
        if one.bad:
            parts.append(f"Wrong, in {_FILES[one.file]}:\n\n```text\n{one.bad.rstrip()}\n```")
            parts.append(f"Right:\n\n```text\n{one.good.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> list[str]:
    return ["    " + line for line in text.rstrip("\n").split("\n")]


if __name__ == "__main__":
    from pathlib import Path

    (Path(__file__).parents[2] / "docs" / "lint-codes.md").write_text(page(), encoding="utf-8")
