"""Completion scripts for bash, zsh and fish, written from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option or positional argument.

    Attributes:
        flags: its spellings, empty for a positional argument.
        help: what it does, in one line.
        value: whether a value follows. choices: the values, empty where any file will do.
    """

    flags: tuple[str, ...]
    help: str
    value: bool
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its words (`("kbtriage", "kb", "show")`), and what may follow them."""

    path: tuple[str, ...]
    options: tuple[Option, ...]
    subcommands: tuple[tuple[str, str], ...]

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """Words that may stand next, each with its help: subcommands or fixed choices."""
        fixed = ((choice, "") for option in self.options if not option.flags
                 for choice in option.choices)
        return self.subcommands + tuple(fixed)


def commands(parser: argparse.ArgumentParser, path: Sequence[str] = ()) -> Iterator[Command]:
    """The command of a parser and all below it, each before its subcommands."""
    here = (*path, parser.prog.split()[-1])
    options: list[Option] = []
    below: list[tuple[str, str]] = []
    parsers: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers = dict(action.choices)
            below = [(choice.dest, _one_line(choice.help)) for choice in action._get_subactions()]
        elif action.help != argparse.SUPPRESS:
            options.append(Option(tuple(action.option_strings), _one_line(action.help),
                                  action.nargs != 0, tuple(map(str, action.choices or ()))))
    yield Command(here, tuple(options), tuple(below))
    for child in parsers.values():
        yield from commands(child, here)


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for `bash`, `zsh` or `fish`. Raises KeyError for another shell."""
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    return "\n".join(writers[shell]([*commands(parser)])) + "\n"


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _walk(known: Sequence[Command], word: str) -> Iterator[str]:
    """A shell loop's body: `here` grows by each word that names a subcommand."""
    names = "|".join(f'"{" ".join(command.path)}"' for command in known[1:])
    yield f'    case "$here {word}" in'
    yield f'      {names}) here="$here {word}" ;;'
    yield "    esac"


def _bash(known: Sequence[Command]) -> Iterator[str]:
    yield "# bash completion for kbtriage; load it with:  source <(kbtriage completion bash)"
    yield "_kbtriage() {"
    yield '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '  local here="kbtriage" words="" i'
    yield "  for ((i = 1; i < COMP_CWORD; i++)); do"
    yield from _walk(known, "${COMP_WORDS[i]}")
    yield "  done"
    yield '  case "$here $prev" in'
    for command in known:
        for option in command.options:
            if option.flags and option.value:
                label = "|".join(f'"{" ".join((*command.path, flag))}"' for flag in option.flags)
                source = f"-W '{' '.join(option.choices)}'" if option.choices else "-f"
                yield f"    {label})"
                yield f'      mapfile -t COMPREPLY < <(compgen {source} -- "$cur"); return ;;'
    yield "  esac"
    yield '  if [[ $cur == -* ]]; then case "$here" in'
    for command in known:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        yield f"    \"{' '.join(command.path)}\") words='{flags}' ;;"
    yield '  esac; else case "$here" in'
    for command in known:
        if command.words:
            words = " ".join(word for word, _ in command.words)
            yield f"    \"{' '.join(command.path)}\") words='{words}' ;;"
    yield "  esac; fi"
    yield '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")'
    yield "}"
    yield "complete -o bashdefault -o default -F _kbtriage kbtriage"


def _zsh(known: Sequence[Command]) -> Iterator[str]:
    yield "#compdef kbtriage"
    yield "# zsh completion for kbtriage; load it with:  source <(kbtriage completion zsh)"
    yield "_kbtriage() {"
    yield '  local here="kbtriage" cur="${words[CURRENT]}" prev="${words[CURRENT-1]}" i'
    yield "  local -a found"
    yield "  for ((i = 2; i < CURRENT; i++)); do"
    yield from _walk(known, "${words[i]}")
    yield "  done"
    yield '  case "$here $prev" in'
    for command in known:
        for option in command.options:
            if option.flags and option.value:
                label = "|".join(f'"{" ".join((*command.path, flag))}"' for flag in option.flags)
                yield f"    {label}) {_zsh_values(option)}; return ;;"
    yield "  esac"
    yield '  if [[ "$cur" == -* ]]; then case "$here" in'
    for command in known:
        flags = [(flag, option.help) for option in command.options for flag in option.flags]
        yield f'    "{" ".join(command.path)}") found=({_zsh_list(flags)}) ;;'
    yield '  esac; else case "$here" in'
    for command in known:
        if command.words:
            yield f'    "{" ".join(command.path)}") found=({_zsh_list(command.words)}) ;;'
    yield "  esac; fi"
    yield "  if (( ${#found} )); then _describe 'kbtriage' found; else _files; fi"
    yield "}"
    yield 'if [[ "${funcstack[1]}" == _kbtriage ]]; then'
    yield "  _kbtriage"
    yield "else"
    yield "  compdef _kbtriage kbtriage"
    yield "fi"


def _zsh_values(option: Option) -> str:
    return f"compadd -- {' '.join(option.choices)}" if option.choices else "_files"


def _zsh_list(words: Sequence[tuple[str, str]]) -> str:
    return " ".join(_quoted(f"{word}:{text}" if text else word) for word, text in words)


def _fish(known: Sequence[Command]) -> Iterator[str]:
    yield "# fish completion for kbtriage; load it with:  kbtriage completion fish | source"
    for command in known:
        seen = [f"__fish_seen_subcommand_from {word}" for word in command.path[1:]]
        if command.subcommands:
            names = " ".join(name for name, _ in command.subcommands)
            seen.append(f"not __fish_seen_subcommand_from {names}")
        where = f"complete -c kbtriage -n {_quoted('; and '.join(seen))}" if seen else (
            "complete -c kbtriage")
        for word, text in command.words:
            yield f"{where} -f -a {_quoted(word)}" + (f" -d {_quoted(text)}" if text else "")
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                             for flag in option.flags)
            if not flags:
                continue
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else (
                " -r" if option.value else "")
            yield f"{where} {flags}{value} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    """Text in single quotes, for zsh and fish alike."""
    return "'" + text.replace("'", "'\"'\"'") + "'"
