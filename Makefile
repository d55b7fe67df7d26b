# `make demo` and `make test` need Python 3.11 or newer and nothing else: they make `.venv` themselves.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SEED ?= 0

# The first that really runs: a name on the PATH may be a shim without a Python behind it.
PYTHON ?= $(shell for python in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

.PHONY: demo test lint format bench bench-emitted docs stdlib scripts opinfo fuzz fuzz-scripts fuzz-places fuzz-splits differential imports clean
.DELETE_ON_ERROR:

# torch first and alone: so pip takes the build for CPUs from its configured places, where there is one.
$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq torch==2.13.0
	$(BIN)/python -m pip install -qq -e '.[dev]'
	@touch $@

demo: $(STAMP)
	@$(BIN)/python -m tests.demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Compiled files are kept, whatever the surroundings say: the tests start the command many times.
test: export PYTHONDONTWRITEBYTECODE =
test: lint
	$(BIN)/python -m pytest -n 2

# `make bench CORPUS="repos/*"`: real programs, too.
bench: $(STAMP)
	$(BIN)/python -m benchmarks.convert_speed $(CORPUS)

# Translated training steps beside the same by hand, and beside torch: `make bench-emitted ARGS="mlp gpt --small --target nnx"`.
bench-emitted: $(STAMP)
	$(BIN)/python -m benchmarks.emitted --torch $(ARGS)

# The pages that are generated from the tables and by the translator.
docs: $(STAMP)
	$(BIN)/python -m tools.documents

# Every file of the standard library, where `make test` takes a sample.
stdlib: $(STAMP)
	TORCH2JAX_STDLIB=all $(BIN)/python -m pytest -n 2 tests/properties/test_stdlib.py

# Every script with every target, where `make test` takes two thirds, and a quarter of those beside Equinox.
scripts: $(STAMP)
	T2J_TARGETS=all $(BIN)/python -m pytest -n 2 tests/scripts

# Many examples of every row of the tables, where `make test` takes a few: `make rows EXAMPLES=50`.
EXAMPLES ?= 20
rows: $(STAMP)
	T2J_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -n 2 tests/ops/test_rows.py

# Every operator of torch's own database, in all its forms: `make opinfo ARGS="--ops 'nn.*' --text report.txt"`.
opinfo: $(STAMP)
	$(BIN)/python -m tests.opinfo $(ARGS)

# Random programs: `make fuzz MINUTES=60 SEED=1`; failing ones come, made small, to build/fuzz.
MINUTES ?= 1
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED) $(ARGS)

# Whole scripts with training loops: `make fuzz-scripts MINUTES=60 SEED=1`; failing ones come, made small, to build/fuzz_scripts.
fuzz-scripts: $(STAMP)
	$(BIN)/python -m tests.fuzz.scripts --minutes $(MINUTES) --seed $(SEED) $(ARGS)

# Where something lies, how it is changed, in whose code, and who looks at it: `make fuzz-places MINUTES=60 SEED=1 ARGS="--target nnx"`;
# failing scripts come to build/fuzz_places.
fuzz-places: $(STAMP)
	$(BIN)/python -m tests.fuzz.places --minutes $(MINUTES) --seed $(SEED) $(ARGS)

# Scripts of the tests laid into several files: `make fuzz-splits MINUTES=60 SEED=1 ARGS="--target nnx"`; layouts that do worse than the
# script alone come to build/fuzz_splits.
fuzz-splits: $(STAMP)
	$(BIN)/python -m tests.fuzz.splits --minutes $(MINUTES) --seed $(SEED) $(ARGS)

# What two checkouts make of the same files: `make differential ARGS="main . --folder ../repositories"`.
differential: $(STAMP)
	$(BIN)/python -m tools.differential $(ARGS)

# Whether what comes out without an error can be imported: `make imports FOLDERS="../repositories/*"`.
imports: $(STAMP)
	$(BIN)/python -m tools.import_check $(FOLDERS)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build/compiled
