# What a contributor runs often. Everything here is a command of the project: see README.md.
PYTHON ?= python3

.PHONY: help bench bench-full fuzz cuts

help:                ## What there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/'

bench:               ## check against ripgrep and grep on a small generated job, start-up
	$(PYTHON) bench/startup.py --runs 5
	$(PYTHON) bench/speed.py

bench-full:          ## the measurements kept in docs/performance.md (20 GB of disk, half an hour)
	$(PYTHON) bench/startup.py
	$(PYTHON) bench/speed.py --bytes-per-file 512M --memory 64M 256M 1G

fuzz:                ## fuzz all parsers for FUZZ_SECONDS (default 600; needs the extra `fuzz`)
	$(PYTHON) -m tests.fuzz.run

cuts:                ## check all cases, each cut off at 200 random places
	$(PYTHON) -m bench.cuts
