"""`kbtriage kb`: list the articles of the knowledge base, search them, and read one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from assistant.cli import language, options, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.guide import Article, Library

_EPILOG = """\
examples:
  kbtriage kb list                    all articles
  kbtriage kb list port               those whose id or title holds `port`
  kbtriage kb search scheduler port   those that speak of it, best first
  kbtriage kb search 端口被占用         ... in either language
  kbtriage kb search EI0006           ... by an error code
  tail worker_3.log | kbtriage kb search -      ... by a message
  kbtriage kb show port-in-use        read one
  kbtriage kb show port-in-use --lang zh"""
#: From so many words on a query is taken for a message from a log.
_MESSAGE = 5


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "kb", help="list, search and read the articles of the knowledge base",
        description="Lists, searches and shows the articles that findings point to.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list articles")
    listing.add_argument("words", nargs="*", metavar="WORD",
                         help="only articles whose id, category or title holds every WORD")
    listing.set_defaults(run=list_articles)
    searching = actions.add_parser(
        "search", help="search articles and error codes",
        description="Searches articles and error codes in both languages, by words, by a code "
                    "or by a message from a log. Exit status 1 if nothing is found.")
    searching.add_argument("words", nargs="+", metavar="WORD",
                           help="words, codes, a message; - reads it from standard input")
    searching.add_argument("-n", "--limit", type=options.positive, default=8, metavar="N",
                           help="show N at most (default: 8)")
    searching.add_argument("--format", choices=("terminal", "json"), default="terminal",
                           help="form of the answer (default: terminal)")
    options.add_colour(searching)
    searching.set_defaults(run=search_articles)
    showing = actions.add_parser("show", help="show an article")
    showing.add_argument("article", metavar="ID", help="id of the article")
    showing.set_defaults(run=show_article)
    for action in (listing, searching, showing):
        options.add_lang(action)
        options.add_packs(action, "use the articles of this folder, too (repeatable)")


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
        if _is_code(arguments):
            hint = f"it is an error code: kbtriage explain-code {arguments.article}"
        raise UsageError(f"there is no article {arguments.article!r}; {hint}")
    output.emit(_text(article))
    return 0


def _is_code(arguments: argparse.Namespace) -> bool:
    """Whether the word that was given for an article is an error code."""
    from assistant import guide, rules
    from assistant.guide import codes
    from assistant.rules import packs

    layers = packs.layers(arguments.pack)
    ruleset = rules.load(layers)
    return codes.explain(arguments.article, ruleset, guide.library(layers, ruleset.refused),
                         language.chosen(arguments.lang)) is not None


def search_articles(arguments: argparse.Namespace) -> int:
    """Print what fits the words, best first; gives the exit status.

    Raises:
        UsageError: there is nothing to search for.
    """
    from assistant import pipeline
    from assistant.render import hits as shown

    query = " ".join(arguments.words)
    if query == "-":
        query = sys.stdin.read() if sys.stdin is not None else ""
    if not query.strip():
        raise UsageError("there is nothing to search for; give words, a code or a message")
    lang = language.chosen(arguments.lang)
    knowledge = pipeline.Knowledge(arguments.pack)
    recognised = (pipeline.recognise(query, knowledge.rules)
                  if len(query.split()) >= _MESSAGE else ())
    found = knowledge.search.find(query, lang=lang, limit=arguments.limit,
                                  recognised=recognised)
    if arguments.format == "json":
        from assistant.render.as_json import dumps

        output.emit(dumps(shown.to_dict(found, query, lang)) + "\n")
    else:
        output.emit(shown.terminal(found, lang, output.width(None),
                                   output.use_colour(arguments.color, None)))
    if not found:
        output.complain("nothing speaks of it; try other words, or see kbtriage kb list")
    return 0 if found else 1


def _library(arguments: argparse.Namespace) -> Library:
    from assistant import guide, rules
    from assistant.rules import packs

    layers = packs.layers(arguments.pack)
    return guide.library(layers, rules.load(layers).refused)


def _text(article: Article) -> str:
    """The article as Markdown, its placeholders as a reader should see them."""
    from assistant.guide import fill

    parts = [f"# {article.title}"]
    parts += [f"## {section.heading}\n\n{section.text.strip()}"
              for section in article.sections.values()]
    lines = "\n\n".join(parts).split("\n")
    return "\n".join(fill(line, {}) for line in lines) + "\n"
