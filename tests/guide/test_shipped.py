"""What the articles and catalogue steps that ship promise: the same in both languages, commands
that a shell takes and that read what they should, and an outcome for every step."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest

from assistant.guide.articles import HEADINGS, Article
from assistant.guide.codes import explain
from assistant.guide.fill import fill
from assistant.guide.library import Library, library
from assistant.rules import load, packs
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import LANGUAGES

_SPAN = re.compile(r"`([^`]+)`")
#: A span that begins so is a command of the shell.
_PROGRAMS = frozenset((
    "ascend-dmi", "bash", "cat", "conda", "curl", "df", "diff", "dmesg", "docker", "du",
    "echo", "env", "export", "file", "find", "findmnt", "for", "free", "fuser", "gdb",
    "getent", "git", "grep", "hccn_tool", "head", "hostnamectl", "id", "iostat", "ip",
    "ipmitool", "iptables", "journalctl", "kbtriage", "kill", "kubectl", "ldconfig", "ldd",
    "less", "ln", "ls", "lscpu", "lsmod", "lsof", "lspci", "make", "md5sum", "mkdir", "mount",
    "msnpureport", "msrun", "namei", "nc", "nm", "npu-smi", "nproc", "nstat", "ping", "pip",
    "pkill", "ps", "py-spy", "python", "quota", "ray", "rm", "sar", "scontrol", "scp", "sed",
    "sha256sum", "smartctl", "sort", "source", "ss", "ssh", "strings", "sysctl", "systemctl",
    "tail", "taskset", "top", "torchrun", "touch", "tr", "ulimit", "uname", "unset",
    "usermod", "which"))
#: What it looks like when a step has done its work.
_SUCCESS = {"en": "Success", "zh": "成功标志"}
#: What a look at something means: `Refused: nobody listens.`, `... is the suspect.`
_OUTCOME = {
    "en": re.compile(r"[^\s:]: [A-Za-z/`]"
                     r"|\b(?:means?|must|shows?|says?|names?|explain|counts?|is the|are the)\b"),
    "zh": re.compile(r"[^\s]：\S|说明|应|就是|即|则|证实|最可疑|根因|给出|指出|可看出"
                     r"|不得|只能|为(?:软件|硬件|算子)"),
}
#: Documented ranges of numeric variables: the HCCL environment variables of CANN 9.0 for Atlas
#: A2 and A3, and the CANN log manual.
_RANGES = {
    "HCCL_CONNECT_TIMEOUT": (120, 7200), "HCCL_EXEC_TIMEOUT": (0, 2147483647),
    "HCCL_RDMA_TIMEOUT": (5, 20), "HCCL_RDMA_RETRY_CNT": (1, 7),
    "HCCL_BUFFSIZE": (1, 1 << 20), "HCCL_IF_BASE_PORT": (1024, 65520),
    "ASCEND_GLOBAL_LOG_LEVEL": (0, 4), "ASCEND_SLOG_PRINT_TO_STDOUT": (0, 1),
    "ASCEND_LAUNCH_BLOCKING": (0, 1), "GLOG_v": (0, 4), "NPU_ASD_ENABLE": (0, 3),
}


@pytest.fixture(scope="module")
def shipped() -> Library:
    return library([packs.built_in()])


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return load([packs.built_in()])


def _articles(shipped: Library) -> Iterator[Article]:
    for name in shipped.ids():
        for lang in LANGUAGES:
            article = shipped.article(name, lang)
            assert article is not None and article.lang == lang, f"{name} is missing in {lang}"
            yield article


def _texts(shipped: Library, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Every text that may hold a command, with where it stands."""
    for article in _articles(shipped):
        for key, section in article.sections.items():
            texts = article.steps if key == "steps" else section.text.split("\n\n")
            yield from ((f"{article.lang}/{article.id} {key}", text) for text in texts)
    for rule in rules.every():
        for lang, steps in rule.steps.items():
            yield from ((f"{rule.id} {lang}", step) for step in steps)


def _commands(text: str) -> Iterator[str]:
    """Commands with their placeholders filled by what stands in for them."""
    for span in _SPAN.findall(fill(text, {})):
        words = span.split()
        if words and words[0].rstrip(";") in _PROGRAMS and (len(words) > 1 or ";" in span):
            yield span


def test_both_languages_have_the_same_structure_and_spans(shipped: Library) -> None:
    def spans(article: Article, key: str) -> Counter[str]:
        found = _SPAN.findall(article.sections[key].text)
        return Counter(re.sub(r"\{([\w.]+)\|[^{}]*\}", r"{\1}", span) for span in found)

    for name in shipped.ids():
        english, chinese = (shipped.article(name, lang) for lang in ("en", "zh"))
        assert english is not None and chinese is not None
        assert list(english.sections) == list(chinese.sections) == list(HEADINGS), name
        assert english.category == chinese.category, name
        assert len(english.steps) == len(chinese.steps), name
        for key in HEADINGS:
            first, second = spans(english, key), spans(chinese, key)
            assert first == second, f"{name}, {key}: {first - second} against {second - first}"


