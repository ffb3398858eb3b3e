"""Drafts of rules from real lines: each passes lint and its own tests as it stands."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from assistant.authoring.place import read_place, report_places
from assistant.authoring.rules_new import Written, write_drafts
from assistant.errors import UsageError

CASES = Path(__file__).parents[1] / "cases"
STALE = ("[ERROR] MD(77,7f17d025eb80,python):2026-11-30-08:29:08.534.473 [mindspore/a.cc:428] "
         "Run] Shard map of shard 17 in /data/x/part-7.mindrecord is stale: version 3, wanted 5")
LOG = f"""\
2026-11-30 08:29:03,357 - mindformers./output/log[mindformers/a.py:337] - INFO - loading starts
{STALE}
2026-11-30 08:30:33,357 - mindformers./output/log[mindformers/a.py:337] - INFO - goes on
Traceback (most recent call last):
  File "/home/user/job/train.py", line 92, in <module>
    main()
  File "/home/user/job/shards.py", line 9, in main
    raise ShardError(shard)
shards.ShardError: it's 'x' for shard 17

123 456
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "logs" / "worker_3.log"
    path.parent.mkdir()
    path.write_text(LOG, encoding="utf-8")
    return path


def drafted(written: Written) -> str:
    """The text of the one rule that was written."""
    (path,) = (path for path in written.files if path.suffix == ".yaml")
    return path.read_text("utf-8")


def works(written: Written) -> bool:
    """Whether everything passed, but for what is to be written and for lines that a built-in
    rule knows already, which is told."""
    assert written.linted is not None
    assert {p.code for p in written.linted.problems} - {"shadowed"} == {"to-be-written"}
    assert len(written.results) == 2 * len(written.drafts)
    return not written.failed


def test_a_line(log: Path, tmp_path: Path) -> None:
    written = write_drafts([read_place(f"{log}:2")], tmp_path / "pack")
    assert works(written)
    text = drafted(written)
    assert (r"{log: 'Shard map of shard (?P<shard>\d+) in (?P<path>\S+) is stale: version "
            r"(?P<version>\d+), wanted \d+', level: ERROR, component: MD, in: worker}") in text
    assert 'expect: {"line": "worker_3.log:2"' in text
    assert 'zh: "TODO' in text
    for lang in ("en", "zh"):
        article = (tmp_path / "pack" / "kb" / lang / f"{written.drafts[0].article}.md")
        assert "TODO" in article.read_text("utf-8")
        assert "less +{top} {log_dir}/{file}" in article.read_text("utf-8")


@pytest.mark.parametrize("line", [4, 6, 9])
def test_any_line_of_a_traceback(log: Path, tmp_path: Path, line: int) -> None:
    written = write_drafts([read_place(f"{log}:{line}")], tmp_path / "pack", category="data")
    assert works(written)
    assert (r"{exception: 'shards\.ShardError', message: 'it''s ''x'' for shard (?P<shard>\d+)', "
            "in: worker}") in drafted(written)
    assert written.drafts[0].rule.startswith("data.")


def test_a_block_of_cann(tmp_path: Path) -> None:
    log = tmp_path / "worker_0.log"
    log.write_text("EZ4711: [PID: 12] 2026-01-01-10:00:01.100.000 lane 3 lost its light\n"
                   "        Possible Cause: dust\n        Solution: clean it\n", encoding="utf-8")
    written = write_drafts([read_place(f"{log}:2")], tmp_path / "pack")
    assert works(written)
    assert "block: cann, code: 'EZ4711'" in drafted(written)


