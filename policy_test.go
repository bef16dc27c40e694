// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"os"
	"testing"
	"time"
)

// arrows says which package of this module may import which. It is policy: code is changed to fit
// the table, and the table only together with the design.
//
//	A and B imports only: X Y         A and B import nothing but X and Y (std: the standard library; lib: others)
//	A never imports: X                no import of X stands in a file of A
//	A never reaches: X                neither A nor what A imports of this module, however indirectly, imports X
//	+tests                            the rule holds for A's _test.go files too
//	NAME = X Y                        a group, to be used like a package
//	planned: X                        a package that rules speak of before it exists
//
// Packages are named by their folder; "." is the root package, the database. "x/..." is x and
// everything below it, "..." the whole module, "!x" the whole module but x, "!x|y" but x and y. "*"
// stands for a part of one path element. Referring to "os.Args" or "sync.Mutex" (symbolsOf) counts
// as importing them. Naming a channel's type, or waiting for channels, counts as importing "chan".
const arrows = `
BACKENDS = store/*store
DRIVERS  = github.com/dgraph-io/badger/... go.etcd.io/bbolt/... github.com/cockroachdb/... github.com/gocql/gocql/... github.com/apache/cassandra-gocql-driver/...
CONTAINERS = internal/roaring/kernel/bitset internal/roaring/kernel/array internal/roaring/kernel/run
KERNELS  = internal/roaring/kernel/swar CONTAINERS internal/roaring/kernel/sorted internal/roaring/kernel/column
LIBRARY  = bitmap/... internal/roaring/... store/... query internal/posting/... internal/eval/... internal/schema internal/binding internal/listing internal/dump .

bitmap imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable
	because the bitmap library is used on its own, and who imports it must get nothing else
bitmap/bsi bitmap/interop imports only: std bitmap internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/roaring/container KERNELS internal/roaring/eliasfano
	because integers and foreign formats are made of sets, and sets know neither
internal/roaring/view imports only: std internal/roaring/container KERNELS internal/roaring/eliasfano
	because the bytes of one set are read without another set, and before anything is written
internal/roaring/pack imports only: std internal/roaring/view internal/roaring/container KERNELS internal/roaring/eliasfano
	because a builder chooses forms and containers, and keeps no set
internal/roaring/pack +tests imports only: std internal/roaring/view internal/roaring/container KERNELS internal/roaring/eliasfano internal/roaring/roaringtest
	because what a builder writes is read and counted, and needs no set that changes to be tested
internal/roaring/mutable imports only: std internal/roaring/view internal/roaring/pack internal/roaring/container KERNELS internal/roaring/eliasfano
	because a set changes where it lies, and knows the algebra of whole sets only as what replaces it
internal/roaring/pair imports only: std internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/roaring/container KERNELS internal/roaring/eliasfano
	because two sets are combined without regard to how many there are
internal/roaring imports only: std internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/roaring/pair internal/roaring/container KERNELS internal/roaring/eliasfano internal/roaring/cpu
	because sets and their algebra are the same whoever names them
internal/roaring/roaringtest +tests imports only: std internal/roaring/container internal/roaring/cpu
	because tests of every room of the engine share it
internal/roaring/container imports only: std KERNELS internal/roaring/eliasfano
	because the algebra of two containers is needed below and above the layout of sets, and knows neither
internal/roaring/container +tests imports only: std KERNELS internal/roaring/eliasfano internal/roaring/roaringtest
	because its tests share what makes containers, and need no set
internal/roaring/eliasfano imports only: std KERNELS internal/roaring/cpu
	because a packed list knows its own code and the lists and containers that it is compared with, and no set
CONTAINERS internal/roaring/kernel/sorted internal/roaring/kernel/column imports only: std internal/roaring/kernel/swar CONTAINERS internal/roaring/cpu
	because an inner loop knows words and bytes, and neither sets nor their layout
internal/roaring/kernel/bitset +tests never reaches: internal/roaring/kernel/array internal/roaring/kernel/run
	because arrays are probed in bitsets, and runs in both: each kind knows the simpler ones only
internal/roaring/kernel/array +tests never reaches: internal/roaring/kernel/run
	because arrays are probed in bitsets, and runs in both: each kind knows the simpler ones only
internal/roaring/kernel/sorted internal/roaring/kernel/column never reaches: CONTAINERS
	because lists of whole values and columns of numbers lie outside of containers
KERNELS +tests never reaches: internal/roaring/eliasfano internal/roaring/container
	because an inner loop knows words and bytes, and neither sets nor their layout
KERNELS internal/roaring/eliasfano never imports: internal/roaring/kernel/kerneltest
	because memory that must not be touched is for tests
KERNELS internal/roaring/eliasfano +tests imports only: std KERNELS internal/roaring/eliasfano internal/roaring/kernel/kerneltest internal/roaring/cpu
	because what inner loops do is told by plain Go, and needs no set to be tested
internal/roaring/kernel/swar imports only: std internal/roaring/cpu
	because loops within a word know no container
internal/roaring/kernel/kerneltest +tests imports only: std internal/roaring/cpu
	because the tests of every kernel share it
internal/roaring/cpu +tests imports only: std
	because what the processor has is found without golang.org/x/sys/cpu, and before anything is known of sets

store imports only: std
	because the contract of a key-value engine is bytes only, and must not lean on any engine or on what is stored
store/groupcommit imports only: std store
	because what stands around an engine must fit all, and so must belong to none
store/storetest imports only: std store
	because one suite judges every back end, and so must belong to none
BACKENDS imports only: std store store/groupcommit store/pebblestore/internal/... internal/descriptor lib
	because a back end translates the store contract to one engine, and knows neither pages nor queries
store/pebblestore/internal/disk imports only: std store store/groupcommit internal/descriptor lib
	because a disk that fails is the same whatever is stored on it
store/pebblestore/internal/inspect imports only: std store store/pebblestore/internal/disk lib
	because files are read past the engine, and past the store that has them open
BACKENDS +tests never reaches: BACKENDS internal/posting/... internal/eval/... .
	because back ends are exchangeable: none may need another, nor the layers above it
... +tests never imports: github.com/dgraph-io/badger/...
	because Badger writes through mapped files: a full disk would end the process
!store/bboltstore +tests never imports: go.etcd.io/bbolt/...
	because bbolt can be replaced only while one package knows it
!store/pebblestore/... +tests never imports: github.com/cockroachdb/...
	because Pebble can be replaced only while one package and its rooms know it
!store/ship/cql +tests never imports: github.com/gocql/gocql/... github.com/apache/cassandra-gocql-driver/...
	because Cassandra can be replaced only while one package knows it
!store/ship/blob +tests never imports: gocloud.dev/... github.com/aws/... github.com/Azure/... cloud.google.com/... google.golang.org/api/...
	because clients of object storage can be replaced only while one package knows them
store/ship imports only: std store internal/seal
	because a log is the same over every engine of objects and every local store
store/ship/shiptest +tests imports only: std store store/ship
	because one suite judges every engine, and so must belong to none
store/ship/check imports only: std store store/ship
	because storage is checked through the contract of engines, whatever it is
store/ship/folder imports only: std store store/ship
	because a folder of objects needs the file system and nothing else
store/ship/blob imports only: std store store/ship store/ship/folder lib
	because an engine translates the contract of objects to one kind of storage, and knows nothing of what they hold
store/ship/cql imports only: std store store/ship lib
	because an engine translates the contract of objects to one kind of storage, and knows nothing of what they hold
. internal/posting/... internal/eval/... server/... never reaches: store/ship/blob store/ship/cql
	because the program chooses the engine of objects

internal/trace +tests imports only: std
	because every layer says what it does, and none knows who listens
!server/tracing +tests never imports: go.opentelemetry.io/...
	because the library of traces can be replaced only while one package knows it
internal/seal internal/golden internal/sentinel internal/processor internal/hugepage internal/prefetch internal/extsort +tests imports only: std
	because a sort in files, a checksum, a comparison of files, a clock of the processor, huge pages of the system, asking for bytes ahead and the errors that database and client share serve every layer, and so may lean on none
internal/table +tests imports only: std internal/table/tabletest github.com/klauspost/compress/zstd
	because what a table says is found out before anything is known of fields and applications
internal/value +tests imports only: std
	because one rule reads the numbers and times that people write, in tables as in queries
internal/descriptor imports only: std lib
	because both the store that opens files and the server that accepts connections ask how many there may be
internal/posting/model +tests imports only: std store internal/sentinel
	because fields, IDs and edits are the words of every layer above, and know nothing of how they are kept
internal/posting/format +tests imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/posting/model internal/seal internal/golden github.com/dchest/siphash
	because stored bytes are made and parsed in one place, which cannot read or write them
internal/posting/wal +tests imports only: std store internal/posting/model internal/posting/format internal/seal internal/golden
	because what a log entry says depends on nothing but its bytes
internal/posting/pagecache +tests imports only: std internal/posting/format internal/hugepage
	because a cache keeps what it is given, and neither reads a store nor waits for one
internal/posting/memory +tests imports only: std internal/posting/model internal/posting/pagecache
	because the bound is shared by indexes that it knows only as those who can flush
internal/posting/intern +tests imports only: std
	because keys are found while others are added, which needs atomics: the rest of a delta must not have any
internal/posting/delta +tests imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/posting/model internal/posting/intern internal/roaring/container github.com/tidwall/btree
	because what was written is looked up in memory: no page, no store
internal/posting/overlay +tests imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/posting/model internal/posting/format internal/posting/delta internal/prefetch internal/roaring/container
	because a list is read from pages and deltas that somebody else has found
internal/posting/delta internal/posting/overlay never imports: sync.Mutex sync.RWMutex sync.Cond sync.WaitGroup sync.Once sync.OnceFunc sync.OnceValue sync.OnceValues sync.Map chan sync/atomic context sync.Locker sync.NewCond time.Sleep time.After time.AfterFunc time.NewTimer time.NewTicker time.Tick os io net/...
	because what is published never changes: a reader waits for nobody
internal/posting/model internal/posting/format internal/posting/wal internal/posting/merge internal/posting/verify internal/posting/load never imports: sync.Mutex sync.RWMutex sync.Locker sync.Cond sync.NewCond sync.Map
	because only posting holds the write lock, and what is below it works on what it is given
internal/posting/model internal/posting/format internal/posting/wal never imports: os/... io/... net/... context sync/... chan
	because bytes and words are made and parsed without a file, a connection, or waiting for anybody
internal/posting/merge internal/posting/verify never imports: os/... net/... sync/... chan
	because one thread merges or checks, which its context can end; a load merges with many (errgroup, channels, an atomic count)
internal/posting/versions imports only: std store internal/posting/model internal/posting/format internal/posting/pagecache internal/posting/memory lib
	because which pages are seen is known without reading one
internal/posting/reader imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable store internal/posting/model internal/posting/format internal/posting/pagecache internal/posting/memory internal/posting/versions internal/posting/delta internal/posting/overlay internal/prefetch internal/roaring/container lib internal/trace
	because a snapshot reads what was committed, and knows nothing of how that was done
internal/posting/merge imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable store internal/posting/model internal/posting/format internal/posting/pagecache internal/posting/memory internal/posting/delta internal/posting/overlay internal/posting/reader internal/roaring/container internal/seal
	because a merge decides nothing about commits
internal/posting/load imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/posting/model internal/posting/format internal/posting/memory internal/posting/delta internal/posting/overlay internal/posting/reader internal/posting/merge internal/posting/wal internal/extsort lib
	because a load asks its host for what only the index can do, and cannot reach its locks
internal/posting/verify imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/posting/model internal/posting/format internal/posting/overlay internal/posting/reader internal/posting/merge
	because a check reads what is stored, and repairs nothing
internal/posting imports only: std internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/roaring/container store internal/posting/... internal/extsort internal/hugepage internal/prefetch internal/seal internal/sentinel lib internal/trace
	because posting lists are bitmaps on a store, whatever is asked of them and whoever serves them
query imports only: std
	because the language is text and a tree: it is parsed and simplified without storage and without bitmaps
query +tests imports only: std internal/processor
	because its tests need nothing that it may not know, but a clock
internal/eval/rowcount imports only: std internal/roaring/view internal/roaring/pack internal/roaring/mutable internal/roaring/container internal/posting/reader internal/posting/model internal/posting/overlay internal/sentinel
	because rows are counted within a set, whatever query that is the answer to
internal/eval/ranking imports only: std internal/roaring internal/roaring/view internal/posting/reader internal/posting/model internal/posting/overlay internal/eval/rowcount internal/trace
	because rows and records are ranked by counts, and no query is read for that
internal/eval/crosstab imports only: std internal/roaring/view internal/roaring/container internal/posting/reader internal/posting/model internal/posting/overlay internal/extsort internal/sentinel internal/eval/rowcount internal/eval/ranking internal/trace
	because records of a set are grouped by their values, and no query is read for that
internal/eval/evaltest +tests imports only: std store/memstore internal/posting internal/posting/model internal/posting/memory
	because tests of counts, rankings and tables share one index
internal/eval imports only: std query internal/roaring internal/roaring/pair internal/roaring/view internal/roaring/pack internal/roaring/mutable bitmap/bsi internal/roaring/container internal/posting/reader internal/posting/model internal/posting/overlay internal/sentinel internal/trace
	because evaluation joins a query to a snapshot, and nothing else is needed for that

internal/schema imports only: std store internal/posting/model internal/seal internal/sentinel internal/spelling internal/value
	because what a database keeps about itself is read before any index is open
internal/binding imports only: std query internal/schema internal/eval internal/posting internal/posting/format internal/posting/model internal/posting/reader internal/roaring/view internal/sentinel
	because names become numbers in one place, which neither commits nor evaluates
internal/listing imports only: std internal/descriptor internal/schema internal/binding internal/eval internal/extsort internal/posting/model internal/posting/overlay internal/posting/reader internal/roaring/pair internal/roaring/view internal/roaring/mutable
	because records are shown as lines of a table, whatever found them
internal/posting/manifest imports only: std store internal/posting/format internal/posting/model
	because a manifest is read below the index, also by a salvage
internal/posting/exported imports only: std store internal/posting/format internal/posting/manifest internal/posting/merge internal/posting/model internal/posting/versions internal/posting/wal
	because an export is written into a store that nobody reads yet
internal/salvage imports only: std . store internal/schema internal/posting internal/posting/format internal/posting/manifest internal/posting/model internal/posting/wal internal/posting/memory internal/posting/reader internal/posting/overlay internal/seal
	because a damaged database is read below the database and written through it, whatever engine keeps either
internal/salvage never reaches: BACKENDS DRIVERS
	because the program chooses the engines
internal/dump imports only: std store internal/schema internal/posting internal/posting/exported internal/posting/format internal/posting/model
	because backups are exports of indexes with a catalog, and a database need not be open to be restored

. internal/posting/... internal/eval internal/eval/rowcount internal/eval/ranking internal/eval/crosstab never reaches: BACKENDS DRIVERS
	because the database is opened over a store that it is given: the program chooses the engine
. internal/posting/... internal/eval/... never reaches: net/http flag os.Args
	because an embedded database neither serves nor reads its host's command line
LIBRARY never reaches: server/... client apps/...
	because a library does not know the applications that are built of it

apps/... never imports: store/...
	because an application is a few verbs over an index and a query, wherever they are stored
apps/... never reaches: server/... BACKENDS DRIVERS
	because an application is used in process as well as served

apps/graph/live imports only: std . apps/graph
	because what events mean depends neither on how a server tells them nor on how a graph is stored
apps/graph/likes imports only: std . query apps/graph internal/table
	because a like is of a graph's account, and what is live or served comes from elsewhere
apps/graph/live/wire imports only: std apps/graph/live lib
	because what a server sends is read without regard to what becomes of it
apps/graph/live/livetest +tests imports only: std apps/graph lib
	because a made-up network must not know the rules that it judges
!apps/graph/live/... +tests never imports: github.com/coder/websocket
	because the library of WebSockets can be replaced only while few packages know it
internal/export imports only: std internal/value lib
	because a table is written of texts and numbers, whatever they are of
internal/dependents imports only: std . apps/...
	because it asks each application whether an index is its own, and nobody else
internal/spelling internal/tolerance imports only: std
	because a hint and a share of bad lines are the same for whoever reads

... +tests never imports: github.com/RoaringBitmap/...
	because the database keeps its own bitmaps, and a peer is measured, not used
!apps/audience/parquet|internal/export +tests never imports: github.com/parquet-go/...
	because the library of Parquet can be replaced only while one package reads with it, and one writes
api +tests imports only: std
	because requests and responses are shared by server and client, and must not tie one to the other
client never reaches: server/... . internal/posting/... internal/eval/... apps/... lib
	because a client is linked into other people's programs: it must not bring the database along, nor any other module
server/call imports only: std api . query store apps/graph apps/audience apps/catalog internal/tolerance internal/trace
	because handlers and server share these words, and handlers know nothing of connections
server/replica imports only: std api server/call store/ship internal/trace
	because a copy answers or does not, whatever the call is
server/upload imports only: std api apps/graph apps/audience apps/catalog server/call lib
	because an import is read from any body, whatever it is made into
server/graphapi imports only: std api . apps/graph server/call server/upload
	because a handler turns a request into a question to its application, and that into a reply
server/likesapi imports only: std api . apps/graph apps/graph/likes server/call
	because a handler turns a request into a question to its application, and that into a reply
server/audienceapi imports only: std api . query apps/audience/... apps/audience internal/dependents internal/table server/call server/upload
	because a handler turns a request into a question to its application, and that into a reply
server/catalogapi imports only: std api . apps/catalog internal/dependents internal/table server/call server/upload
	because a handler turns a request into a question to its application, and that into a reply
server/indexapi imports only: std api . query bitmap/interop internal/dependents internal/export server/call server/streaming
	because a handler turns a request into a question to the database, and that into a reply
server/recordapi imports only: std api . query internal/dependents internal/export server/call server/streaming
	because a handler turns a request into a question to the database, and that into a reply
server/console imports only: std server/call
	because static files ask the server like any other client, and know no database
server/standingapi imports only: std api . apps/standing server/call
	because a handler turns a request into a question to its application, and that into a reply
server/streaming imports only: std api . query internal/export server/call
	because an answer becomes rows in one place, whichever handler it is of
server/compat/... imports only: std api . query apps/... server/call
	because the clients of another server are answered in its words, and no other handler knows them
server/resp/wire +tests imports only: std
	because a protocol is bytes: it is read without knowing a command, or what one does
server/resp/names imports only: std
	because a name is made of bytes alone, whatever has it
server/resp/expiry imports only: std . query server/resp/names
	because what ends next is found by times and names, whatever ends
server/resp/keyspace imports only: std . query bitmap server/resp/names server/resp/expiry
	because keys and members are rows and records of an index, in whatever protocol they are named
server/resp imports only: std . internal/descriptor internal/trace server/resp/wire server/resp/names server/resp/keyspace
	because the clients of Redis are answered in its words, and no other handler knows them
server/*api never reaches: server/transport server
	because a handler knows requests and replies, whoever carries them, and is carried by the server
server/transport imports only: std
	because what judges a request and counts a connection knows neither the parser behind it nor the database
server/... never reaches: BACKENDS DRIVERS
	because the server serves the database that it is given: the command chooses the engine

!cmd/... +tests never imports: cmd/...
	because a command is the end of the line: what two need is moved to a package
... +tests never imports: bench/...
	because benchmarks live in a module of their own, with the peers that they measure
... +tests never imports: C
	because the library is plain Go: it is built for every platform by the Go toolchain alone
`

