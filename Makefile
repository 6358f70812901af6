# The book from the command line. 'make help' lists what there is.
PYTHON ?= python3
PORT ?= 8000
# For two cores; with more of them half again as many. Browsers and kernels are processes of their own, for which a worker waits.
WORKERS ?= 3
PY := .venv/bin/python
INSTALLED := .venv/.installed
PEERS := .venv-peers
NEWEST := .venv-sphinx
SECONDS_SINCE = $$(( $$(date +%s) - $$begun )) s

# One thread for each process: faster at these sizes than several, and sums that do not change.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Bytecode is kept, or each of hundreds of processes compiles library, press and tests anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: book html pdf serve fast quick test nightly newest-sphinx release bench bench-peers answers check lock refresh seeds offdefault paper \
	attack mutants read clean help
.NOTPARALLEL:

book: $(INSTALLED) ## run every chapter that is not up to date, check the claims, build the pages
	@$(PY) -m reproduce build $(if $(JOBS),--jobs $(JOBS))

html: $(INSTALLED) ## build the pages from the stored outputs; nothing is run
	@$(PY) -m reproduce html

pdf: $(INSTALLED) ## set the stored book and each chapter as a PDF by LaTeX, in _build/pdf; nothing is run
	@$(PY) -m reproduce pdf

serve: ## serve the built pages on this machine (PORT=8000)
	@case "$(PORT)" in *[!0-9]* | "" | ??????*) false ;; *) test "$(PORT)" -ge 1 -a "$(PORT)" -le 65535 ;; esac || \
		{ echo "error: PORT=$(PORT) is not a port: it must be a whole number from 1 to 65535" >&2; exit 1; }
	@test -f _build/html/index.html || $(MAKE) --no-print-directory html
	@echo "serving http://localhost:$(PORT), Ctrl-C stops"
	@$(PY) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html >/dev/null 2>&1 || test $$? -eq 130 || \
		{ echo "error: port $(PORT) is not free; choose another with PORT=" >&2; exit 1; }

# Stored notebooks among the files are executed anew and compared.
PYTEST = $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -q -p no:benchmark \
	--nbval --nbval-current-env --nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-cell-timeout 300

fast: $(INSTALLED) ## compile steps of flows for this machine (CC=cc); the library then takes them by itself, the same to 1e-14
	@$(PY) -m implicit_bias.compiled

quick: $(INSTALLED) ## lint, and the tests of the files that differ from the last commit, or of those it changed (WORKERS=3)
	@$(PY) -m ruff check --quiet .
	@touched="$$($(PY) tests/touched.py)"; \
	test -n "$$touched" || { echo "what was touched has no test of its own: make test"; exit; }; \
	$(PYTEST) -m "not nightly" --seconds 40 -rs $$touched || test $$? -eq 5  # none of them is left by day

test: $(INSTALLED) ## check what a commit can break: library, press, chapters against their stored outputs, some ten pages (WORKERS=3)
	@$(PYTEST) -m "not nightly" tests chapters

nightly: $(INSTALLED) ## check everything: all cases and notebooks, all pages in a browser, drawn mutants, some attacks (WORKERS=3)
	@MUTANTS=drawn $(PYTEST) --every-notebook tests evidence chapters
	@PYTHONPATH=tests:evidence $(PY) -m attacks --cases 300 --kills 5 --no-write --folder _build/nightly
	@$(MAKE) --no-print-directory newest-sphinx

newest-sphinx: $(NEWEST)/.installed ## build the pages by the newest Sphinx, which Jupyter Book 1 does not allow yet
	@$(PY) tests/newest_sphinx.py $(NEWEST)/bin/python

# A campaign's findings and the target that makes them, the longest first.
CAMPAIGNS = mutants:mutants seeds:seeds paper:paper attacks:attack off_default:offdefault benchmarks:bench pages:read

