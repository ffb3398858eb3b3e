"""The command line: one module a command, and what commands share."""

#: Exit status of a program that was ended by Ctrl-C.
INTERRUPTED = 130
