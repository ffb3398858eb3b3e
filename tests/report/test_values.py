from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.diagnose.types import Citation, Finding
from assistant.evidence.types import Evidence, FileEvidence
from assistant.job.types import Job, LogFile
from assistant.report.values import common_values, folders, log_dir, not_to_open, step_values
from assistant.rules.types import Name, Rule

RULE = Rule("data.x", {"en": "t", "zh": "t"}, "data", "error", "x", {}, Name("a"))


def finding(ranks: tuple[int, ...] = (), nodes: tuple[str, ...] = (), time: float | None = None,
            file: str = "") -> Finding:
    evidence = (Citation(file, 1, None, "x"),) if file else ()
    return Finding(RULE, "cause", None, 0.9, ranks, nodes, (), evidence, time=time)


def test_what_is_known_is_given(tmp_path: Path) -> None:
    values = common_values(finding((0, 1, 2, 5), ("b", "a"), 1.5, "worker_0.log"),
                           {"a": "host-a", "b": "host-b"}, Evidence((), (), (str(tmp_path),)))
    assert values == {"ranks": "0-2, 5", "node": "host-b", "login": "ssh host-b",
                      "time": "1970-01-01 00:00:01", "log_dir": str(tmp_path)}


def test_the_way_to_a_node_is_told_only_where_there_are_several() -> None:
    found, nothing = finding(nodes=("b",)), Evidence(())
    several = {"a": "host-a", "b": "host-b"}
    jump = "ssh -J jump NODE"
    assert "login" not in common_values(found, {"b": "host-b"}, nothing)
    assert common_values(found, several, nothing, jump)["login"] == "ssh -J jump host-b"
    assert common_values(finding(), several, nothing)["login"] == "ssh NODE"
    # a number that stands in for a name is no host
    numbered = {"a": "node 0", "b": "node 1"}
    assert common_values(found, numbered, nothing)["login"] == "ssh NODE"


def test_the_ranks_of_each_signal_are_given() -> None:
    found = replace(finding((0, 1, 2)), named={"slow": (2,), "quiet": (0, 1, 2)})
    values = common_values(found, {}, Evidence(()))
    assert (values["slow.ranks"], values["quiet.ranks"]) == ("2", "0-2")


def test_what_is_unknown_is_not() -> None:
    assert common_values(finding(), {}, Evidence((), (), ("-",))) == {}
    assert common_values(finding(nodes=("",)), {"": ""}, Evidence(())) == {}


@pytest.mark.parametrize(("file", "inputs", "folder"), [
    ("worker_0.log", ["logs/worker_0.log"], "logs"),
    ("worker_0.log", ["worker_0.log"], "."),
    ("worker_0.log", ["/worker_0.log"], "/"),
    ("node-b/worker_8.log", ["/data/node-a", "/data/node-b/"], "/data/node-b"),
    ("a/msrun_log/worker_0.log", ["x/a/msrun_log", "x/b/msrun_log"], "x/a/msrun_log"),
    ("standard-input", ["-"], None),
    ("msrun_log/worker_0.log", ["logs.tar.gz"], None)])
def test_log_dir(file: str, inputs: list[str], folder: str | None) -> None:
    assert log_dir(file, inputs) == folder


def job(inputs: tuple[str, ...], **roles: tuple[str, ...]) -> Job:
    files = tuple(LogFile(FileEvidence(name), role, "")
                  for role, names in roles.items() for name in names)
    return Job(Evidence(tuple(log.evidence for log in files), (), inputs), files, (), ())


@pytest.mark.parametrize(("inputs", "workers", "plogs", "given"), [
    (("x/logs",), ("logs/a/worker_0.log",), ("logs/a/plog/plog-1_1.log", "logs/b/plog-2_1.log"),
     {"input_dir": "x/logs", "plog_dir": "x/logs"}),
    (("x/logs",), ("logs/a/worker_0.log",), ("logs/a/plog/plog-1_1.log",),
     {"input_dir": "x/logs/a", "plog_dir": "x/logs/a/plog"}),
    (("worker_0.log",), ("worker_0.log",), (), {"input_dir": "."}),
    (("/a/x", "/b/y"), ("x/worker_0.log",), ("y/plog-1_1.log",),
     {"input_dir": "/", "plog_dir": "/b/y"}),
    (("a/x", "b/y"), ("x/worker_0.log", "y/worker_1.log"), (), {}),
    (("/a/x", "b/y"), ("x/worker_0.log", "y/worker_1.log"), (), {}),
    (("logs.tar.gz", "a"), ("a/worker_0.log", "logs.tar.gz!/worker_1.log"), (), {}),
    (("-",), ("standard-input",), (), {})])
