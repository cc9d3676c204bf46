# Everything a person runs. Each target does its own set-up; what is up to date is not done again.
#   make serve    make test    make check    make format

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# The environment's programs come first, a Node.js that was installed there included.
export PATH := $(CURDIR)/$(BIN):$(PATH)

FRONTEND_SOURCES := $(shell find frontend \( -name node_modules -o -name dist -o -name tests \) -prune -o -type f -print)
BUILT := frontend/dist/manifest.json
NODE_MODULES := frontend/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help serve test check format bench fuzz soak audit load outage test-compose clean runtime development frontend
.DELETE_ON_ERROR:

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 16

serve: runtime frontend ## Set everything up and start the site (PORT=8000)
	@exec python -m tools.serve --port $(PORT)

test: development frontend ## Set everything up and run every test
	@if [ "$(CI)" = true ]; then python tools/programs.py; fi
	npm --prefix frontend --silent test
	@status=0; pytest --numprocesses 2 --no-loadscope-reorder || status=$$?; python tools/programs.py || status=1; exit $$status

check: development frontend ## Lint, types, imports, templates, front end
	ruff check .
	ruff format --check .
	mypy .
	lint-imports
	djlint --quiet --lint judge
	npm --prefix frontend --silent run lint
	npm --prefix frontend --silent run check

format: development $(NODE_MODULES) ## Format all source text
	ruff check --fix .
	ruff format .
	npm --prefix frontend --silent run format

bench: runtime frontend ## Measure; a table, and var/bench.json
	@python -m tools.bench

fuzz: development ## Fuzz every parser of the sandbox (CASES=100000 of each)
	@python -m tools.fuzz --cases $(or $(CASES),100000)

soak: development ## Judge thousands of submissions and count what is left over (JOBS=10000)
	@python -m tools.soak --jobs $(or $(JOBS),10000)

audit: development $(NODE_MODULES) ## Ask which packages have known vulnerabilities
	@python -m tools.audit

load: development frontend ## A class before a deadline: 200 learners, and what they wait (LEARNERS=200 MINUTES=2)
	@python -m tools.load --learners $(or $(LEARNERS),200) --minutes $(or $(MINUTES),2)

outage: development ## Kill every part while submissions go through (SUBMISSIONS=1000)
	@PAPERJUDGE_TEST_SUBMISSIONS=$(or $(SUBMISSIONS),1000) pytest tests/outage -s

test-compose: development ## Build docker-compose.yml and test it; needs a Docker engine
	@pytest tests/compose --timeout 3600

clean: ## Remove what was installed and built; var/ (database, secrets) stays
	rm -rf $(VENV) frontend/node_modules frontend/dist staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

runtime: $(VENV)/.runtime
development: $(VENV)/.development
frontend: $(BUILT)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "No virtual environment could be made. On Debian: sudo apt-get install python3-venv"; exit 1; }

$(VENV)/.runtime: requirements.txt tools/install.py | $(BIN)/python
	@$(BIN)/python tools/install.py packages requirements.txt
	@touch $@

$(VENV)/.development: requirements-dev.txt requirements.txt tools/install.py | $(BIN)/python
	@$(BIN)/python tools/install.py packages requirements-dev.txt
	@touch $(VENV)/.runtime $@

$(VENV)/.node: tools/install.py | $(BIN)/python
	@$(BIN)/python tools/install.py node
	@touch $@

$(NODE_MODULES): frontend/package-lock.json frontend/package.json $(VENV)/.node
	@echo "Installing the packages of the front end ..."
	@npm --prefix frontend ci --silent --no-audit --no-fund
	@touch $@

$(BUILT): $(FRONTEND_SOURCES) $(NODE_MODULES)
	@echo "Building the front end ..."
	@npm --prefix frontend --silent run build -- --logLevel warn
	@touch $@