release: $(INSTALLED) ## run every campaign whose findings are of older code, the longest first; goes on where it was stopped
	@failed=; for one in $(CAMPAIGNS); do \
		$(PY) -m reproduce evidence $${one%%:*} && continue; \
		$(MAKE) --no-print-directory $${one##*:} || failed="$$failed $${one##*:}"; \
	done; \
	$(PYTEST) evidence/test_records.py evidence/test_tolerances.py evidence/test_drawn_again.py && test -z "$$failed" || \
		{ echo "error: not in order:$$failed" >&2; exit 1; }

# Every library chooses its instructions for the processor itself, as for its users.
OWN_CHOICE = env $(addprefix -u ,OPENBLAS_CORETYPE OPENBLAS_L2_SIZE NPY_DISABLE_CPU_FEATURES ATEN_CPU_CAPABILITY)
BENCH = -m pytest benchmarks -q --keep-times --benchmark-columns=median,iqr,rounds \
	--benchmark-storage=file://./_build/benchmarks

bench: $(INSTALLED) ## time the library against what one would otherwise run, and keep it for the book ('make fast' before)
	@$(OWN_CHOICE) $(PY) $(BENCH)

bench-peers: $(PEERS)/.installed ## the same, and against JAX, diffrax, celer, skglm, PyHessian, curvlinops in an environment of their own
	@$(OWN_CHOICE) $(PEERS)/bin/python $(BENCH)

answers: $(INSTALLED) ## write the certified answers of answers/ again, at the chapters' default parameters
	@$(PY) -m answers

check: $(INSTALLED) ## execute the chapter of a claim anew and compare (CLAIM=max_margin.direction; without: all claims)
	@$(PY) -m reproduce check $(CLAIM)

lock: $(INSTALLED) ## write requirements.txt, and with hashes requirements-hashed.txt, from the ranges in pyproject.toml (UPGRADE=1: with newer versions)
	@mkdir -p _build
	@cp requirements.txt _build/requirements.txt
	@echo "resolving; this takes a minute or two"
	@$(PY) -m piptools compile --quiet --all-extras --strip-extras --no-header --no-annotate --no-emit-index-url \
		--no-emit-trusted-host --no-emit-find-links $(if $(UPGRADE),--upgrade) --output-file _build/requirements.txt pyproject.toml
	@{ echo "# Written by 'make lock' from the ranges in pyproject.toml."; \
		echo "# torch without its CUDA packages: the build that pip finds brings its own."; \
		sed -e 's/+cpu$$//' _build/requirements.txt | grep -E -v '^(#|$$|nvidia-|cuda-|triton)'; } > _build/lock.txt
	@mv _build/lock.txt requirements.txt
	@rm _build/requirements.txt
	@$(PY) -m pip install -qq --disable-pip-version-check --upgrade --target _build/uv uv
	@_build/uv/bin/uv pip compile --quiet --universal --python-version 3.11.5 --generate-hashes --all-extras --no-header --no-annotate \
		--constraints requirements.txt --output-file _build/hashed.txt pyproject.toml
	@{ echo "# Written by 'make lock': the versions of requirements.txt for every platform, with the sha256 of every file."; \
		cat _build/hashed.txt; } > requirements-hashed.txt
	@echo "requirements.txt: $$(grep -c == requirements.txt) packages"

refresh: $(INSTALLED) ## execute the stored notebooks again in place (CHAPTERS="linear/max_margin")
	@$(PY) -m reproduce refresh $(CHAPTERS)

seeds: $(INSTALLED) ## run every chapter on 20 seeds that follow from its code and keep how often each claim held (CHAPTERS=)
	@$(PY) -m reproduce seeds $(CHAPTERS)

offdefault: $(INSTALLED) ## run every chapter with each parameter at half and at double its default (CHAPTERS=)
	@$(PY) -m reproduce offdefault $(CHAPTERS)

paper: $(INSTALLED) ## run every chapter at the paper's own scale; goes on where it was stopped (CHAPTERS=, LIMIT=60 minutes each)
	@$(PY) -m reproduce paper $(CHAPTERS) $(if $(LIMIT),--limit $(LIMIT))

attack: $(INSTALLED) ## try to break the press and the library; goes on where it was stopped (CASES=3000, KILLS=100, CLASSES=)
	@PYTHONPATH=tests:evidence $(PY) -m attacks $(if $(CASES),--cases $(CASES)) $(if $(KILLS),--kills $(KILLS)) \
		$(if $(CLASSES),--classes $(CLASSES)) $(if $(SEED),--seed $(SEED))

mutants: $(INSTALLED) ## change the code in every place, one at a time, and count what notices; goes on where it was stopped (MUTANTS=drawn: a sample)
	@MUTANTS=$(or $(MUTANTS),all) $(PY) -m pytest evidence/mutants/chapters -n 2 -q -p no:benchmark --keep-mutants

read: $(INSTALLED) ## read the built pages in a browser, and count them
	@$(PY) -m pytest tests/book -q -p no:benchmark --keep-counts

clean: ## remove everything generated, but not .venv
	@rm -rf _build

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

$(INSTALLED): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "error: $(PYTHON) is $$($(PYTHON) --version 2>&1); Python 3.11 or newer is needed, set PYTHON=" >&2; exit 1; }
	@echo "installing the locked packages into .venv: 1 to 3 minutes and 2.3 GB the first time"
	@begun=$$(date +%s); set -e; \
	$(PY) -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv; \
	$(PY) -m pip install -qq --disable-pip-version-check --requirement requirements.txt; \
	$(PY) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .; \
	touch $(INSTALLED); \
	echo "installed in $(SECONDS_SINCE)"

$(PEERS)/.installed: $(INSTALLED) benchmarks/peers.txt
	@echo "installing the locked packages and those of benchmarks/peers.txt into $(PEERS): about 3 minutes and 3 GB"
	@set -e; \
	.venv/bin/python -m venv --clear $(PEERS); \
	$(PEERS)/bin/python -m pip install -qq --disable-pip-version-check -r requirements.txt -r benchmarks/peers.txt; \
	$(PEERS)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .; \
	touch $@

# All else comes from the book's own environment, with what is installed there by a path.
$(NEWEST)/.installed: $(INSTALLED) tests/newest_sphinx.txt
	@echo "installing the newest Sphinx into $(NEWEST): about a minute"
	@set -e; \
	.venv/bin/python -m venv --clear $(NEWEST); \
	$(NEWEST)/bin/python -m pip install -qq --disable-pip-version-check --requirement tests/newest_sphinx.txt; \
	$(NEWEST)/bin/python -c 'import sysconfig as s; print(s.get_path("purelib"))' > $(NEWEST)/.site; \
	$(PY) -c 'import sysconfig as s; print("import site; site.addsitedir(%r)" % s.get_path("purelib"))' \
		> "$$(cat $(NEWEST)/.site)/book.pth"; \
	touch $@
