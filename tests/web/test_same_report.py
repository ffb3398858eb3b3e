"""The same logs give the same report on the command line, on the page and through the API."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

from assistant import pipeline
from assistant.render.as_json import json_text
from tests.web.support import LAB, ROOT, cases, files_of

#: All jobs of the lab, and every tenth of the reported failures (KBTRIAGE_ALL_CASES: all).
REPORTED = sorted((LAB.parent / "reported").glob("*/expect.yaml"))
SAMPLE = REPORTED if "KBTRIAGE_ALL_CASES" in os.environ else REPORTED[::10]


@pytest.fixture(params=[*cases(), *(path.parent for path in SAMPLE)], ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest, tmp_path: Path,
           monkeypatch: pytest.MonkeyPatch) -> Path:
    """A case's logs where msrun writes them: steps name that folder, given or not."""
    case: Path = request.param
    expect = yaml.safe_load((case / "expect.yaml").read_text(encoding="utf-8"))
    here = Path("output/msrun_log")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(case / expect.get("input", "."), here,
                    ignore=shutil.ignore_patterns("expect.yaml"))
    return here


def test_engine_page_and_api(client: FlaskClient, folder: Path) -> None:
    for lang in ("en", "zh"):
        report = json.loads(json_text(pipeline.check([str(folder)], lang=lang, jobs=1)))
        sent = {"folder": files_of(folder, "msrun_log/")}
        answer = client.post(f"/api/v1/check?lang={lang}", data=sent,
                             content_type="multipart/form-data")
        assert answer.status_code == 200
        assert _judged(answer.json) == _judged(report)
        page = client.post(f"/check?lang={lang}",
                           data={"folder": files_of(folder, "msrun_log/")},
                           content_type="multipart/form-data").text
        sealed = re.search(r'name="sealed" value="([^"]+)"', page)
        assert sealed
        carried = client.post("/result", data={"sealed": sealed[1], "as": "json", "lang": lang})
        assert _judged(carried.json) == _judged(report)


def test_the_command_line_gives_it_too(client: FlaskClient, tmp_path: Path) -> None:
    here = tmp_path / "output" / "msrun_log"
    shutil.copytree(LAB / "exc-rank2" / "msrun_log", here)
    printed = subprocess.run(
        [sys.executable, "-m", "assistant", "check", "output/msrun_log", "--format",
         "json", "--lang", "en", "--exit-zero"], capture_output=True, check=True, cwd=tmp_path,
        text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}).stdout
    answer = client.post("/api/v1/check", data={"folder": files_of(here, "msrun_log/")},
                         content_type="multipart/form-data")
    assert _judged(answer.json) == _judged(json.loads(printed))


#: A folder in a command of a step: a page cannot know where the logs that it was sent lie.
_FOLDER = re.compile(r"(?:output|~/ascend|(?<![\w.])\.\.?)(?:/[\w*.-]+)+/?")


def _judged(report: Any) -> Any:
    """A report without what a page does not tell or know: the paths of rule files that are
    left out, and the folders of the logs."""
    inputs = report["inputs"]
    findings = [{**finding, **{key: _bare(finding[key]) for key in ("steps", "meaning",
                                                                    "otherwise")}}
                for finding in report["findings"]]
    return {**report, "findings": findings,
            "inputs": {**inputs, "problems": len(inputs["problems"])}}


def _bare(text: Any) -> Any:
    """A text with no more of such a path than the file's name."""
    if isinstance(text, list):
        return [_bare(part) for part in text]
    return _FOLDER.sub(lambda path: name if "." in (name := path[0].rpartition("/")[2]) else "",
                       text)