def _steps(shipped: Library, rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """Place, language and text of every step of an article or a catalogue row."""
    for article in _articles(shipped):
        yield from ((f"{article.lang}/{article.id} {number}", article.lang, step)
                    for number, step in enumerate(article.steps, 1))
    for rule in rules.every():
        for lang, steps in rule.steps.items():
            yield from ((f"{rule.id} {number}", lang, step) for number, step in enumerate(steps, 1))


def test_every_step_carries_an_outcome(shipped: Library, rules: RuleSet) -> None:
    bare: list[str] = []
    for place, lang, step in _steps(shipped, rules):
        # The words that lead to the command are no outcome of it.
        command = _SPAN.search(step)
        rest = step[command.end():] if command else step.partition(". ")[2] or step
        if _SUCCESS[lang] not in step and not _OUTCOME[lang].search(rest):
            bare.append(f"{place}: {step}")
        assert not step.startswith(tuple(_SUCCESS.values())), f"no action: {place}: {step}"
    assert not bare, "\n".join(bare)


def test_the_last_step_of_all_says_what_success_looks_like(shipped: Library) -> None:
    silent = [f"{a.lang}/{a.id}" for a in _articles(shipped)
              if _SUCCESS[a.lang] not in a.steps[-1]]
    assert not silent
    for name in shipped.ids():
        english, chinese = (shipped.article(name, lang) for lang in ("en", "zh"))
        assert english is not None and chinese is not None
        for one, other in zip(english.steps, chinese.steps, strict=True):
            assert (_SUCCESS["en"] in one) == (_SUCCESS["zh"] in other), f"{name}: {one} / {other}"


def test_the_shell_takes_every_command(shipped: Library, rules: RuleSet) -> None:
    where = {command: place for place, text in _texts(shipped, rules)
             for command in _commands(text)}
    assert len(where) > 500
    script = "\n".join(f"f{n}() {{\n{command}\n}}" for n, command in enumerate(where))
    if subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True).returncode:
        wrong = [f"{place}: {command}" for command, place in where.items()
                 if subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode]
        raise AssertionError("\n".join(wrong))


def test_no_command_reads_the_first_worker_only(shipped: Library, rules: RuleSet) -> None:
    """`grep x worker_*.log | head` prints lines of rank 0 and of nobody else."""
    cut = re.compile(r"worker_\*\.log[^|;]*\| *(?:head|tail)\b")
    nameless = re.compile(r"\bgrep -\w*h\w* .*worker_\*\.log\b(?!.*\b(?:uniq|wc)\b)")
    wrong = [f"{place}: {command}" for place, text in _texts(shipped, rules)
             for command in _commands(text) if cut.search(command) or nameless.search(command)]
    assert not wrong, "\n".join(wrong)


def test_commands_of_kbtriage_find_what_they_name(shipped: Library, rules: RuleSet) -> None:
    known = set(shipped.ids())
    for place, text in _texts(shipped, rules):
        for command in _commands(text):
            if match := re.fullmatch(r"kbtriage kb show (\S+)", command):
                assert match[1] in known, f"{place}: {command}"
            if match := re.fullmatch(r"kbtriage explain-code (\S+)", command):
                code = match[1]
                assert code in ("CODE", "N") or explain(code, rules, shipped, "en"), place


def test_blocking_launches_are_first_asked_for_where_pynative_obeys(
        shipped: Library, rules: RuleSet) -> None:
    """The variable did not move a PyNative traceback of MindSpore 2.10; the call did."""
    for place, text in _texts(shipped, rules):
        call, _, variable = text.partition("export ASCEND_LAUNCH_BLOCKING=1")
        assert not variable or "launch_blocking()" in call, f"{place}: {text}"


def test_variables_stay_within_their_documented_ranges(shipped: Library, rules: RuleSet) -> None:
    setting = re.compile(r"\b([A-Za-z_]+)=(\d+)(?![\w.-])")
    seen = 0
    for place, text in _texts(shipped, rules):
        for name, value in setting.findall(" ".join(_SPAN.findall(text))):
            if name in _RANGES:
                least, most = _RANGES[name]
                assert least <= int(value) <= most, f"{place}: {name}={value}"
                seen += 1
    assert seen > 50


def test_titles_need_no_rank(rules: RuleSet) -> None:
    """A pasted fragment names none: a title is then shorter (`{? on rank {rank}?}`), and does
    not speak of "rank ?"."""
    wrong = [f"{rule.id}: {title}" for rule in rules.every() for title in rule.title.values()
             if re.search(r"\{ranks?\|", title)]
    assert not wrong, "\n".join(wrong)
