# What a contributor runs often. Everything here is a command of the project: see README.md.
PYTHON ?= python3

.PHONY: help bench bench-full fuzz cuts guards lock sbom bundle

help:                ## What there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/'

bench:               ## check against ripgrep and grep on a small generated job, start-up
	$(PYTHON) bench/startup.py --runs 5
	$(PYTHON) bench/speed.py

bench-full:          ## the measurements kept in docs/performance.md (20 GB of disk, ten minutes)
	$(PYTHON) bench/startup.py
	$(PYTHON) bench/speed.py --bytes-per-file 512M --memory 64M 256M 1G

fuzz:                ## fuzz all parsers for FUZZ_SECONDS (default 600; needs the extra `fuzz`)
	$(PYTHON) -m tests.fuzz.run

cuts:                ## check all cases, each cut off at 200 random places
	$(PYTHON) -m bench.cuts

guards:              ## take each guard against hostile input and faults away and see its test fail
	$(PYTHON) -m tests.guards

lock:                ## write the lists of exact versions in requirements/ (needs uv)
	packaging/lock.sh

sbom:                ## write dist/sbom.json, the bill of materials (needs cyclonedx-bom)
	mkdir -p dist
	packaging/sbom.sh dist/sbom.json

bundle:              ## pack wheels and a script for machines without a network into dist/
	PYTHON=$(PYTHON) packaging/bundle.sh