def test_real_lines_of_many_kinds(tmp_path: Path) -> None:
    # From the jobs that were run for this: further reported logs must not change the sample.
    spots = []
    for name in ("scheduler", "worker", "console"):
        files = [path for path in sorted((CASES / "lab").rglob("*.log")) if name in path.name]
        for path in files[:: max(1, len(files) // 4)]:
            lines = path.read_text("utf-8", "replace").splitlines()
            spots += [f"{path}:{number}" for number, line in enumerate(lines, 1)
                      if "rror" in line or "fail" in line][:1]
    assert len(spots) >= 6
    written = write_drafts([read_place(spot) for spot in spots], tmp_path / "pack")
    assert written.linted is not None
    # Of lines that a rule of kbtriage knows already the linter says so.
    assert {p.code for p in written.linted.problems} <= {"to-be-written", "shadowed"}
    assert not written.failed
    assert len({one.rule for one in written.drafts}) == len(spots)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    log = tmp_path / "worker_0.log"
    log.write_bytes(b"before\n\x1b[31mError: \xff\xfe store \"q\" `x` {y} #z: 'a'\x1b[0m\n")
    assert works(write_drafts([read_place(f"{log}:2")], tmp_path / "pack"))


def test_a_member_of_an_archive(log: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "logs.tar.gz", "w:gz") as archive:
        archive.add(log, "node-a/worker_3.log")
    place = read_place(f"{tmp_path / 'logs.tar.gz'}!/node-a/worker_3.log:2")
    assert place.text == STALE


def test_what_stays_unexplained(log: Path, tmp_path: Path,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    quote = {"file": "worker_3.log", "line": 2, "text": STALE[:500]}
    gone = {"file": "worker_9.log", "line": 7, "text": "mount of shelf 3 refused by keeper"}
    (tmp_path / "r.json").write_text(json.dumps({"unexplained": [
        {"count": 1, "evidence": quote}, {"count": 9, "evidence": gone}]}), encoding="utf-8")
    places = report_places("r.json", "logs")
    assert [(place.name, place.number, len(place.lines)) for place in places] == [
        ("worker_9.log", 7, 1), ("worker_3.log", 2, 11)]
    written = write_drafts(places, tmp_path / "pack")
    assert works(written)
    assert "mount of shelf" in (written.files[0]).read_text("utf-8")


def test_a_rule_that_tells_of_it_already_is_named(tmp_path: Path) -> None:
    log = tmp_path / "scheduler.log"
    log.write_text("[ERROR] DISTRIBUTED(1,7f,python):2026-11-30-08:29:08.534.473 [a.cc:4] Bind] "
                   "Failed to call bind, url: 192.0.2.1:8118 Address already in use\n", "utf-8")
    written = write_drafts([read_place(f"{log}:1")], tmp_path / "pack")
    assert written.drafts[0].told_by == ("network.scheduler-port-taken",)


def test_nothing_is_overwritten(log: Path, tmp_path: Path) -> None:
    place = read_place(f"{log}:2")
    write_drafts([place], tmp_path / "pack", rule_id="data.stale")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    with pytest.raises(UsageError, match=r"there is a rule data\.stale already"):
        write_drafts([place], tmp_path / "pack", rule_id="data.stale")
    (tmp_path / "pack" / "rules" / "data" / "other.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"other\.yaml: exists already"):
        write_drafts([place], tmp_path / "pack", rule_id="data.other")
    assert before.items() <= {path: path.read_bytes() for path in before}.items()
    assert not (tmp_path / "pack" / "kb" / "en" / "other.md").exists()


@pytest.mark.parametrize(("spelling", "message"), [
    ("worker_3.log", "FILE"), ("logs/worker_3.log:0", "a file and a line number"),
    ("logs/worker_3.log:99", "no line 99"), ("logs/worker_3.log:10", "is blank"),
    ("logs/nowhere.log:1", "nowhere"),
])
def test_a_place_that_is_none(log: Path, monkeypatch: pytest.MonkeyPatch, spelling: str,
                              message: str) -> None:
    monkeypatch.chdir(log.parent.parent)
    with pytest.raises(UsageError, match="(?i)" + message):
        read_place(spelling)


@pytest.mark.parametrize(("words", "message"), [
    ({"rule_id": "nothing"}, "not an id"), ({"rule_id": "nothing.x"}, "begins with its category"),
    ({"category": "storag"}, "did you mean `storage`"),
])
def test_an_id_that_is_none(log: Path, tmp_path: Path, words: dict[str, str],
                            message: str) -> None:
    with pytest.raises(UsageError, match=message):
        write_drafts([read_place(f"{log}:2")], tmp_path / "pack", **words)


def test_a_line_without_words(log: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no words"):
        write_drafts([read_place(f"{log}:11")], tmp_path / "pack")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"unexplained": [1]}', '{"findings": []}'])
def test_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"r\.json: no"):
        report_places(str(tmp_path / "r.json"))
