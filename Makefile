# Uproar's chores. CONTRIBUTING.md says when to use which, and which of them .ci/run runs.

GO          ?= go
FUZZTIME    ?= 10s
FUZZDIRS    ?= .
BENCH       ?= .
BENCHCOUNT  ?= 1
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The packages whose speed is a promise.
BENCHPKGS := ./bitmap/... ./internal/roaring/... ./internal/posting ./query ./internal/eval .

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: test
test: ## run every test
	$(GO) test ./...

.PHONY: check
check: fmt tidy vet staticcheck race ## what must be clean before a commit: fmt tidy vet staticcheck race

.PHONY: fmt
fmt: ## fail on files that gofmt would change
	@changed=$$(find . \( -name testdata -o -name .git \) -prune -o -name '*.go' -print0 | xargs -0 gofmt -l) && \
	if [ -n "$$changed" ]; then echo "gofmt -w is due for:"; echo "$$changed"; exit 1; fi

.PHONY: tidy
tidy: ## fail when go.mod or go.sum is not what the imports need
	$(GO) mod tidy -diff

# What differs by processor: the rest is built for arm64 below.
ENGINE = ./bitmap/... ./internal/roaring/... ./internal/prefetch ./internal/processor ./internal/hugepage

.PHONY: vet
vet: ## go vet, and of the bitmap engine for arm64 and without kernels (purego) too
	GOARCH=amd64 $(GO) vet ./...
	GOARCH=amd64 $(GO) vet -tags purego $(ENGINE)
	GOARCH=arm64 $(GO) vet $(ENGINE)
	GOARCH=arm64 $(GO) vet -tags purego $(ENGINE)

.PHONY: staticcheck
staticcheck: ## staticcheck, in the version that the project is clean under
	$(STATICCHECK) ./...

# The folders in which something starts a goroutine, in code or in tests. Kernels share nothing between goroutines, and
# commands and salvages only what other packages do, and the check of storage races processes. Of sets, only unions by
# several goroutines and readers do.
CONCURRENT = $$(grep -rlE --include='*.go' '^[[:space:]]*go |\.Go\(|\.RunParallel\(|storetest\.' . | \
	grep -vE '^\./(bench|cmd/uproar|internal/roaring|internal/salvage|bitmap/bsi|store/ship/check)/[^/]*$$|^\./bench/' | xargs -n1 dirname | sort -u)

# Tests that read the sources, or write and read much by one goroutine: what they start, others start as well.
ALONE = ^Test(Policy|FiguresOfTheTree|ReadmeCode|Epinions$$|EdgesModel|LoadAsWritten|LoadIngests|SetPairsAsWritten|SaveLarge|WordCloudAllocations|ColumnOfManyRows|LargeLists|MergesCountScratch|ManifestInParts|ManyEmptied|FlushOfManyEdits|AppendAll|MergeWindow|HashPages|ListSizes|Groups$$|GroupsInLittleMemory|PricesSample|ManyValues|Flips|FooterFlips|LogDamaged|TimersBounded|LargeTimes|ManyTimes|UnlikeReadsLittle|PageMakesLittle|Sizes$$)

.PHONY: race
race: ## the quick tests of what starts goroutines under the race detector (needs a C compiler), after vet
	CGO_ENABLED=1 $(GO) test -race -short -vet=off -skip '$(ALONE)' -timeout 15m $(CONCURRENT)
	CGO_ENABLED=1 $(GO) test -race -short -vet=off -run 'ManySets|Thousands|NotShared|Concurrent' -timeout 15m ./internal/roaring ./bitmap/bsi

.PHONY: arm64
arm64: ## run the bitmap tests for arm64 under qemu
	GOARCH=arm64 TESTEXEC=qemu-aarch64 .ci/spread ./bitmap/... ./internal/roaring/... -short -timeout 15m
	GOARCH=arm64 TESTEXEC=qemu-aarch64 .ci/spread ./internal/prefetch -short -timeout 15m

.PHONY: systems
systems: ## build everything for arm64; vet and tests of the bitmap engine with ints of 32 bits, and with big-endian bytes (qemu)
	GOARCH=arm64 $(GO) build ./...
	GOARCH=386 $(GO) vet $(ENGINE)
	GOARCH=s390x $(GO) vet $(ENGINE)
	GOARCH=386 .ci/spread ./bitmap/... ./internal/roaring/... -short -timeout 30m
	GOARCH=s390x TESTEXEC=qemu-s390x .ci/spread ./bitmap/... ./internal/roaring/... -short -timeout 30m

# What a release has beside linux/amd64.
PLATFORMS ?= linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: platforms
platforms: ## compile the program for the other systems and processors of a release (PLATFORMS)
	@for p in $(PLATFORMS); do \
		CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) list -export -deps ./cmd/uproar >/dev/null && echo "$$p" || exit 1; done

.PHONY: purego
purego: ## the bitmap tests without kernels and on the oldest amd64
	GOAMD64=v1 .ci/spread ./bitmap/... ./internal/roaring/... -short -timeout 15m -tags purego
	GOAMD64=v1 .ci/spread ./internal/prefetch -short -timeout 15m -tags purego

