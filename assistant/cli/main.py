"""The command `kbtriage`: what every subcommand has in common, and how each of them ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from assistant import __version__
from assistant.cli import INTERRUPTED, output
from assistant.cli.parser import build_parser
from assistant.errors import UsageError

#: Exit status of a program that has a defect (EX_SOFTWARE).
DEFECT = 70


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments = build_parser(words).parse_args(words)
        status: int = arguments.run(arguments)
        return status
    except UsageError as error:
        output.complain(str(error))
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of standard output has seen enough
        output.forget_output()
        return 0
    except Exception:
        import traceback

        traceback.print_exc()
        output.complain(f"this is a defect of kbtriage {__version__}, not of your job; "
                        "please report the lines above")
        return DEFECT
    finally:
        output.flush()


if __name__ == "__main__":
    sys.exit(main())
