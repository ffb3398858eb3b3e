"""Everything that is wrong with rule files, all at once.

    python -m assistant.authoring.lint PATH...        (or: kbtriage rules lint PATH...)
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.authoring import beside, cases
from assistant.authoring.allow import allowed
from assistant.authoring.articles import check_articles, check_families
from assistant.authoring.chinese import problem_in, said
from assistant.authoring.form import check_form
from assistant.authoring.pack_lint import check_packs, left_out, site_variables
from assistant.authoring.quality import check_quality
from assistant.authoring.rule_files import files_below, read_file
from assistant.authoring.show import problem_text, summary
from assistant.errors import UsageError
from assistant.guide import Library
from assistant.rules import load, packs
from assistant.rules.content import reserved_name
from assistant.rules.lint import lint_rules
from assistant.rules.packs import Layer
from assistant.rules.paths import show_path
from assistant.rules.reading import WrittenRule
from assistant.rules.types import Position, Problem
from assistant.rules.unpack import is_packed


@dataclass(frozen=True)
class Linted:
    """What was looked at and what was found.

    Attributes:
        files: number of files. rules: the rules that work.
        problems: by file and line. lines: file name to its lines, for the snippets.
        passed_over: YAML files that are not read, each with the reason why.
    """

    files: int
    rules: tuple[WrittenRule, ...]
    problems: tuple[Problem, ...]
    lines: Mapping[str, Sequence[str]]
    passed_over: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether there is an error among the problems."""
        return any(problem.level == "error" for problem in self.problems)


def lint(paths: Sequence[str], *, layers: Sequence[Layer] | None = None,
         also: Collection[str] = ()) -> Linted:
    """All problems of the rules under some paths, but for warnings that a comment allows.

    Args:
        paths: files of rules, folders of them, or packs.
        layers: the packs in force beside them (None: as `check` finds them), whose rules
            can be named by `explains` and whose articles can be used.
        also: codes of optional warnings (form.OPTIONAL) that are wanted.

    Raises:
        UsageError: a path does not exist or holds no rule file.
    """
    ignored = [one for path in paths for one in packs.passed_over(Path(path))
               if not is_packed(path)]
    files = files_below(paths, [path for path, why in ignored if why == "reserved"])
    found = packs.layers() if layers is None else list(layers)
    contents = [read_file(path, shown) for path, shown in files.items()]
    odd = [*beside.orphans(paths), *cases.problems(paths)]
    written = [rule for content in contents for rule in content.rules]
    problems = [problem for content in contents for problem in content.problems]
    loaded = load(found)
    own = {Path(shown).resolve() for shown in files.values()}
    others = [rule for rule in loaded.every() if Path(rule.position.file).resolve() not in own]
    landmarks = {mark.name for mark in loaded.landmarks}
    landmarks |= {mark.landmark.name for content in contents for mark in content.landmarks}
    problems += odd
    problems += [_reserved(path) for path, why in ignored if why == "reserved"]
    spoilt = left_out(contents)
    problems += lint_rules(written, others, landmarks, spoilt)
    usable = [layer for layer in found if layer.root not in loaded.refused]
    articles = Library([*packs.kb_roots(usable), *_kb_beside(files)])
    variables = site_variables(contents) | loaded.site.keys()
    problems += check_articles(written, others, articles, variables)
    problems += check_families(contents, articles)
    problems += check_packs(contents, [*others, *(rule.rule for rule in written)], spoilt,
                            variables)
    problems += check_quality(written, others)
    problems += [problem for content in contents for problem in check_form(content)
                 if problem.code in also]
    shown = sorted(dict.fromkeys(map(_shown, problems)), key=_order)
    lines: dict[str, Sequence[str]] = {content.document.file: content.document.lines
                                       for content in contents}
    lines.update((file, _lines(file)) for file in {one.position.file for one in shown}
                 if file not in lines)
    told = tuple(one for one in shown if not allowed(one, lines[one.position.file]))
    return Linted(len(files), tuple(written), told, lines, tuple(
        f"{show_path(path)} ({_WHY[why]})" for path, why in ignored if why != "reserved"))


def _lines(file: str) -> Sequence[str]:
    """The lines of a file that is none of rules, such as an article."""
    try:
        return Path(file).read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()


#: Why a YAML file is not read, in words.
_WHY = {"hidden": "its name, or its folder's, begins with a dot",
        "outside": "it lies beside rules/, in a folder of its own"}


def _reserved(path: Path) -> Problem:
    return Problem(Position(show_path(path), 1, 1), *reserved_name(path))


def _kb_beside(files: Iterable[Path]) -> list[Path]:
    """Folders of articles that belong to the files' packs: `kb` beside a folder above them."""
    found: dict[Path, None] = {}
    for path in files:
        for folder in list(path.resolve().parents)[:3]:
            if (folder / "kb").is_dir():
                found.setdefault(folder / "kb")
                break
    return list(found)


def _shown(problem: Problem) -> Problem:
    position = problem.position
    return Problem(Position(show_path(position.file), position.line, position.column),
                   problem.code, problem.level, problem.message, problem.cure)


def _order(problem: Problem) -> tuple[str, int, int]:
    return problem.position.file, problem.position.line, problem.position.column


def text_of(linted: Linted, lang: str = "en") -> str:
    """The findings as the command prints them in a language, with a summary line at the end."""
    parts = [problem_text(problem_in(problem, lang), linted.lines[problem.position.file])
             for problem in linted.problems]
    around = [*(f"passed over: {name}" for name in linted.passed_over),
              summary(linted.problems, linted.files, len(linted.rules))]
    return "\n".join([*parts, *(said(line, lang) for line in around)])


def main(arguments: Sequence[str]) -> int:
    """Lints the paths; 0: no errors, 1: errors, 2: the call cannot be used."""
    try:
        linted = lint(arguments or ["rules"])
    except UsageError as error:
        sys.stderr.write(f"kbtriage: {error}\n")
        return 2
    sys.stdout.write(text_of(linted) + "\n")
    return 1 if linted.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
