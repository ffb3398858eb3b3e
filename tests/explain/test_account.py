"""The account of a rule: what held where, the nearest miss, what was needed, what hid it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from assistant.authoring.bench import Bench
from assistant.diagnose.judge import judge
from assistant.explain.as_json import to_dict
from assistant.explain.build import account
from assistant.explain.text import text
from assistant.explain.types import STATUSES, Explanation, Say
from assistant.explain.words import SENTENCES, Speech
from assistant.render.cells import width
from assistant.rules import load
from assistant.rules.changes import How
from assistant.rules.packs import Layer, built_in

ROOT = Path(__file__).parent.parent.parent
LANDMARKS = load([built_in()]).landmarks
HEAD = """\
id: storage.ours
title: {en: Ours, zh: 我们的}
category: storage
severity: error
article: disk-full
"""
STEP = ("2026-11-30 08:02:{n:02},357 - mindformers./output/log[mindformers/pynative/callback/"
        "loss_callback.py:337] - INFO - {{ step:[ {n:4}/   60], loss:  {loss}, "
        "per_step_time:   {ms}ms, lr: 1.000000e-05, grad_norm:   1.210000 }}\n")


def steps(losses: list[float], ms: int = 3000) -> str:
    return "".join(STEP.format(n=n, loss=f"{loss:.6f}", ms=ms) for n, loss in enumerate(losses, 1))


def explain(folder: Path, rule: str, logs: Mapping[str, str], others: str = "") -> Explanation:
    (folder / "ours.yaml").write_text(HEAD + rule, encoding="utf-8")
    if others:
        (folder / "others.yaml").write_text(others, encoding="utf-8")
    ruleset = dataclasses.replace(load([Layer("test", folder)], cache=False), landmarks=LANDMARKS)
    assert not ruleset.problems
    bench = Bench(ruleset, None, "re2")
    judged = judge(bench.job(bench.evidence(logs)), ruleset)
    found = next(one for one in ruleset.every() if one.id == "storage.ours")
    return account(found, judged, bench.scan(logs))


def said(explanation: Explanation, signal: str) -> list[str]:
    """What is told of a signal's groups, in English."""
    speech = Speech("en")
    own = next(one for one in explanation.signals if one.name == signal)
    return [speech(group.nearest.say) for group in own.groups]


LOG = ("signals:\n  full: {log: 'quota exceeded on (?P<disk>\\S+) by (?P<who>\\w+)', %s}\n"
       "when: full\n")


def test_found(tmp_path: Path) -> None:
    found = explain(tmp_path, LOG % "in: worker",
                    {"worker_0.log": "quota exceeded on /a by eve\n", "worker_1.log": "fine\n"})
    assert (found.status, found.ranks) == ("cause", (0,))
    (full,) = found.signals
    assert [(group.subjects, group.holds) for group in full.groups] == [((0,), True),
                                                                       ((1,), False)]
    assert full.groups[0].nearest.quote is not None
    assert full.groups[0].nearest.quote.line == 1
    assert found.needs == ()


def test_the_nearest_line_of_many_ranks(tmp_path: Path) -> None:
    logs = {f"worker_{n}.log": "fine\n" for n in range(40)}
    logs["worker_7.log"] = "one\nquota exceeded at /a by eve\n"
    found = explain(tmp_path, LOG % "in: worker", logs)
    assert found.status == "missing"
    near = next(group.nearest for group in found.signals[0].groups if group.nearest.near)
    assert near.subject == 7
    assert near.quote is not None
    assert (near.quote.file, near.quote.line) == ("worker_7.log", 2)
    assert near.near == Say("log.lacks", {"part": "on "})
    assert [need.changes for need in found.needs] == [(("full", True),)]
    shown = text(found)
    assert "all of the expression but `on `" in shown
    assert "ranks 0-6, 8-39" in shown


@pytest.mark.parametrize(("keys", "line", "key"), [
    ("in: scheduler", "quota exceeded on /a by eve", "log.role"),
    ("level: ERROR", "[WARNING] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] "
     "quota exceeded on /a by eve", "log.level"),
    ("component: HCCL", "[ERROR] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] "
     "quota exceeded on /a by eve", "log.component"),
    ("inside: traceback", "quota exceeded on /a by eve", "log.inside"),
    ("at_least: 2", "quota exceeded on /a by eve", "log.too-few"),
])
def test_a_line_that_matches_and_does_not_count(tmp_path: Path, keys: str, line: str,
                                                key: str) -> None:
    found = explain(tmp_path, LOG % keys, {"worker_0.log": line + "\n"})
    assert found.status == "missing"
    assert [seen.say.key for seen in found.signals[0].elsewhere] == [key]


ORDER = """\
signals:
  first: {log: 'link went down'}
  then: {log: 'storage timed out', after: first, within: 60s}
when: then
"""