.PHONY: fuzz
fuzz: ## fuzz every target below FUZZDIRS (.) for FUZZTIME (10s)
	@.ci/fuzz $(FUZZTIME) $(FUZZDIRS)

SCHEMATIME ?= 20

.PHONY: schemathesis
schemathesis: ## what schemathesis makes of openapi.json is sent to a server (needs python3 with venv, and a network)
	@.ci/schemathesis $(SCHEMATIME)

.PHONY: peers
peers: ## the tests against other libraries, CRoaring among them (needs python3 with venv, and a network)
	cd bench && $(GO) vet ./...
	@venv=$$(mktemp -d) && trap 'rm -rf "$$venv"' EXIT && \
	python3 -m venv "$$venv" && \
	"$$venv/bin/python" -m pip install -q --retries 5 --timeout 30 --disable-pip-version-check -r bench/interchange/testdata/requirements.txt && \
	cd bench && UPROAR_PYTHON="$$venv/bin/python" $(GO) test -short ./...

.PHONY: console
console: ## every page of the console in Chromium, with axe and screenshots in scripts/console/shots (needs node, npm, chromium, and a network)
	@bin=$$(mktemp -d) && trap 'rm -rf "$$bin"' EXIT && $(GO) build -o "$$bin/uproar" ./cmd/uproar && \
	cd scripts/console && npm ci --no-audit --no-fund --silent && node check.mjs "$$bin/uproar"

# How many people and follows, if not a million and 16 million.
LARGE ?=

.PHONY: console-large
console-large: ## its pages with a million people and 16 million follows (LARGE="PEOPLE FOLLOWS"), in ten minutes and 3 GB (needs what console needs)
	@bin=$$(mktemp -d) && trap 'rm -rf "$$bin"' EXIT && $(GO) build -o "$$bin/uproar" ./cmd/uproar && \
	scripts/console/large "$$bin/uproar" $(LARGE)

.PHONY: clients
clients: ## clients that generators make in Python, TypeScript, Java and Rust are compiled and ask a server (needs python3 with venv, npm, Maven, cargo, and a network)
	@.ci/clients

.PHONY: js
js: ## the JavaScript package is built, and asks a server from Node and from Chromium (needs npm, Chromium, and a network)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && $(GO) build -o "$$dir/uproar" ./cmd/uproar && \
	cd clients/js && npm ci --silent && npm run --silent build && UPROAR="$$dir/uproar" npm test --silent

.PHONY: python
python: ## the Python package: its wheel in a fresh venv, mypy, and pytest against a server (needs python3 with venv, and a network)
	@clients/python/check

# CRoaring 5.1.0, of which the commit is the checksum.
CROARING := 0489dd47c1ffcd5a43f90f44f5f10e92b4fceaec

.PHONY: croaring
croaring: ## fetch and compile CRoaring, for `go build -tags croaring` in bench (needs git, a C compiler and a network)
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	git -C "$$work" init -q && git -C "$$work" fetch -q --depth 1 https://github.com/RoaringBitmap/CRoaring $(CROARING) && git -C "$$work" checkout -q FETCH_HEAD && \
	test "$$(git -C "$$work" rev-parse HEAD)" = $(CROARING) && rm -rf "$$work/.git" && \
	mkdir -p bench/croaring/source && cd bench/croaring/source && bash "$$work/amalgamation.sh" >/dev/null && \
	$(CC) -O3 -march=native -c roaring.c -o "$$work/roaring.o" && $(AR) rcs libroaring.a "$$work/roaring.o"

# The libraries that ours is measured beside, in bench/go.mod.
PEERS := github.com/RoaringBitmap/roaring/v2 github.com/dgraph-io/sroar github.com/weaviate/sroar

.PHONY: peers-newest
peers-newest: ## say which libraries that ours is measured beside have a newer version, and fail unless none has (needs git and a network)
	@said=$$(cd bench && $(GO) list -m -u -e -f '{{.Path}} {{.Version}}{{with .Update}}, newest {{.Version}}{{end}}{{with .Error}} not known: {{.Err}}{{end}}' $(PEERS)) && \
	newest=$$(git ls-remote --refs --tags --sort=-v:refname https://github.com/RoaringBitmap/CRoaring 'v*' | head -n 1) && \
	case "$$newest" in '') said="$$said, CRoaring $(CROARING) not known";; $(CROARING)*) said="$$said, CRoaring $(CROARING)";; \
	*) said="$$said, CRoaring $(CROARING), newest $$newest";; esac && echo "$$said" && case "$$said" in *", newest "*|*" not known"*) exit 1;; esac

.PHONY: bench
bench: ## run the benchmarks that match BENCH, BENCHCOUNT times, for benchstat
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) $(BENCHPKGS)

.PHONY: bench-quick
bench-quick: ## print twenty headline figures beside the best peer, in less than 50 seconds
	@cd bench && $(GO) run . quick
