# On a fresh machine with Python >= 3.11 and make: `make run` and `make test` set everything up by themselves.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# pip need not compile: Python compiles a module when it is first imported, and compiling all of them takes longer than the rest.
# Python must then keep what it compiled, or every process that the tests start compiles all modules again.
export PYTHONDONTWRITEBYTECODE :=
PIP := pip --quiet --disable-pip-version-check install --no-compile
EDITABLE := --no-deps --no-build-isolation --no-index --editable .
QUICK := -n auto --dist worksteal -m "not slow"

.PHONY: run pages test test-slow test-newest test-lowest lock coverage fuzz torture lint types bench pictures docs-check site dist gambit-catalog notebooks json zero-intelligence values exploit judge ten forgetting strength large matches costs clean

run: .venv/run  ## Build the 3-sided game, write it, solve it, show the result.
	$(BIN)/liarsdice build --sides 3 -o game.efg
	$(BIN)/liarsdice solve game.efg

test: $(READY)  ## The tests of every day: all but the slow ones, properties with a tenth of their examples.
	$(BIN)/pytest $(QUICK)

test-slow: $(READY)  ## The tests that take longer, and every property with all of its examples.
	$(BIN)/pytest -n auto --dist worksteal -m "slow or hypothesis" --hypothesis-profile thorough

PRE ?=
UPGRADE := --upgrade --upgrade-strategy eager
test-newest: $(READY)  ## The quick tests with the newest releases of what users install, in build/newest, unless the lock has them; PRE=--pre takes pre-releases too.
	mkdir -p build
	$(BIN)/$(PIP) --dry-run --report build/newest.json $(UPGRADE) $(PRE) .
	$(BIN)/python requirements/differing.py build/newest.json > build/newest.txt
	@if test ! -s build/newest.txt; then echo "test-newest skipped: the lock has the newest releases"; else \
		{ test -x build/newest/bin/python || $(PYTHON) -m venv build/newest; } \
		&& build/newest/bin/$(PIP) --require-hashes --requirement requirements/dev.txt \
		&& build/newest/bin/$(PIP) $(UPGRADE) $(PRE) --editable . \
		&& NUMBA_CACHE_DIR=$(CURDIR)/build/newest/numba build/newest/bin/python -m pytest $(QUICK) && ended=0 || ended=1; \
		echo "test-newest: these releases differ from the lock:"; cat build/newest.txt; exit $$ended; fi

LOWEST_PYTHON ?= $(shell command -v python3.11 || echo $(PYTHON))
test-lowest: build/lowest/ready  ## The quick tests with the lowest versions that pyproject.toml allows, Python 3.11, and loops compiled for a plain processor.
	NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=$(CURDIR)/build/lowest/numba build/lowest/bin/python -m pytest $(QUICK)

build/lowest/ready: requirements/lowest.txt pyproject.toml
	test -x build/lowest/bin/python || $(LOWEST_PYTHON) -m venv build/lowest
	build/lowest/bin/$(PIP) --require-hashes --requirement $<
	build/lowest/bin/$(PIP) $(EDITABLE)
	touch $@

lock:  ## The files in requirements/ again, with the newest releases; prints what has no wheel for some system.
	$(PYTHON) -m venv build/uv
	build/uv/bin/$(PIP) --upgrade uv
	build/uv/bin/python requirements/make.py build/uv/bin/uv

HOURS ?= 1
fuzz: $(READY)  ## Every reader on changed inputs, for HOURS=1; what fails is kept in tests/fuzz/corpus.
	$(BIN)/python -m tests.fuzz --hours $(HOURS)

MINUTES ?= 10
torture: $(READY)  ## Commands that write, killed at random moments and on bad disks, for MINUTES=10.
	$(BIN)/python -m tests.torture --minutes $(MINUTES)

coverage: $(READY)  ## The lines and branches that the quick tests come to, package by package.
	mkdir -p build/coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(QUICK)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet -o build/coverage/coverage.json
	$(BIN)/python tests/support/coverage_table.py build/coverage/coverage.json

lint: $(READY)  ## Style and the law of imports.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

PAGES := tests/pages
NODE_MODULES := $(PAGES)/node_modules/.package-lock.json
pages: $(NODE_MODULES)  ## The scripts of the pages: lint, types and unit tests; needs Node.js 20 or newer.
	cd $(PAGES) && node_modules/.bin/biome lint --error-on-warnings . $(CURDIR)/liarsdice_cli/draw
	$(PAGES)/node_modules/.bin/tsc --project $(PAGES)
	cd $(PAGES) && node --test

$(NODE_MODULES): $(PAGES)/package-lock.json
	node --eval 'process.exitCode = Number(parseInt(process.versions.node) < 20)'
	npm ci --prefix $(PAGES) --no-audit --no-fund --silent
	touch $@

