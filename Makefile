# Seatwatch. `make run` and `make test` are all a newcomer needs; each sets up what it uses.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FUZZ := .venv-fuzz
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Any flag of `seatwatch serve`: make run ARGS="--logs DIR --no-open"
ARGS ?=

.PHONY: help run test setup check nightly fuzz audit format lock browser prometheus bench coverage messages pictures reference clean

help:  ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

run: $(VENV)/.run  ## set up, find the logs, serve the page
	@$(BIN)/seatwatch serve $(ARGS)

test: setup browser prometheus  ## set up, then run every test
	@$(BIN)/pytest

setup: $(VENV)/.dev  ## make .venv with the tools of development in it

check: setup  ## ruff, mypy, import contracts, schema against migrations
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/alembic check

format: setup  ## let ruff format and sort
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

lock:  ## resolve the dependencies again; the locks hold versions and hashes, no address
	uv pip compile pyproject.toml --group build $(LOCK) -o requirements.txt
	uv pip compile pyproject.toml --all-extras --group build --group dev $(LOCK) -o requirements-dev.txt
	uv pip compile --group pyproject.toml:fuzz $(LOCK) -o requirements-fuzz.txt
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet

nightly: setup  ## follow a writer through 200 random runs of rotations and kills, with other seeds each day
	@FAULT_RUNS=200 FAULT_SEED=$${FAULT_SEED:-$$(date +%Y%m%d)000} $(BIN)/pytest tests/faults

fuzz: setup $(FUZZ)/.done  ## look for bytes that break the chain, and for requests that break the page: FUZZ_SECONDS, 600
	@$(FUZZ)/bin/python -m tests.fuzz.parser_target $${FUZZ_SECONDS:-600}
	@FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-200} $(BIN)/pytest tests/fuzz --timeout=3600

audit: setup  ## ask whether a version in the locks has a known fault; needs the network
	@for lock in requirements.txt requirements-dev.txt requirements-fuzz.txt; do \
	  echo $$lock; $(BIN)/pip-audit --strict --require-hashes --disable-pip -r $$lock || exit 1; done

coverage: setup  ## hold each core module to full coverage by its own tests
	@$(BIN)/python -m tests.own_coverage

bench: setup browser  ## measure everything; a quarter of an hour on a quiet machine
	@$(BIN)/python -m tests.benchmarks $(ARGS)

messages: setup  ## look for messages in the page, and compile the catalogues
	@$(BIN)/python -m tests.messages

pictures: setup browser  ## take the pictures in docs/
	@$(BIN)/python -m tests.pictures

reference: setup  ## write docs/reference from the code
	@$(BIN)/python -m tests.references

browser:  ## a Chromium for the browser tests
	@$(BIN)/python tests/browser.py

prometheus:  ## a Prometheus for the tests of metrics and rules
	@$(BIN)/python -m tests.promtool

clean:  ## remove what `make` made
	rm -rf $(VENV) $(FUZZ) .fuzz .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Seatwatch needs Python 3.11 or newer; $(PYTHON) is older. Install one and run: make PYTHON=python3.12 run"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python cannot make environments here. On Debian and Ubuntu: apt-get install python3-venv"; exit 2; }

$(VENV)/.run: requirements.txt pyproject.toml | $(BIN)/python
	@echo "Setting up .venv (once)"
	@$(PIP) install --require-hashes -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	@$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@

$(FUZZ)/.done: requirements-fuzz.txt | $(BIN)/python
	@$(PYTHON) -m venv $(FUZZ)
	@$(FUZZ)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements-fuzz.txt
	@touch $@
