# `make verify` and `make test` set up what they need in .venv, with the exact versions of requirements.lock.

PYTHON ?= python3
SAMPLE := 'allocation.avg.*' 'allocation.hash.disjoint.without-same-cid-all' 'ordered.java_v5_2.exclusive' 'ordered.java_v5_2.exclusive.*' \
	'offsets.java_v4_9.once' 'transition.java_v5_2.kept.*' 'settling.java_v5_2_to_v5_3.*'
BIN := .venv/bin
READY := .venv/.ready
LINTERS := .venv/.linters
PACKAGER := .venv/.packager
SITE := .venv/.site
SDKS := $(addprefix rocketmq-python-client==,5.0.9 5.1.1 5.1.2) $(if $(shell command -v npm),rocketmq-client-nodejs==1.0.8)
STUBS := $(notdir $(patsubst %/,%,$(wildcard stubs/*/)))

.PHONY: install verify quick test slow faults releases packages pins lint package package-all bench docs tools site sample java clean

verify: $(READY)
	$(BIN)/rebalance verify

install: $(READY)

quick: $(READY)
	$(BIN)/rebalance verify --quick

test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

slow: $(READY)
	$(BIN)/python -m pytest -m slow

faults: $(READY) # changes of the checker's own source, drawn by a seed: hours
	$(BIN)/python -m tests.faults.generated --seed 1

releases: $(READY) # every released RocketMQ, recorded and compared: an hour, with Java and Maven; RELEASES='5.4.0 5.5.0' for some
	$(BIN)/python -m rebalance_proofs.report.released $(RELEASES)
	-$(BIN)/python -m rebalance_proofs.recorded.packages # of other languages: with Go, npm and Cargo

packages: $(READY) # gRPC clients, installed and compared with the model: Python, and Node if npm is there; SDKS='NAME==VERSION ...' for others
	$(BIN)/python -m rebalance_proofs.recorded.packages --check $(SDKS)

lint: $(LINTERS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p rebalance_proofs
	$(BIN)/stubtest --ignore-missing-stub --concise --mypy-config-file pyproject.toml --allowlist stubs/not-compared.txt $(STUBS)

package: $(PACKAGER) # what a release contains and needs, and that it runs after a plain installation
	$(BIN)/python -m tests.packaging

package-all: $(PACKAGER) # the same on every Python at hand, and with the lowest versions of the dependencies
	$(BIN)/python -m tests.packaging --all

bench: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock --no-build-isolation --editable '.[benchmark]'
	$(BIN)/python -m benchmarks

pins: $(READY) # everything that tests compare with an earlier result, and what changed in it; NAMES='why index' for some
	$(BIN)/python -m tests.pins $(NAMES)

docs: $(READY) # what recorded groups show, then the index: the pages are made of them
	$(BIN)/python -m tests.pins commands knowledge statements questions observed index
	$(BIN)/python -m rebalance_proofs.recorded.knowledge.messages
	$(BIN)/python -m rebalance_proofs.report.ledger
	$(BIN)/python -m rebalance_proofs.report.guarantees > docs/reference/guarantees.md
	$(BIN)/python -m rebalance_proofs.report.released.page > docs/reference/releases.md
	$(BIN)/python -m rebalance_proofs.report.released.schedules --page > docs/reference/schedules.md
	$(BIN)/python -m rebalance_proofs.report.findings
	$(BIN)/python -m rebalance_proofs.report.symptoms > docs/reference/symptoms.md
	$(BIN)/python -m rebalance_proofs.report.symptoms --lang zh > docs/reference/symptoms.zh-CN.md
	$(BIN)/python -m rebalance_proofs.report.export.upstream > docs/reference/upstream.md
	$(BIN)/python -m rebalance_proofs.report.differences > docs/reference/differences.md
	$(BIN)/python -m rebalance_proofs.report.reality --edits 2 > docs/reference/reality.md
	$(BIN)/python -m tests.faults.page > docs/reference/faults.md
	$(BIN)/python -m tests.weakened.page > docs/reference/weakenings.md

tools: $(LINTERS) $(PACKAGER) $(SITE) # what checks of style, of the release and of the site need besides: pip takes turns

site: $(SITE) # the pages as a site with search, in build/site
	rm -rf build/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs build/site
	$(BIN)/python -m tests.docs.site build/site

sample: $(READY) # a report to look at, of a run of these claims
	$(BIN)/rebalance prove $(SAMPLE) --seed 1 --jobs 2 --output runs/sample --overwrite
	cp runs/sample/report.html docs/reference/sample-report.html

java: # the classes that come with the package; with javac of Java 17, or a test finds that they differ
	rm -f model/own/java/rebalance/*.class
	javac --release 17 -Xlint:all -d model/own/java model/own/java/rebalance/*.java
	rm -f recorded/live/java/live/*.class
	mkdir -p build/api
	javac --release 8 -Xlint:-options -d build/api $$(find recorded/live/java/api -name '*.java')
	javac --release 8 -Xlint:all,-options -cp build/api -d recorded/live/java recorded/live/java/live/*.java
	rm -f recorded/jar/java/step/*.class
	mkdir -p build/step-api
	javac --release 17 -d build/step-api $$(find recorded/jar/java/api -name '*.java')
	javac --release 17 -Xlint:all -cp build/step-api -d recorded/jar/java recorded/jar/java/step/*.java

clean:
	rm -rf .venv runs build *.egg-info

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q rebalance_proofs/*/ # else each process compiles it, where PYTHONDONTWRITEBYTECODE is set
	touch $@

$(LINTERS): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock --no-build-isolation --editable '.[lint]'
	touch $@

$(SITE): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock --no-build-isolation --editable '.[site]'
	touch $@

$(PACKAGER): $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock --no-build-isolation --editable '.[package]'
	touch $@