def test_the_folder_of_all_logs(inputs: tuple[str, ...], workers: tuple[str, ...],
                                plogs: tuple[str, ...], given: dict[str, str]) -> None:
    assert folders(job(inputs, worker=workers, cann=plogs)) == given


def test_the_folder_on_the_machine_that_read_it() -> None:
    places = (("n3/", "/data/msrun_log/"), ("n3/a/", "/other/a/"), ("w.log", "/x/w.log"))
    assert log_dir("n3/worker_0.log", ["n3"], places) == "/data/msrun_log"
    assert log_dir("n3/b/worker_0.log", [], places) == "/data/msrun_log/b"
    assert log_dir("n3/a/worker_0.log", [], places) == "/other/a"
    assert log_dir("w.log", [], places) == "/x"
    assert log_dir("n4/worker_0.log", [], places) is None
    assert log_dir("n3/a.tar!/worker_0.log", [], places) is None


def test_a_folder_is_its_own(tmp_path: Path) -> None:
    inner = tmp_path / "msrun_log"
    inner.mkdir()
    assert log_dir("worker_0.log", [f"{inner}/"]) == str(inner)
    assert log_dir("msrun_log/worker_0.log", [f"{inner}/"]) == str(inner / "msrun_log")
    assert log_dir("x.zip!/worker_0.log", [str(tmp_path)]) is None


def test_steps_join_folder_and_file() -> None:
    inner = "node-b/msrun_log/worker_3.log"
    assert step_values({"file": inner, "line": "1"}, inner) == {
        "file": "worker_3.log", "line": "1"}
    assert step_values({"file": "node-b/console.log"}, inner)["file"] == "../console.log"
    assert step_values({"file": "worker_3.log"}, "worker_3.log")["file"] == "worker_3.log"
    assert step_values({"line": "1"}, "") == {"line": "1"}
    pasted = {"file": "standard-input", "line": "4", "type": "OSError"}
    assert step_values(pasted, "standard-input") == {"type": "OSError"}


def test_of_a_log_that_a_text_shows_the_file_is_named_and_no_line() -> None:
    evidence = Evidence((FileEvidence("worker_1.log", notes=("shown-in: paste.txt",)),
                         FileEvidence("pod/ms.log", notes=("by-pod: standard-input",)),
                         FileEvidence("worker_2.log", notes=("grew",))))
    without = not_to_open(evidence)
    values = {"line": "4", "type": "E"}
    assert step_values({**values, "file": "worker_1.log"}, "worker_1.log", without) == {
        "file": "worker_1.log", "type": "E"}
    assert step_values({**values, "file": "pod/ms.log"}, "pod/ms.log", without) == {"type": "E"}
    assert step_values({**values, "file": "worker_2.log"}, "worker_2.log", without) == {
        **values, "file": "worker_2.log"}


@pytest.mark.parametrize(("file", "inputs", "folder"), [
    ("worker_0.log", ["s3://bucket/job/msrun_log"], "s3://bucket/job/msrun_log"),
    ("worker_0.log", ["s3://bucket/job/msrun_log/"], "s3://bucket/job/msrun_log"),
    ("node-a/worker_0.log", ["s3://bucket/job"], "s3://bucket/job/node-a"),
    ("job/worker_0.log", ["s3://bucket/job"], "s3://bucket/job/job"),
    ("worker_0.log", ["s3://bucket/job/worker_0.log"], "s3://bucket/job"),
    ("a/worker_0.log", ["s3://bucket/a", "s3://bucket/b"], "s3://bucket/a"),
    ("b/worker_0.log", ["/data/a", "s3://bucket/b"], "s3://bucket/b"),
    ("worker_0.log", ["https://me:secret@host/logs/?token=secret"], "https://host/logs"),
    ("worker_0.log", ["file:///data/msrun_log"], "/data/msrun_log"),
    ("c/worker_0.log", ["s3://bucket/a", "s3://bucket/b"], None)])
def test_the_folder_of_a_log_behind_a_url(file: str, inputs: list[str],
                                          folder: str | None) -> None:
    assert log_dir(file, inputs) == folder
