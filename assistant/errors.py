"""Errors that a person can act on: each says what is wrong, where, and the cure."""

from __future__ import annotations


class UsageError(Exception):
    """The call or its input cannot be used; the command line prints the message and exits with 2.

    The message is complete in itself: it names the file (and the line where there is
    one), says what is wrong and what to do about it.
    """
