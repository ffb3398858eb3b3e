"""What a search found, for a terminal and for programs."""

from __future__ import annotations

import json
import math

import pytest

from assistant.guide.search import Hit
from assistant.render.cells import width
from assistant.render.hits import terminal, to_dict

HITS = [
    Hit("article", "port-taken", "port-taken", "端口被占用", "network", math.inf,
        "端口被占用 " * 20, "含义", "network.port-taken"),
    Hit("code", "EI0006", "link-codes", "A link timed out", "hccl", 3.14159, "Late. \x1b[2J"),
]


def test_terminal() -> None:
    lines = terminal(HITS, "en").splitlines()
    assert lines[0] == "1. 端口被占用"
    assert lines[1].startswith("    [this message, by rule network.port-taken] 含义:")
    assert lines[3:6] == ["    kbtriage kb show port-taken", "2. A link timed out",
                          "    Late. \\x1b[2J"]
    assert lines[-1] == "    kbtriage explain-code EI0006"
    assert terminal([], "en") == ""


@pytest.mark.parametrize("cells", [40, 80])
def test_nothing_is_wider_than_asked(cells: int) -> None:
    assert all(width(line) <= cells for line in terminal(HITS, "zh", cells).splitlines())


def test_for_programs() -> None:
    value = json.loads(json.dumps(to_dict(HITS, "端口", "zh"), allow_nan=False))
    assert (value["schema"], value["query"], value["lang"]) == ("kbtriage.search/1", "端口", "zh")
    assert [hit["score"] for hit in value["hits"]] == [None, 3.142]
    assert value["hits"][0]["rule"] == "network.port-taken"
