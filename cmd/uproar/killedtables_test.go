// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// tableRows is how many rows each import of killedTables has, writtenPuts how many records a write.
const (
	tableRows   = 3000
	writtenPuts = 3
)

// killedTables is a server that is killed in the midst of imports and writes, and what it has
// acknowledged. An outcome is absent where nobody knows.
type killedTables struct {
	t        *testing.T
	dir, tmp string
	client   *client.Client

	acked    sync.Map // import, new index, or write: true if acknowledged, false if it was sent
	was      map[string]uint64
	sequence atomic.Uint64 // the last that a write was told
	acks     atomic.Int64

	position uint64 // of the standing query
	members  map[string]bool
}

// slowTable is a table that takes some time to come.
func slowTable(load string) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, "id,load,n\n")
		for i := 0; i < tableRows && err == nil; i++ {
			if i%500 == 499 {
				time.Sleep(rand.N(10 * time.Millisecond))
			}
			_, err = fmt.Fprintf(w, "%s-%d,%s,%d\n", load, i, load, i)
		}
		_ = w.CloseWithError(err)
	}()
	return r
}

// importAll imports table after table, every third into an index of its own, until the server is
// gone.
func (k *killedTables) importAll(ctx context.Context, round int) {
	for n := 0; ctx.Err() == nil; n++ {
		name, index := fmt.Sprintf("load%dx%d", round, n), "people"
		if n%3 == 2 {
			index = name
		}
		k.acked.Store(name, false)
		_, err := k.client.Import(ctx, index, slowTable(name), client.TableImportOptions{Format: "csv"})
		if err != nil {
			return
		}
		k.acked.Store(name, true)
		k.acks.Add(1)
	}
}

// write writes batch after batch, until the server is gone. Each has the next sequence number or a
// later one: imports have their own.
func (k *killedTables) write(ctx context.Context, round int) {
	for n := 0; ctx.Err() == nil; n++ {
		name := fmt.Sprintf("write%dx%d", round, n)
		values, err := api.ValuesOf(map[string]any{"load": name, "n": n})
		if err != nil {
			k.t.Error(err)
			return
		}
		req := api.RecordsWriteRequest{Index: "people"}
		for i := range writtenPuts {
			req.Puts = append(req.Puts, api.Record{Key: fmt.Sprintf("%s-%d", name, i), Values: values})
		}
		k.acked.Store(name, false)
		sequence, err := k.client.WriteRecords(ctx, req)
		if err != nil {
			return
		}
		k.acked.Store(name, true)
		k.acks.Add(1)
		if last := k.sequence.Swap(sequence); sequence <= last {
			k.t.Errorf("%s: got sequence %d after %d", name, sequence, last)
		}
	}
}

// follow applies what enters and leaves the standing query.
func (k *killedTables) follow(ctx context.Context, wait bool) {
	events := k.client.Standing("people").Events(ctx, "small", k.position)
	if wait {
		events = k.client.Standing("people").Follow(ctx, "small", k.position)
	}
	for e, err := range events {
		if err != nil {
			return
		}
		for _, key := range e.Entered {
			if k.members[key] {
				k.t.Errorf("%s enters at %d, and was there", key, e.Position)
			}
			k.members[key] = true
		}
		for _, key := range e.Left {
			if !k.members[key] {
				k.t.Errorf("%s leaves at %d, and was not there", key, e.Position)
			}
			delete(k.members, key)
		}
		k.position = e.Position
	}
}

// check compares what is there with what was acknowledged.
func (k *killedTables) check(ctx context.Context) {
	indexes, err := k.client.Indexes().List(ctx)
	if err != nil {
		k.t.Fatal(err)
	}
	there := map[string]api.Index{}
	for _, ix := range indexes {
		there[ix.Index] = ix
	}
	total := uint64(0)
	k.acked.Range(func(name, acked any) bool {
		load, whole := name.(string), uint64(tableRows)
		if strings.HasPrefix(load, "write") {
			whole = writtenPuts
		}
		n := uint64(0)
		if ix, isIndex := there[load]; isIndex {
			n = ix.Records
			delete(there, load)
		} else if n, err = k.client.Count(ctx, "people", "load = "+load); err != nil {
			k.t.Fatal(err)
		} else {
			total += n
		}
		if n != whole && (n != 0 || acked.(bool)) {
			k.t.Errorf("%s: got %d records, want %d, acknowledged: %v", load, n, whole, acked)
		}
		if before, known := k.was[load]; known && n != before {
			k.t.Errorf("%s: got %d records, %d after its round", load, n, before)
		}
		k.was[load] = n
		return true
	})
	if people := there["people"]; people.Records != total || people.Sequence < k.sequence.Load() {
		k.t.Errorf("got %d records as of %d, want %d as of %d or later", people.Records, people.Sequence, total,
			k.sequence.Load())
	}
	delete(there, "people")
	for name := range there {
		if !strings.HasPrefix(name, "standing") {
			k.t.Errorf("index %s is left over", name)
		}
	}
	before := indexes[slices.IndexFunc(indexes, func(ix api.Index) bool { return ix.Index == "people" })].Sequence
	next, err := k.client.WriteRecords(ctx, api.RecordsWriteRequest{Index: "people", Merges: []api.Record{
		{Key: "mark", Values: api.Values{"load": json.RawMessage(fmt.Sprintf("\"mark%d\"", before))}}}})
	if err != nil || next != before+1 {
		k.t.Errorf("the next write: got sequence %d, %v, want %d", next, err, before+1)
	}
	_, err = k.client.WriteRecords(ctx, api.RecordsWriteRequest{Index: "people", Deletes: []string{"mark"}})
	if err != nil {
		k.t.Error(err)
	}
}

