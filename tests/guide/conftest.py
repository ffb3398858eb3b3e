"""A small knowledge base with rules, a catalogue and families of codes."""

from __future__ import annotations

import pytest

from assistant.guide import Library
from assistant.rules import load
from assistant.rules.packs import Layer
from assistant.rules.ruleset import RuleSet

ARTICLES = {
    "en": {
        "port-taken": ("A port is taken", "network",
                       "Another process listens on the port of the scheduler.",
                       "Find who holds it: `ss -ltnp | grep {port|8118}`"),
        "gradients": ("Gradients are not numbers", "numeric",
                      "The gradient norm became nan in some step.", "Lower the learning rate."),
        "link-codes": ("Reading link codes", "hccl",
                       "Codes of links between cards.", "Read the block."),
    },
    "zh": {
        "port-taken": ("端口被占用", "network", "另一进程占用了调度进程的端口。",
                       "查找占用者：`ss -ltnp | grep {port|8118}`"),
        "gradients": ("梯度不是数字", "numeric", "梯度范数在某一步变为 nan。", "降低学习率。"),
        "link-codes": ("如何看建链错误码", "hccl", "卡间建链的错误码。", "阅读错误块。"),
    },
}
HEADINGS = {"en": ("What it means", "What to do"), "zh": ("含义", "处理步骤")}
RULES = r"""
rules:
  - id: network.port-taken
    title: {en: "Port {port} is taken", zh: "端口 {port} 被占用"}
    category: network
    severity: error
    article: port-taken
    signals:
      bind: {log: 'bind: address (?P<port>\d+) already in use by (?:a|another) process'}
    when: bind
  - id: hccl.known-code
    title: {en: "A rule that knows EI0042", zh: "识别 EI0042 的规则"}
    category: hccl
    severity: error
    article: link-codes
    signals: {code: {code: EI0042}}
    when: code
"""
CODES = """
catalogue: links
about: {en: Links, zh: 建链}
article: link-codes
families:
  - codes: "EI????"
    title: {en: Links between cards, zh: 卡间建链}
    meaning: {en: Read the whole block., zh: 请阅读整个错误块。}
  - codes: [SIGKILL, "-9", "137"]
    usually: either
    article: port-taken
    title: {en: Killed, zh: 被终止}
  - codes: ["-[1-9]", "SIG*"]
    title: {en: Some signal, zh: 某个信号}
codes:
  - code: EI0006
    name: LINK_TIMEOUT
    category: hccl
    severity: error
    usually: consequence
    title: {en: A link timed out, zh: 建链超时}
    meaning: {en: "The peer did not come in time.", zh: "对端未按时到达。"}
    causes: {en: [The peer failed earlier, TLS differs], zh: [对端更早失败, TLS 不一致]}
    steps: {en: ["Read `less {file|worker_N.log}`"], zh: ["阅读 `less {file|worker_N.log}`"]}
    printed: ["[ERROR] EI0006: x"]
    references: [A document]
  - code: "0x80C78008"
    category: device
    severity: error
    usually: cause
    title: {en: Bits lost, zh: 比特丢失}
    meaning: {en: "Memory lost bits.", zh: "内存丢失比特。"}
    causes: {en: [A defect], zh: [缺陷]}
    steps: {en: [Reset the card], zh: [复位该卡]}
    printed: ["[ERROR] Event id=0x80c78008"]
"""


@pytest.fixture(scope="session")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("kb")
    for lang, articles in ARTICLES.items():
        (root / lang).mkdir()
        for name, (title, category, meaning, step) in articles.items():
            means, to_do = HEADINGS[lang]
            (root / lang / f"{name}.md").write_text(
                f"---\ntitle: {title}\ncategory: {category}\n---\n## {means}\n{meaning}\n\n"
                f"## {to_do}\n1. {step}\n", encoding="utf-8")
    return Library([root])


@pytest.fixture(scope="session")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    root = tmp_path_factory.mktemp("rules")
    (root / "rules.yaml").write_text(RULES, encoding="utf-8")
    (root / "links.yaml").write_text(CODES, encoding="utf-8")
    loaded = load([Layer("test", root)], cache=False)
    assert not loaded.problems
    return loaded
