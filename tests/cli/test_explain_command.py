"""`kbtriage explain-code`, end to end."""

from __future__ import annotations

import json

import pytest

from assistant.cli.main import main


@pytest.mark.parametrize(("code", "words"), [
    ("EI0006", ["EI0006", "usually a consequence", "hccl-error-codes"]),
    ("507015", ["507015", "usually a cause", "ACL_ERROR_RT_AICORE_EXCEPTION"]),
    ("0x80C78008", ["0x80C78008", "npu-fault-events"]),
    ("-9", ["SIGKILL", "process-killed"]),
    ("137", ["SIGKILL"]),
    ("SIGSEGV", ["segmentation-fault"]),
    ("EI0098", ["EI0098", "without an entry of its own", "hccl-error-codes"]),
])
def test_known(code: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--lang", "en", code]) == 0
    caught = capsys.readouterr()
    assert all(word in caught.out for word in words) and caught.err == ""
    assert all(len(line) <= 80 for line in caught.out.splitlines())


def test_several_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--lang", "zh", "EI0006", "507015", "ei0006"]) == 0
    out = capsys.readouterr().out
    assert out.count("含义") == 2


def test_two_spellings_of_one_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--lang", "en", "137/-9"]) == 0
    assert capsys.readouterr().out.count("Means") == 1


def test_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--lang", "en", "EI006", "EI0002", "foo"]) == 2
    caught = capsys.readouterr()
    assert "EI0002" in caught.out
    assert "EI006" in caught.err and "EI0006" in caught.err
    assert "'foo'; try kbtriage kb search" in caught.err


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--format", "json", "EI0006", "foo"]) == 2
    value = json.loads(capsys.readouterr().out)
    assert value["schema"] == "kbtriage.codes/1"
    assert [code["code"] for code in value["codes"]] == ["EI0006"]
    assert value["codes"][0]["usually"] == "consequence"
    assert value["unknown"] == [{"code": "foo", "near": []}]
