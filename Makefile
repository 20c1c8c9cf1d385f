# On a fresh machine with Python >= 3.11 and make: `make run` and `make test` set everything up by themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: run test test-slow lint types bench zero-intelligence clean

run: $(READY)  ## Build the 3-sided game, write it, solve it, show the result.
	$(BIN)/liarsdice build --sides 3 -o game.efg
	$(BIN)/liarsdice solve game.efg

test: $(READY)  ## The tests that take a few minutes.
	$(BIN)/pytest -n auto -m "not slow"

test-slow: $(READY)  ## The few tests that take longer.
	$(BIN)/pytest -n auto -m slow

lint: $(READY)  ## Style and the law of imports.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

bench: $(READY)  ## Speed, as ratios in one run; OpenSpiel is only needed to compare with.
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[bench]" || echo "running without OpenSpiel"
	$(BIN)/python benchmarks/run.py

zero-intelligence: $(READY)  ## The table and the picture in docs/zero-intelligence.md again; minutes of simulation.
	$(BIN)/python benchmarks/zero_intelligence.py

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

clean:
	rm -rf .venv build dist game.efg
