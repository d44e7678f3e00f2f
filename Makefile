# make demo, make test: each sets up what it needs, once.
VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
NATIVE := CMakeLists.txt $(wildcard csrc/*)

DEMO = Hi, I'm Laura Meier, 67, a retired nurse from Zurich, divorced with two children. I'm Swiss, \
my income is CHF 54,000 a year and I have diabetes. Can I open the Senior Saver account?

.PHONY: demo test lint clean
.DELETE_ON_ERROR:

demo: $(VENV)/.installed
	$(BIN)/privrag-fast models
	$(BIN)/privrag-fast ask "$(DEMO)" --corpus examples/corpus

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The build requirements go into the environment itself, so that llama.cpp is compiled once and the
# extension is linked to the very copy that runs. hnswlib comes as source too: setuptools since 70.1
# makes wheels without another package, and a new environment may have an older one.
$(VENV)/.requirements: pyproject.toml
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --upgrade "pip>=23.2"
	$(BIN)/python -m pip install cmake ninja "setuptools>=70.1" $$($(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	touch $@

$(VENV)/.installed: $(VENV)/.requirements $(NATIVE)
	$(BIN)/python -m pip install --no-build-isolation --editable ".[dev]" \
	  --config-settings=cmake.define.PRIVRAG_WERROR=ON
	touch $@

# What the benchmarks compare with and draw with: the extra of that name, and no new build.
$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install $$($(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])')
	touch $@

bench-%: $(VENV)/.bench
	$(BIN)/python benchmarks/bench_$*.py $(ARGS)

# Rivals in torch. Where this finds a build for GPUs, name another: make TORCH=...
TORCH ?= torch==2.13.0
$(VENV)/.bench-torch: $(VENV)/.bench
	$(BIN)/python -m pip install "$(TORCH)"
	$(BIN)/python -m pip install $$($(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench-torch"])')
	touch $@

# What waits must not spin: on few cores it would take them from whoever is measured.
bench-retrieval: export OMP_WAIT_POLICY := PASSIVE
bench-retrieval: $(VENV)/.bench-torch
	$(BIN)/python benchmarks/bench_retrieval.py $(ARGS)

# fast-gliner wants an older huggingface-hub than gliner: it gets an environment of its own.
$(VENV)/.bench-detector: $(VENV)/.bench-torch
	$(BIN)/python -m pip install $$($(BIN)/python -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench-detector"])')
	$(PYTHON) -m venv $(VENV)/fast-gliner
	$(VENV)/fast-gliner/bin/python -m pip install fast-gliner
	touch $@

bench-detector: export OMP_WAIT_POLICY := PASSIVE
bench-detector: $(VENV)/.bench-detector
	$(BIN)/python benchmarks/bench_detector.py \
	  --fast-gliner $(VENV)/fast-gliner/bin/python $(ARGS)

clean:
	rm -rf $(VENV) build dist
