"""`python -m assistant` is the command `kbtriage`."""

from __future__ import annotations

import sys

from assistant.cli.entry import run

sys.exit(run())