types: $(READY)  ## Types, strictly, as this system, Windows and macOS have them, under the oldest and the newest Python.
	$(BIN)/mypy
	$(BIN)/mypy --package liarsdice_cli --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/mypy --package liarsdice_cli --platform darwin --cache-dir .mypy_cache/darwin --python-version 3.14

bench: $(READY)  ## Speed, as ratios in one run; OpenSpiel is only needed to compare with.
	$(MAKE) .venv/compare || echo "running without OpenSpiel"
	$(BIN)/python benchmarks/run.py

pictures: $(READY)  ## The pictures of the README; the explorer's needs a browser.
	$(BIN)/python docs/pictures/make.py

docs-check: $(READY)  ## Compiles a TikZ picture in a plain article, where TeX is installed.
ifeq ($(shell command -v pdflatex),)
	@echo "docs-check skipped: there is no pdflatex to compile a TikZ picture with"
else
	mkdir -p build/docs-check
	$(BIN)/liarsdice draw --sides 2 -o build/docs-check/tree.tex
	cd build/docs-check && printf '%s\n' '\documentclass{article}' '\usepackage{tikz}' '\usepackage[margin=1cm,paperwidth=32cm,paperheight=32cm]{geometry}' \
		'\begin{document}' '\input{tree}' '\end{document}' > article.tex
	cd build/docs-check && pdflatex -interaction=nonstopmode -halt-on-error article.tex > compiled.txt || { tail -n 20 compiled.txt; exit 1; }
	@echo "docs-check: the TikZ picture compiles, see build/docs-check/article.pdf"
endif

dist: $(READY)  ## The wheel and the source distribution, in dist/, looked at, installed alone and tried.
	rm -rf dist
	LIARSDICE_DIST=dist $(BIN)/pytest -m slow tests/test_distribution.py

gambit-catalog: $(READY)  ## The games that are ready for Gambit's catalogue, in docs/gambit-catalog.
	$(BIN)/python docs/gambit-catalog/make.py

site: .venv/site  ## The documentation site in build/site; needs no network once what it is built with is installed.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --config-file site/mkdocs.yml
	@echo "site: see build/site/index.html"

notebooks: .venv/notebooks  ## The notebooks with their outputs again.
	PYTHONPATH=$(CURDIR) $(BIN)/python -m tests.library.test_notebooks

json: $(READY)  ## docs/json.md and docs/schemas, from the classes of the documents.
	$(BIN)/python site/json_reference.py

zero-intelligence: $(READY)  ## The table and the picture in docs/zero-intelligence.md again; minutes of simulation.
	$(BIN)/python benchmarks/zero_intelligence.py

values: $(READY)  ## What docs/values.csv lacks of the table of values, and the tables in docs/results.md.
	$(BIN)/python benchmarks/values.py

exploit: $(READY)  ## The tables and the pictures in docs/exploit.md again, with what docs/safe.csv lacks; a quarter of an hour.
	$(BIN)/python benchmarks/exploit.py
	$(BIN)/python benchmarks/safe.py

strength: $(READY)  ## What docs/strength.csv lacks of the tables in docs/strength.md; minutes a line.
	$(BIN)/python benchmarks/strength.py

large: $(READY)  ## What docs/large-games.csv lacks of the tables in docs/results.md; minutes a line, hours for all.
	$(BIN)/python benchmarks/large.py

matches: $(READY)  ## Who wins a match from where: docs/match-*.csv and .svg, the tables of docs/results.md; hours for rounds that are not known.
	$(BIN)/python benchmarks/matches.py

costs: $(READY)  ## What docs/costs.csv lacks, the table of docs/results.md, and the model of `liarsdice info`; an hour for all.
	$(BIN)/python benchmarks/costs.py

judge: $(READY)  ## What docs/judge.csv lacks of the table in docs/results.md; minutes a line.
	$(BIN)/python benchmarks/judge.py

ten: $(READY)  ## What docs/liarsdice-ten.csv lacks of the table in docs/judge.md; MCCFR needs OpenSpiel.
	$(BIN)/python benchmarks/ten.py

forgetting: $(READY)  ## What docs/forgetting.csv and docs/forgetting-bounds.csv lack of the tables and the picture in docs/results.md; minutes a line.
	$(BIN)/python benchmarks/forgetting.py
	$(BIN)/python benchmarks/forgetting_bounds.py

# Exact versions with hashes: what running needs, what tests and checks need beside it, and each extra.
.venv/run: requirements/run.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/$(PIP) --require-hashes --requirement $<
	$(BIN)/$(PIP) $(EDITABLE)
	touch $@

$(READY): requirements/dev.txt .venv/run
	$(BIN)/$(PIP) --require-hashes --requirement $<
	touch $@

.venv/%: requirements/%.txt .venv/run
	$(BIN)/$(PIP) --require-hashes --requirement $<
	touch $@

clean:
	rm -rf .venv build dist game.efg