// checkStanding compares what entered and did not leave with the answer to the query.
func (k *killedTables) checkStanding(ctx context.Context) {
	want := map[string]bool{}
	for key, err := range k.client.AllKeys(ctx, "people", "n < 3") {
		if err != nil {
			k.t.Fatal(err)
		}
		want[key] = true
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		k.follow(ctx, false)
		if len(k.members) == len(want) || time.Now().After(until) {
			break
		}
	}
	for key := range want {
		if !k.members[key] {
			k.t.Errorf("%s never entered", key)
		}
	}
	if len(k.members) != len(want) {
		k.t.Errorf("got %d records that stand, want %d", len(k.members), len(want))
	}
}

// round serves, imports, writes and follows until the server is killed, and looks what is left.
func (k *killedTables) round(round int, longest time.Duration) {
	ctx, cancel := context.WithTimeout(k.t.Context(), 3*time.Minute)
	defer cancel()
	serve := func() *exec.Cmd {
		cmd := exec.Command("uproar", "serve", "--dir", k.dir, "--addr", "127.0.0.1:0", "--log-format", "json",
			"--delta", "256KiB")
		cmd.Env = append(os.Environ(), "TMPDIR="+k.tmp)
		c, err := client.New(served(k.t, cmd), &client.Options{Retries: -1})
		if err != nil {
			k.t.Fatal(err)
		}
		k.client = c
		return cmd
	}
	cmd := serve()
	if round == 0 {
		_, err := k.client.Indexes().Create(ctx, "people", api.Field{Name: "load", Type: "single"},
			api.Field{Name: "n", Type: "integer"})
		if err == nil {
			err = k.client.Standing("people").Set(ctx, "small", "n < 3")
		}
		if err != nil {
			k.t.Fatal(err)
		}
	}
	before := k.acks.Load()
	var all sync.WaitGroup
	all.Go(func() { k.importAll(ctx, round) })
	all.Go(func() { k.write(ctx, round) })
	following, stop := context.WithCancel(ctx) // or it would go on with the next server at the address
	defer stop()
	all.Go(func() { k.follow(following, true) })
	for k.acks.Load() < before+5 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(rand.N(longest))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	stop()
	all.Wait()
	k.client.Close()
	cmd = serve()
	k.check(ctx)
	k.checkStanding(ctx)
	_ = cmd.Process.Kill() // once more, and nothing was written since
	_ = cmd.Wait()
	k.client.Close()
	if files, err := os.ReadDir(k.tmp); err != nil || len(files) > 0 {
		k.t.Errorf("got the temporary files %v, %v, want none", files, err)
	}
}

// TestKilledTables kills a server in the midst of imports over HTTP, beside writes and a standing
// query. Each import and write is there whole or not at all, acknowledged ones are, nothing else
// is, sequence numbers go on without a gap, and of the query each record has entered once.
func TestKilledTables(t *testing.T) {
	rounds, longest := 5, 700*time.Millisecond
	if testing.Short() {
		rounds, longest = 2, 300*time.Millisecond
	}
	rounds = killRounds(t, rounds)
	k := &killedTables{t: t, dir: filepath.Join(t.TempDir(), "db"), tmp: t.TempDir(), was: map[string]uint64{},
		members: map[string]bool{}}
	for round := range rounds {
		if k.round(round, longest); t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	db, err := database.Open(t.Context(), k.dir, database.Detect, true, new(uproar.Options))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	half := 0
	for _, n := range k.was {
		if n == 0 {
			half++
		}
	}
	t.Logf("%d imports and writes were acknowledged in %d rounds, %d others left nothing", k.acks.Load(), rounds, half)
}
