"""One value, one placeholder; what was recognised once is known everywhere."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from assistant import pipeline
from assistant.evidence.types import Evidence, FileEvidence
from assistant.redact import Redactor, known_hosts, redact
from assistant.redact.apply import mapped
from assistant.report import to_dict

LAB = Path(__file__).parent.parent / "cases" / "lab"


def test_the_same_value_has_the_same_placeholder() -> None:
    redactor = Redactor()
    texts = ["from 10.0.0.1 to 10.0.0.2", "10.0.0.2 answers", "10.0.0.1 does not"]
    for text in texts:
        redactor.learn(text)
    assert [redactor.rewrite(text) for text in texts] == [
        "from <ip-1> to <ip-2>", "<ip-2> answers", "<ip-1> does not"]
    assert redactor.values == {"<ip-1>": "10.0.0.1", "<ip-2>": "10.0.0.2"}


def test_a_user_is_known_everywhere() -> None:
    redactor = Redactor()
    redactor.learn("/home/jroe/x.py")
    assert redactor.rewrite("/data/jroe/ckpt of jroe, jroe2") == (
        "/data/<user-1>/ckpt of <user-1>, jroe2")


def test_a_common_user_is_replaced_in_its_place_only() -> None:
    redactor = Redactor()
    redactor.learn("/home/test/x.py")
    assert redactor.rewrite("/home/test/x.py: test failed") == "/home/<user-1>/x.py: test failed"


def test_hosts_by_the_names_of_nodes() -> None:
    redactor = Redactor()
    redactor.learn_hosts(["rack7-b3", "node-0", "logs/rack7-b4", "10.0.0.9_edge"])
    assert redactor.rewrite("rack7-b3 waits for rack7-b4 and node-0; edge") == (
        "<host-1> waits for <host-2> and node-0; <host-3>")


def test_a_machine_without_its_domain() -> None:
    redactor = Redactor()
    redactor.learn("hostname: gpu017.bj.acme.cn")
    assert "gpu017" not in redactor.rewrite("gpu017.bj.acme.cn is down; restart gpu017 first")


def test_a_folder_that_is_a_word_of_the_trade() -> None:
    redactor = Redactor()
    redactor.learn_hosts(["train_zeus_logs"])
    assert redactor.rewrite("zeus: train step 3, see logs") == "<host-2>: train step 3, see logs"


def test_a_machine_that_another_file_tells_of(tmp_path: Path) -> None:
    (tmp_path / "worker_0.log").write_text(
        "2026-11-30 08:29:13,357 - mindformers[core/a.py:3] - INFO - start\n"
        "Traceback (most recent call last):\n"
        '  File "/data/train.py", line 95, in <module>\n    main()\n'
        "RuntimeError: trainmaster has not answered, is zeus asleep?\n")
    (tmp_path / "msrun.log").write_text(
        "msrun --worker_num 16 --master_addr trainmaster --node_rank 0 train.py\n"
        "Nov 30 08:29:13 zeus systemd[1]: started\n")
    examined = pipeline.examine([str(tmp_path)], jobs=1)
    assert set(known_hosts(examined.evidence)) == {"trainmaster", "zeus"}
    redactor = Redactor()
    redactor.learn_hosts(known_hosts(examined.evidence))
    text = str(to_dict(redact(examined.report("en"), redactor)))
    assert "not answered" in text
    assert "trainmaster" not in text
    assert "zeus" not in text


def test_names_in_the_logs_of_many_are_bounded() -> None:
    files = tuple(FileEvidence(f"worker_10.0.0.2_host-{n}_3.log") for n in range(9000))
    assert len(known_hosts(Evidence(files))) == 4096


def test_expressions_of_a_site() -> None:
    redactor = Redactor({"project": r"\bPRJ-\d+\b", "cluster": r"cluster=(?P<value>\w+)"})
    redactor.learn("PRJ-77 on cluster=blue")
    assert redactor.rewrite("PRJ-77 on cluster=blue, PRJ-78") == (
        "<project-1> on cluster=<cluster-1>, <project-2>")


def test_an_expression_that_cannot_be_used() -> None:
    with pytest.raises(ValueError, match="project"):
        Redactor({"project": "("})


def test_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "rack7-b3" / "msrun_log"
    folder.mkdir(parents=True)
    (tmp_path / "rack7-b4" / "msrun_log").mkdir(parents=True)
    (tmp_path / "rack7-b4" / "msrun_log" / "worker_1.log").write_text("2026-11-30 08:29:13,1 x\n")
    (folder / "worker_0.log").write_text(
        "2026-11-30 08:29:13,357 - mindformers[core/a.py:3] - INFO - start on 10.3.2.1\n"
        "Traceback (most recent call last):\n"
        '  File "/home/jroe/llm/train.py", line 95, in <module>\n    main()\n'
        "RuntimeError: cannot reach 10.3.2.1, token=a1b2c3d4e5f6g7, mail jroe@lab.edu.cn\n")
    report = pipeline.check([str(tmp_path)], jobs=1)
    made = redact(report, Redactor())
    text = str(to_dict(made))
    for secret in ("10.3.2.1", "jroe", "a1b2c3d4e5f6g7", "lab.edu", "rack7"):
        assert secret in str(to_dict(report))
        assert secret not in text
    finding, before = made.findings[0], report.findings[0]
    assert (finding.rule, finding.ranks, finding.codes) == (
        before.rule, before.ranks, before.codes)
    assert [quote.line for quote in finding.evidence] == [quote.line for quote in before.evidence]


@pytest.mark.parametrize("case", sorted(path.name for path in LAB.iterdir() if path.is_dir()))
def test_nothing_that_tells_is_lost(case: str) -> None:
    report = pipeline.check([str(LAB / case)], jobs=1)
    made = redact(report, Redactor())

    def facts(which: object) -> object:
        return mapped(which, lambda text: "")

    assert facts(dataclasses.asdict(made)) == facts(dataclasses.asdict(report))
    assert [f.codes for f in made.findings] == [f.codes for f in report.findings]
    assert [f.rule for f in made.findings] == [f.rule for f in report.findings]