// withExamples are the packages that a newcomer meets first: each shows its use by at least one
// example with output.
var withExamples = []string{".", "bitmap", "store", "internal/posting", "query", "internal/eval", "client"}

// policyChecks are the rules of the house that a program can check. Each is a pure function of the
// sources, and each is proven to find what it looks for by [TestPolicyFindsViolations].
var policyChecks = []struct {
	name string
	run  func(*tree) []string
}{
	{"arrows", func(t *tree) []string { return checkArrows(t, arrows) }},
	{"subjects", func(t *tree) []string { return checkSubjects(t, arrows) }},
	{"header", checkHeaders},
	{"package comment", checkPackageComments},
	{"length", checkLengths},
	{"columns", checkColumns},
	{"assembly", checkAssembly},
	{"header copies", checkHeaderCopies},
	{"rooms", checkRooms},
	{"small rooms", checkSmallRooms},
	{"rings", checkRings},
	{"unused exports", checkUnused},
	{"old words", checkOldWords},
	{"identifiers", checkIdentifiers},
	{"tree", checkTree},
	{"named files", checkNamedFiles},
	{"file names", checkFilenames},
	{"command lines", checkCommandLines},
	{"names", checkNames},
	{"getters", checkGetters},
	{"doc comments", checkDocComments},
	{"examples", func(t *tree) []string { return checkExamples(t, withExamples) }},
	{"links", checkLinks},
	{"machine paths", checkMachinePaths},
	{"changelog", checkChangelog},
	{"words", checkWords},
	{"starts", checkStarts},
	{"reads of the store", checkStoreReads},
}

func TestPolicy(t *testing.T) {
	start := time.Now()
	tr, err := loadTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	// A walk that found nothing would find nothing wrong.
	if tr.source("policy_test.go") == nil || tr.texts["CONTRIBUTING.md"] == "" {
		t.Fatalf("the tree of %d Go files and %d texts lacks this very file or CONTRIBUTING.md: wrong directory?",
			len(tr.sources), len(tr.texts))
	}
	for _, check := range policyChecks {
		t.Run(check.name, func(t *testing.T) {
			for _, finding := range check.run(tr) {
				t.Error(finding)
			}
		})
	}
	t.Logf("%d Go files and %d texts in %v", len(tr.sources), len(tr.texts), time.Since(start).Round(time.Millisecond))
}
