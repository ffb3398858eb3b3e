from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assistant.guide.steps import paragraphs, plain, read_steps


def texts(markdown: str) -> list[str]:
    return [step.text for step in read_steps(markdown)[0]]


def test_items_with_continuations_nested_items_and_code() -> None:
    markdown = ("1. First\n   goes on\nlazily\n\n   after a blank line\n"
                "2. List:\n   - one\n   - two\n"
                "3. Run:\n   ```bash\n   npu-smi info\n   ls\n   ```\n   and look\n"
                "10) last\n")
    assert texts(markdown) == ["First goes on lazily after a blank line", "List: one two",
                               "Run: `npu-smi info` `ls` and look", "last"]


def test_lines_of_steps_count_from_the_given_line() -> None:
    steps, stray = read_steps("before\n1. a\n\n2. b\n\nafter\n", 40)
    assert [step.line for step in steps] == [41, 43]
    assert stray == [40, 45]


def test_emphasis_and_links_go_code_stays() -> None:
    assert plain("**Stop** `a **b** [c](d)`, see [the page](https://x.org)") == (
        "Stop `a **b** [c](d)`, see the page (https://x.org)")
    assert plain("rank_0 and __init__ and 2 ** 3") == "rank_0 and init and 2 ** 3"


def test_paragraphs_keep_items_apart() -> None:
    assert paragraphs("a\nb\n\n- c\n- d\n```\ne\n```\n") == (
        "a b\n\n- c\n\n- d\n\n`e`")


WORD = st.text(st.sampled_from("abcdefgh中文，"), min_size=1, max_size=6)
LINE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
#: An item: its first line, and continuation lines indented below it.
ITEM = st.tuples(LINE, st.lists(LINE, max_size=2), st.booleans())


@given(st.lists(ITEM, min_size=1, max_size=6))
def test_finds_the_items_that_a_markdown_parser_finds(items: list[tuple[str, list[str], bool]]
                                                      ) -> None:
    markdown = ""
    for number, (first, more, loose) in enumerate(items, 1):
        indent = " " * len(f"{number}. ")
        markdown += f"{number}. {first}\n" + "".join(f"{indent}{line}\n" for line in more)
        markdown += "\n" if loose else ""
    tokens = MarkdownIt("commonmark").parse(markdown)
    expected = [token.content for token in tokens if token.type == "inline"]
    lines = [token.map[0] for token in tokens if token.type == "list_item_open" and token.map]
    steps, stray = read_steps(markdown, 0)
    assert [step.text.replace(" ", "") for step in steps] == [
        "".join(text.split()) for text in expected]
    assert [step.line for step in steps] == lines
    assert stray == []


@given(st.text())
def test_any_text_gives_single_lines(text: str) -> None:
    steps, _ = read_steps(text)
    assert all(len(step.text.splitlines()) == 1 for step in steps)
