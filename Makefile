# Each target prepares .venv itself, and again only when the requirements changed.
# Windows has no make of its own: README.md and docs/install.md list the same commands without it.
# make setup INSTALLER=pip: without uv. make setup TORCH=cpu: on Linux torch without CUDA; what .venv holds is kept.

# The first Python from 3.11 to 3.13 on the path (a Mac's own python3 is often 3.9, so it is asked, not assumed).
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python3.13 python, \
	$(shell $(name) -c 'import sys; (3, 11) <= sys.version_info < (3, 14) and print("$(name)")' 2>/dev/null)))

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := .venv/.ready

INSTALLER ?= uv
INSTALL = @test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 found: install one, or say make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)."; exit 1; }; \
	$(PYTHON) tools/install.py --installer $(INSTALLER) $(if $(TORCH),--torch $(TORCH))

.DEFAULT_GOAL := help
.PHONY: help lab run test test-all soak site bundle-test bench audit setup lint gpu gpu-records freeze new-chapter new-exercise clean

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

lab: $(READY) ## open JupyterLab on your copies in work/, the start page beside chapter 00; on this machine only
	@$(BIN)/course lab

run: $(READY) ## execute every chapter as it is, some side by side; report in build/run
	@$(BIN)/course run --out build/run

test: $(READY) ## the lint, and the tests and notebooks that a change may have altered; SINCE=main says since when
	@$(BIN)/python tools/testing/all.py --changed $(if $(SINCE),--since $(SINCE))

test-all: $(READY) ## lint, unit tests, exercises, a real browser, every notebook compared and every notebook solved
	@$(BIN)/python tools/testing/all.py

soak: $(READY) ## all that may go wrong, tried as often as was asked, in one table: long
	@$(BIN)/python tools/testing/soak.py

bundle-test: $(READY) ## make a bundle for a room, install it where no network is, run 00 and 05; 3.3 GB, 14 GB of disk
	@$(BIN)/python tools/testing/bundle.py $(if $(TORCH),--torch $(TORCH))

site: $(READY) ## the series as a website, from the outputs that are kept, in build/site/html
	@$(BIN)/python web/build.py

bench: $(READY) ## measure the figures the course claims, keep them, and write the table in benchmarks/README.md
	@$(BIN)/python benchmarks/all.py

audit: $(READY) ## known holes in the pinned packages, asked of pip-audit; needs a network
	@$(BIN)/python tools/audit.py

setup: ## prepare .venv: the pinned packages and the course itself
	$(INSTALL)

lint: $(READY) ## ruff on code and notebooks, actionlint on the workflows, hadolint on the Dockerfile
	@$(BIN)/python tools/testing/all.py lint

gpu: $(READY) ## execute every chapter, solved, on a CUDA device
	@$(BIN)/course run --device cuda --answers solved --out build/gpu

gpu-records: $(READY) ## keep all that the course says of a GPU in data/recorded, within 25 minutes
	@$(BIN)/python tools/record/everything.py

freeze: $(READY) ## write requirements.txt anew from what .venv holds
	@$(BIN)/python tools/freeze.py

new-chapter: $(READY) ## begin a chapter from a template: make new-chapter NUMBER=14 NAME=audio
	@$(BIN)/python tools/new.py chapter $(NUMBER) $(NAME)

new-exercise: $(READY) ## begin an exercise from a template: make new-exercise CHAPTER=05 NAME=clip
	@$(BIN)/python tools/new.py exercise $(CHAPTER) $(NAME)

clean: ## remove what runs and tests leave behind; .venv, data and your notebooks stay
	rm -rf build results notebooks/results .pytest_cache .ruff_cache
	find course_utils lessonkit torch_clinic answers benchmarks scripts tests tools web -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): requirements.txt requirements-cpu.txt pyproject.toml tools/install.py lessonkit/system/pip_settings.py
	$(INSTALL)