def test_the_other_signal_is_missing_or_too_far(tmp_path: Path) -> None:
    stamp = "[ERROR] ME(1:2,Main):2026-01-01-{}.100.000 [a.py:1] {}\n"
    found = explain(tmp_path, ORDER, {"worker_0.log": stamp.format("10:00:00",
                                                                   "storage timed out")})
    assert [one.say.key for one in found.signals[1].elsewhere] == ["log.after-none"]
    found = explain(tmp_path, ORDER, {
        "worker_0.log": stamp.format("10:00:00", "link went down")
        + stamp.format("11:00:00", "storage timed out")})
    (late,) = found.signals[1].elsewhere
    assert Speech("en")(late.say) == "no `first` is known to precede it (within: 60s)"


METRIC = "signals:\n  high: {metric: loss, %s}\nwhen: high\n"


@pytest.mark.parametrize(("test", "losses", "expected"), [
    ("above: 20", [9, 18.5, 11], "loss came nearest at step 2: 18.5, asked for > 20"),
    ("below: 1", [9, 3, 11], "loss came nearest at step 2: 3, asked for < 1"),
    ("'above': 20, for: 3", [9, 25, 26, 3], "loss > 20 for 2 steps in a row, 3 needed"),
    ("spike: {times: 3}", [10.0] * 10 + [20], "loss came nearest at step 11: 20 against a "
     "median of 10 (2 times, 3 asked; - deviations, 8 asked)"),
    ("is: rising, for: 8, by: 2", [5, 5, 5, 5, 6, 6, 6, 6],
     "loss goes from 5 to 6 over 8 steps; rising by 2 times is asked"),
    ("is: flat, for: 4", [5, 5, 5, 6], "the last 4 values of loss differ by 20.00%, at most "
     "0.10% is asked"),
    ("is: nan", [9, 3], "2 of 2 steps hold a number for loss; `nan` for 1 in a row is asked for"),
    ("slower_than: past", [9, 3], "2 steps with a number for loss, 15 needed"),
    ("above: 20, skip_first: 5", [9, 3], "2 step lines, and `skip_first: 5`"),
])
def test_the_nearest_step(tmp_path: Path, test: str, losses: list[float], expected: str) -> None:
    found = explain(tmp_path, METRIC % test, {"worker_0.log": steps(losses)})
    assert said(found, "high") == [expected]


def test_compared_with_peers(tmp_path: Path) -> None:
    rule = "signals:\n  slow: {metric: per_step_time, slower_than: peers, by: 2}\nwhen: slow\n"
    logs = {f"worker_{n}.log": steps([9.0] * 8, 4500 if n == 2 else 3000) for n in range(4)}
    found = explain(tmp_path, rule, logs)
    (group,) = found.signals[0].groups
    assert group.nearest.subject == 2
    assert "1.5 times, 2 asked" in Speech("en")(group.nearest.say)


STATES = """\
signals:
  gone: {state: stopped, behind: peers}
  far: {reached: training}
when: gone and not far
"""


def test_states_and_phases(tmp_path: Path) -> None:
    logs = {"worker_0.log": steps([9.0] * 3), "worker_1.log": "hello\n"}
    found = explain(tmp_path, STATES, logs)
    assert found.status == "missing"
    assert said(found, "gone") == ["it is `running`, asked for stopped"]
    assert said(found, "far")[0] == "reached training"
    assert said(found, "far")[1].endswith("asked for training")
    assert found.needs[0].changes == (("far", False), ("gone", True))


def test_by_rank(tmp_path: Path) -> None:
    rule = ("each: rank\nsignals:\n  one: {log: 'mount check passed'}\n"
            "  two: {log: 'license line'}\nwhen: one and not two\n")
    found = explain(tmp_path, rule, {
        "worker_0.log": "mount check passed\nlicense line\n", "worker_1.log": "none of it\n"})
    assert found.when is not None
    assert found.when.on == ()
    assert {need.subjects: need.changes for need in found.needs} == {
        (0,): (("two", False),), (1,): (("one", True),)}
    shown = text(found)
    assert "on rank 0, if `two` did not hold" in shown


EVENT = ("signals:\n  raised: {exception: ValueError, message: 'tokenizer version (?P<v>\\d+)'}\n"
         "when: raised\n")
TRACE = ("Traceback (most recent call last):\n"
         '  File "/home/user/job/train.py", line 92, in <module>\n    main()\n%s\n')


@pytest.mark.parametrize(("line", "key", "expected"), [
    ("ValueError: batch size 0", "event.nearly", "message"),
    ("KeyError: 'tokenizer version 1'", "event.nearly", "title"),
    ("OSError: no such file", "event.others", ""),
])
def test_events_that_nearly_fit(tmp_path: Path, line: str, key: str, expected: str) -> None:
    found = explain(tmp_path, EVENT, {"worker_0.log": TRACE % line})
    (group,) = found.signals[0].groups
    assert group.nearest.say.key == key
    if expected:
        assert group.nearest.near is not None
        assert group.nearest.near.values["key"] == expected


