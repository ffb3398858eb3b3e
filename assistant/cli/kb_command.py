"""`kbtriage kb`: list the articles of the knowledge base, and read one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.cli import language, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.guide import Article, Library

_EPILOG = """\
examples:
  kbtriage kb list                    all articles
  kbtriage kb list port               those whose id or title holds `port`
  kbtriage kb show user-exception     read one
  kbtriage kb show user-exception --lang zh"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "kb", help="list and read the articles of the knowledge base",
        description="Lists and shows the articles that findings point to.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list articles")
    listing.add_argument("words", nargs="*", metavar="WORD",
                         help="only articles whose id, category or title holds every WORD")
    listing.set_defaults(run=list_articles)
    showing = actions.add_parser("show", help="show an article")
    showing.add_argument("article", metavar="ID", help="id of the article")
    showing.set_defaults(run=show_article)
    for action in (listing, showing):
        language.add_option(action)
        action.add_argument("--pack", action="append", default=[], metavar="DIR",
                            help="use the articles of this folder, too (repeatable)")


def list_articles(arguments: argparse.Namespace) -> int:
    """Print id and title of articles, a line each, by category; gives the exit status."""
    from assistant.guide import printable
    from assistant.render.cells import pad

    library = _library(arguments)
    lang = language.chosen(arguments.lang)
    articles = [article for article_id in library.ids()
                if (article := library.article(article_id, lang))]
    wanted = [word.casefold() for word in arguments.words]
    found = [article for article in articles if all(
        word in f"{article.id} {article.category} {article.title}".casefold() for word in wanted)]
    found.sort(key=lambda article: (article.category, article.id))
    columns = [max((len(text) for text in texts), default=0) for texts in (
        [article.category for article in found], [article.id for article in found])]
    output.emit("".join(
        f"{pad(a.category, columns[0])}  {pad(a.id, columns[1])}  {printable(a.title)}\n"
        for a in found))
    return 0


def show_article(arguments: argparse.Namespace) -> int:
    """Print an article; gives the exit status.

    Raises:
        UsageError: there is no such article.
    """
    library = _library(arguments)
    article = library.article(arguments.article, language.chosen(arguments.lang))
    if article is None:
        import difflib

        near = difflib.get_close_matches(arguments.article, library.ids(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see kbtriage kb list"
        raise UsageError(f"there is no article {arguments.article!r}; {hint}")
    output.emit(_text(article))
    return 0


def _library(arguments: argparse.Namespace) -> Library:
    from assistant import guide
    from assistant.rules import packs

    return guide.library(packs.layers(arguments.pack))


def _text(article: Article) -> str:
    """The article as Markdown, its placeholders as a reader should see them."""
    from assistant.guide import fill

    parts = [f"# {article.title}"]
    parts += [f"## {section.heading}\n\n{section.text.strip()}"
              for section in article.sections.values()]
    lines = "\n\n".join(parts).split("\n")
    return "\n".join(fill(line, {}) for line in lines) + "\n"
