"""A corpus of healthy logs, on which no rule may blame anything.

A folder with an `expect.yaml` is one job, of which `verdict: healthy` (alone, or as one of
several) is expected; `input:` names the path below it to check. In a corpus without any such
file, every entry of the folder is one job.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.errors import UsageError
from assistant.render.quote import gist
from assistant.rules.packs import built_in

if TYPE_CHECKING:
    from assistant.authoring.bench import Bench

EXPECTATION = "expect.yaml"


@dataclass(frozen=True, slots=True)
class Healthy:
    """One healthy job: its name within the corpus, and the path that holds its logs."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Noise:
    """A finding of severity error or warning that blames a healthy job.

    Attributes:
        rule: its id. job: the job's name. lines: its first lines of evidence.
    """

    rule: str
    job: str
    lines: tuple[str, ...]


def default_corpus() -> Path | None:
    """The corpus that kbtriage brings (in a checkout: all healthy cases of its tests)."""
    root = built_in().root.parent
    candidates = (root / "healthy", root / "tests" / "cases")
    return next((path for path in candidates if path.is_dir()), None)


def jobs(folder: Path) -> list[Healthy]:
    """The healthy jobs below a folder, by name.

    Raises:
        UsageError: there is no such folder, or nothing in it.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder")
    expected = sorted(folder.rglob(EXPECTATION))
    found = [Healthy(path.parent.relative_to(folder).as_posix(), path.parent / values["input"]
                     if "input" in values else path.parent)
             for path in expected if _is_healthy(values := _values(path))]
    if not expected:
        found = [Healthy(path.name, path) for path in sorted(folder.iterdir())
                 if not path.name.startswith(".")]
    if not found:
        raise UsageError(f"{folder}: no healthy logs in it")
    return found


def noise(bench: Bench, folder: Path) -> Iterator[Noise]:
    """What the rules of a bench blame on healthy jobs. Raises UsageError as `jobs` does."""
    from assistant.evidence.types import Evidence, Skipped
    from assistant.scan.one import scan_logs
    from assistant.sources import LogSource, find

    for healthy in jobs(folder):
        scanned = [found for source in find([str(healthy.path)]) if isinstance(source, LogSource)
                   for found in scan_logs(source, bench.engine, bench.specs)]
        files = tuple(file for file in scanned if not isinstance(file, Skipped))
        diagnosis = bench.diagnosis(bench.job(Evidence(files)))
        for finding in diagnosis.findings:
            if finding.role == "cause" and finding.rule.severity != "info":
                yield Noise(finding.rule.id, healthy.name, tuple(
                    f"{quote.file}:{quote.line}: {gist(quote.text)[:200]}"
                    for quote in finding.evidence[:3]))


def _values(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        values = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    return values if isinstance(values, dict) else {}


def _is_healthy(values: Mapping[str, Any]) -> bool:
    verdict = values.get("verdict", ())
    return verdict == "healthy" or (isinstance(verdict, list) and "healthy" in verdict)
