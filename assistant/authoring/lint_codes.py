"""What the codes of the linter mean, from lint_codes.yaml: for `kbtriage rules docs`.

    python -m assistant.authoring.lint_codes        writes docs/lint-codes.md and .zh.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assistant.errors import UsageError
from assistant.rules.suggest import closest

#: Kinds of file of the examples, in words.
_FILES = {"rule": ("a rule", "规则"), "wait": ("a rule", "规则"), "article": ("an article", "文章"),
          "pack": ("pack.yaml", "pack.yaml"), "site": ("site.yaml", "site.yaml")}
#: What stands around an explanation: English, Chinese.
_WORDS = {
    "error": ("error", "错误"), "warning": ("warning", "警告"),
    "only": ("{level}, only with --also {code}", "{level}，仅在 --also {code} 时检查"),
    "wrong": ("Wrong, in {file}:", "错误示例（{file}）："), "right": ("Right:", "正确写法："),
    "allow": ("Where it is meant, say so on the line, or on the one above:",
              "若确属有意，请在该行或上一行注明："),
    "because": ("because ...", "because 原因"),
    "head": ("# Codes of the linter\n\nMade from `assistant/authoring/lint_codes.yaml` by "
             "`python -m assistant.authoring.lint_codes`;\ndo not edit it. The same stands in "
             "`kbtriage rules docs CODE`. How to allow a warning:\n[Packs](packs.md). "
             "[中文](lint-codes.zh.md)",
             "# linter 代码\n\n由 `python -m assistant.authoring.lint_codes` 根据 "
             "`assistant/authoring/lint_codes.yaml` 生成，\n请勿直接修改。"
             "`kbtriage rules docs CODE` 显示同样的内容。如何允许某个警告，见\n"
             "[规则包](packs.zh.md)。[English](lint-codes.md)"),
    "marked": ("({level}) {what} {why}", "（{level}）{what}{why}"),
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one code means.

    Attributes:
        level: `error` or `warning`.
        optional: whether it has to be asked for (`--also`).
        what: what is wrong. why: why that matters. zh: both in Chinese.
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
    zh: tuple[str, str]
    file: str = "rule"
    bad: str = ""
    good: str = ""
    whole: bool = False

    def what_in(self, lang: str) -> str:
        """What is wrong, in `en` or `zh`."""
        return self.zh[0] if lang == "zh" else self.what

    def why_in(self, lang: str) -> str:
        """Why that matters, in `en` or `zh`."""
        return self.zh[1] if lang == "zh" else self.why


@cache
def explanations() -> Mapping[str, Explanation]:
    """All codes, by name, in the order in which the file has them."""
    import yaml

    text = (resources.files("assistant.authoring") / "lint_codes.yaml").read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {code: Explanation(
        code, "error" if values["level"] == "error" else "warning",
        values["level"] == "optional", values["what"], values["why"],
        (values["what_zh"], values["why_zh"]),
        values.get("file", "rule"), values.get("bad", ""), values.get("good", ""),
        values.get("whole", False)) for code, values in yaml.load(text, loader).items()}


def explained(code: str, lang: str = "en") -> str:
    """The explanation of a code in a language, as the command prints it.

    Raises:
        UsageError: there is no such code.
    """
    known = explanations()
    if code not in known:
        near = closest(code, known)
        raise UsageError(f"there is no lint code {code!r}; "
                         + (f"did you mean {near}?" if near else "see kbtriage rules docs"))
    one = known[code]
    opening, closing = ("（", "）") if lang == "zh" else (" (", ")")
    lines = [f"{code}{opening}{_level(one, lang)}{closing}", one.what_in(lang), "",
             one.why_in(lang)]
    if one.bad:
        lines += ["", _word("wrong", lang, file=_file(one, lang)), *_indented(one.bad),
                  "", _word("right", lang), *_indented(one.good)]
    if one.level == "warning":
        mark = f"kbtriage: allow {code} {_word('because', lang)}"
        lines += ["", _word("allow", lang),
                  *_indented(f"<!-- {mark} -->" if one.file == "article" else f"# {mark}")]
    return "\n".join(lines)


def listed(lang: str = "en") -> str:
    """All codes in a language, a line each."""
    known = explanations()
    width = max(map(len, known))
    return "\n".join(f"{one.code:{width}}  {one.level:7}  {one.what_in(lang)}"
                     + ("  (--also)" if one.optional else "") for one in known.values())


def page(lang: str = "en") -> str:
    """All explanations as one page of documentation, ending with a line end."""
    parts = [_word("head", lang)]
    for one in explanations().values():
        level = _level(one, lang).replace(f"--also {one.code}", f"`--also {one.code}`")
        marked = _word("marked", lang, level=level, what=one.what_in(lang), why=one.why_in(lang))
        parts.append(f"## {one.code}\n\n{marked}")
        if one.bad:
            wrong = _word("wrong", lang, file=_file(one, lang))
            parts.append(f"{wrong}\n\n```text\n{one.bad.rstrip()}\n```")
            parts.append(f"{_word('right', lang)}\n\n```text\n{one.good.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def _word(key: str, lang: str, **values: str) -> str:
    text = _WORDS[key][lang == "zh"]
    return text.format(**values) if values else text


def _level(one: Explanation, lang: str) -> str:
    level = _word(one.level, lang)
    return _word("only", lang, level=level, code=one.code) if one.optional else level


def _file(one: Explanation, lang: str) -> str:
    return _FILES[one.file][lang == "zh"]


def _indented(text: str) -> list[str]:
    return ["    " + line for line in text.rstrip("\n").split("\n")]


if __name__ == "__main__":
    from pathlib import Path

    for name, language in (("lint-codes.md", "en"), ("lint-codes.zh.md", "zh")):
        (Path(__file__).parents[2] / "docs" / name).write_text(page(language), encoding="utf-8")
