"""`kbtriage completion`: print a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse

from assistant.cli import output

_EPILOG = """\
examples:
  source <(kbtriage completion bash)        now, in this shell
  kbtriage completion bash > ~/.local/share/bash-completion/completions/kbtriage
  kbtriage completion zsh > "${fpath[1]}/_kbtriage"
  kbtriage completion fish > ~/.config/fish/completions/kbtriage.fish"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "completion", help="print a completion script for a shell",
        description="Prints a script that completes kbtriage's commands and options.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the script; gives the exit status."""
    from assistant.cli.completion import script

    output.emit(script(arguments.shell, arguments.whole()))
    return 0