OTHER = """\
id: storage.other
title: {en: Other, zh: 其他}
category: storage
severity: error
article: disk-full
signals: {it: {log: 'quota exceeded'}}
when: it
"""
LINE = {"worker_0.log": "[ERROR] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] "
                        "quota exceeded on /a by eve\n"}


@pytest.mark.parametrize(("keys", "others", "status", "sentence"), [
    ("harmless: true\n", "", "hidden", "it is `harmless`"),
    ("unless: storage.o*\n", OTHER, "hidden", "gives way to storage.other"),
    ("applies_to: {mindspore: '>=9'}\n", "", "other-version", "mindspore >=9"),
    ("", OTHER + "explains: storage.ours\n", "consequence", "storage.other explains it"),
    ("explains: storage.other\n", OTHER, "cause", "it explains storage.other"),
])
def test_what_stands_above_the_condition(tmp_path: Path, keys: str, others: str, status: str,
                                         sentence: str) -> None:
    logs = dict(LINE)
    if "applies_to" in keys:
        logs["worker_0.log"] += ("[INFO] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] "
                                 "MindSpore version: 2.7.0\n")
    found = explain(tmp_path, keys + LOG % "in: worker", logs, others)
    assert found.status == status
    assert any(sentence in Speech("en")(one) for one in found.above)


def test_a_last_resort_whose_line_is_taken(tmp_path: Path) -> None:
    rule = "fallback: true\nsignals:\n  any: {error: any}\nwhen: any\n"
    found = explain(tmp_path, rule, LINE, OTHER)
    assert found.status == "hidden"
    assert any("claimed by storage.other" in Speech("en")(one) for one in found.above)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("cells", [40, 80])
def test_it_fits_for_a_thousand_ranks(tmp_path: Path, lang: str, cells: int) -> None:
    logs = {f"worker_{n}.log": "quota exceeded at /a by eve\n" if n % 3 else "fine\n"
            for n in range(1000)}
    shown = text(explain(tmp_path, LOG % "in: worker", logs), lang, cells)
    assert max(map(width, shown.splitlines())) <= cells
    assert len(shown.splitlines()) < 40


def test_as_json(tmp_path: Path) -> None:
    values = to_dict(explain(tmp_path, LOG % "in: worker",
                             {"worker_0.log": "quota exceeded at /a by eve\n"}), "zh")
    assert values["status"] == "missing"
    near = values["signals"][0]["groups"][0]["nearest"]["near_miss"]
    assert near == {"kind": "log.lacks", "text": "除 `on ` 外表达式全部匹配"}
    assert values["needs"] == [{"subjects": [], "changes": [{"signal": "full", "must": "hold"}]}]


def test_every_sentence_has_words_and_every_word_a_use() -> None:
    used = set()
    for path in (ROOT / "assistant" / "explain").glob("*.py"):
        if path.name != "words.py":
            used |= set(re.findall(r"""["']([a-z]+\.[a-z-]+)["']""", path.read_text("utf-8")))
    used |= {f"log.{key}{end}" for key in ("before", "after") for end in ("", "-none")}
    used |= {f"state.behind-{key}" for key in ("peers", "none", "total")}
    used |= {f"status.{status}" for status in STATUSES}
    used |= {f"key.{key}" for key in ("severity", "explains", "fallback", "time", "confidence",
                                      "id")}
    used |= {f"fate.{how}" for how in get_args(How)}
    assert set(SENTENCES) <= used
    for key, (english, chinese) in SENTENCES.items():
        names = set(re.findall(r"{(\w+)", english))
        assert names >= set(re.findall(r"{(\w+)", chinese)), key


def test_stages_that_nobody_tells(tmp_path: Path) -> None:
    rule = ("signals: {set: {log: 'evaluation set', ranks: last-stage}}\nwhen: set\n")
    silent = {"worker_0.log": "evaluation set\n", "worker_1.log": "none\n"}
    (signal,) = explain(tmp_path, rule, silent).signals
    assert signal.asked is not None
    assert "no pipeline stages" in Speech("en")(signal.asked)
    told = {"worker_0.log": steps([]) + "evaluation set\n" + STEP.format(
        n=1, loss="1.0", ms=3000).replace("loss:  1.0, ", ""), "worker_1.log": steps([2.5, 2.5])}
    (signal,) = explain(tmp_path, rule, told).signals
    assert not signal.holds
    assert signal.asked is None


def test_a_metric_that_the_step_lines_do_not_hold(tmp_path: Path) -> None:
    account = explain(tmp_path, "signals: {slow: {metric: step_time, above: 9}}\nwhen: slow\n",
                      {"worker_0.log": steps([2.5, 2.5])})
    assert said(account, "slow") == [
        "no step line with step_time: the step lines hold grad_norm, loss, lr, per_step_time"]
