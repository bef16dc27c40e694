// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// denseCommand counts an intersection of dense sets.
type denseCommand struct {
	People int `default:"500000000" placeholder:"N" help:"People of the index (${default})."`
	place
}

// Help returns what the help of the command says beside its flags.
func (*denseCommand) Help() string {
	return `Makes an index of people and three sets, each of a random half of them, and counts A and B and not C through the
database, in one thread. Beside it stands how fast one thread reads memory.

Example: go run . dense --people 20000000`
}

// Validate is called when the command line is parsed.
func (c *denseCommand) Validate() error {
	if c.People < 64 || c.People > 1<<32 {
		return fmt.Errorf("--people: got %d, want 64 to %d", c.People, 1<<32)
	}
	return c.place.Validate()
}

// denseReport is what was measured.
type denseReport struct {
	Load            string
	LoadSeconds     float64 // 0: it was there
	Disk, ListBytes int64
	Count           uint64
	Cost            cost
	Rate, ReadRate  float64 // bytes a second: of the question, and of the machine
}

// denseWord returns which of 64 people one of the sets has.
func denseWord(set, word, people int) uint64 {
	w := random(uint64(set)<<56 ^ uint64(word))
	if left := people - 64*word; left < 64 {
		w &= 1<<left - 1
	}
	return w
}

// denseCount counts A and B and not C without a database.
func denseCount(people int) (n uint64) {
	for word := range (people + 63) / 64 {
		n += uint64(bits.OnesCount64(denseWord(0, word, people) & denseWord(1, word, people) &^
			denseWord(2, word, people)))
	}
	return n
}

// denseSets are the names of the sets.
var denseSets = [3]string{"a", "b", "c"}

const (
	denseIndex    = "people"
	denseQuestion = "trait = a and trait = b and not trait = c"
)

// Run measures.
func (c *denseCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	db, err := c.database(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	update, finish := con.Phases()
	defer finish()
	var r denseReport
	index, err := db.Index(denseIndex)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		began := time.Now()
		index, err = c.load(ctx, db, update)
		r.LoadSeconds = time.Since(began).Seconds()
	}
	if err != nil {
		return err
	}
	if err := r.measure(ctx, db, index, c); err != nil {
		return err
	}
	finish()
	return r.print(con.Out, c)
}

// load makes the people, whose IDs are in their order, and then the sets.
func (c *denseCommand) load(ctx context.Context, db *uproar.DB,
	update func(string, int64, int64)) (*uproar.Index, error) {
	index, err := db.CreateIndex(ctx, denseIndex, uproar.Field{Name: "trait", Type: uproar.Set})
	if err != nil {
		return nil, err
	}
	people, err := c.begin(ctx, index)
	if err != nil {
		return nil, err
	}
	defer people.Abort()
	progress := func(done int) { update("people", int64(done), int64(c.People)) }
	if err := addRecords(people, c.People, progress); err != nil {
		return nil, err
	}
	if err := people.Commit(); err != nil {
		return nil, err
	}
	sets, err := c.begin(ctx, index)
	if err != nil {
		return nil, err
	}
	defer sets.Abort()
	for set, name := range denseSets {
		update("sets", int64(set), int64(len(denseSets)))
		var b bitmap.Builder
		for word := range (c.People + 63) / 64 {
			for w := denseWord(set, word, c.People); w != 0; w &= w - 1 {
				b.Append(uint64(64*word + bits.TrailingZeros64(w)))
			}
		}
		if err := sets.SetIDs("trait", name, b.Bitmap(bitmap.Fastest)); err != nil {
			return nil, err
		}
	}
	if err := sets.Commit(); err != nil {
		return nil, err
	}
	return index, db.Compact(ctx, nil)
}

func (c *place) begin(ctx context.Context, index *uproar.Index) (*uproar.Loader, error) {
	return index.Load(ctx, &uproar.LoadOptions{MemoryBytes: int64(c.Memory) / 2})
}

// recordsTogether is how many records are added at a time.
const recordsTogether = 1 << 12

// addRecords makes records, whose keys are their numbers.
func addRecords(load *uproar.Loader, n int, progress func(done int)) error {
	numbers := make([]uint32, 0, recordsTogether)
	records := uproar.NewDictionary(nil)
	for first := 0; first < n; first += recordsTogether {
		numbers = numbers[:0]
		texts := make([]string, 0, recordsTogether)
		for i := first; i < min(n, first+recordsTogether); i++ {
			numbers = append(numbers, uint32(len(texts)))
			texts = append(texts, recordKey(i))
		}
		records.Reset(texts)
		if _, err := load.AddRecords(records, numbers); err != nil {
			return err
		}
		progress(first)
	}
	return nil
}

func recordKey(i int) string { return "p" + strconv.FormatInt(int64(i), 36) }

// measure asks the question, and compares the answer.
func (r *denseReport) measure(ctx context.Context, db *uproar.DB, index *uproar.Index, c *denseCommand) error {
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	r.Load, r.Disk = load(), stats.Store.Total()
	for _, f := range stats.Indexes[0].Fields {
		if f.Name == "trait" && f.Type == "set" {
			r.ListBytes = int64(f.Bytes)
		}
	}
	snap := index.Snapshot()
	defer snap.Close()
	q, err := query.Parse(denseQuestion)
	if err != nil {
		return err
	}
	r.ReadRate = readRate(rateBytes, 3)
	r.Cost, err = measure(c.Rounds, func() (err error) {
		r.Count, err = snap.Count(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	r.ReadRate = max(r.ReadRate, readRate(rateBytes, 3))
	r.Rate = float64(r.ListBytes) / r.Cost.Wall.Seconds()
	if want := denseCount(c.People); r.Count != want {
		return fmt.Errorf("%w: got %d people, want %d", errDiffers, r.Count, want)
	}
	return nil
}

func (r *denseReport) print(w io.Writer, c *denseCommand) error {
	out := bufio.NewWriter(w)
	if r.LoadSeconds > 0 {
		fmt.Fprintf(out, "loaded in %s; ", terminal.Seconds(r.LoadSeconds))
	}
	fmt.Fprintf(out, "%s on disk, the three sets %s; --memory %s; load of the machine %s\n", terminal.Bytes(r.Disk),
		terminal.Bytes(r.ListBytes), c.Memory, r.Load)
	terminal.Table(out, [][]string{
		{"A and B and not C", "people", "counted", "ms", "processor ms", "mallocs", "bytes read",
			"memory, one thread", "share"},
		{"through the database", terminal.Count(c.People), terminal.Count(r.Count), millis(r.Cost.Wall),
			millis(r.Cost.Processor), fmt.Sprint(r.Cost.Mallocs), gigabytes(r.Rate), gigabytes(r.ReadRate),
			fmt.Sprintf("%.0f %%", 100*r.Rate/r.ReadRate)},
	}, 1)
	fmt.Fprintln(out, "compared with a plain computation: equal")
	return out.Flush()
}

func millis(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()*1e3) }
