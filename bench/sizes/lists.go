// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// listsCommand ranks a tenth of the lists of an index.
type listsCommand struct {
	Lists int  `default:"200000000" placeholder:"N" help:"Posting lists of the index, in ten fields (${default})."`
	Top   int  `default:"100" placeholder:"N" help:"How many rows are asked for (${default})."`
	Check bool `help:"Compare the whole ranking with a plain computation, not only what it says of its rows."`
	Asked bool `hidden:"" help:"Open what is there, ask, and print one JSON object."`
	place
}

// Help returns what the help of the command says beside its flags.
func (*listsCommand) Help() string {
	return `Makes an index of ten fields with as many rows each. Every row has a list of 1 to 16 records, 3.5 in the mean. Opens it in
a process of its own, and asks for the top rows of one field by lift within 5 % of the records; the same again without
kernels. The columns are those of Kamke's report.

Example: go run . lists --lists 2000000`
}

// Validate is called when the command line is parsed.
func (c *listsCommand) Validate() error {
	if c.Lists < 1000 || c.Lists > 1<<32 || c.Lists%listFields != 0 {
		return fmt.Errorf("--lists: got %d, want tens from 1000 to %d", c.Lists, 1<<32)
	}
	if c.Top < 1 {
		return fmt.Errorf("--top: got %d, want 1 or more", c.Top)
	}
	return c.place.Validate()
}

const (
	listFields    = 10
	listIndex     = "records"
	listSegments  = 20 // of which one is the audience
	listsTogether = 1 << 14
)

func listField(i int) string { return "f" + strconv.Itoa(i) }

func (c *listsCommand) rows() int    { return c.Lists / listFields }
func (c *listsCommand) records() int { return max(1000, c.Lists/40) }

// segment returns which part of the records one belongs to.
func segment(record uint64) uint64 { return random(record^1<<40) % listSegments }

// row returns the records of a row of a field, not sorted, some of them twice.
func (c *listsCommand) row(field, row int, to []uint64) []uint64 {
	seed := random(uint64(field)<<48 | uint64(row))
	n := max(1, 2<<bits.TrailingZeros64(seed>>32|8)>>bits.TrailingZeros64(seed>>40|4))
	for i := range n {
		to = append(to, random(seed+uint64(i))%uint64(c.records()))
	}
	return to
}

func rowKey(i int) string { return "v" + strconv.FormatInt(int64(i), 36) }

// load makes the records, whose IDs are in their order, with their segments, and then the rows of
// each field.
func (c *listsCommand) load(ctx context.Context, db *uproar.DB, update func(string, int64, int64)) error {
	fields := []uproar.Field{{Name: "segment", Type: uproar.Set}}
	for i := range listFields {
		fields = append(fields, uproar.Field{Name: listField(i), Type: uproar.Set})
	}
	index, err := db.CreateIndex(ctx, listIndex, fields...)
	if err != nil {
		return err
	}
	if err := c.inLoad(ctx, index, func(load *uproar.Loader) error {
		return addRecords(load, c.records(), func(done int) { update("records", int64(done), int64(c.records())) })
	}); err != nil {
		return err
	}
	if err := c.inLoad(ctx, index, c.setSegments); err != nil {
		return err
	}
	for field := range listFields {
		if err := c.inLoad(ctx, index, func(load *uproar.Loader) error {
			var of []uint64
			for row := range c.rows() {
				if row%listsTogether == 0 {
					update("lists", int64(field*c.rows()+row), int64(c.Lists))
				}
				of = c.row(field, row, of[:0])
				if err := load.SetIDs(listField(field), rowKey(row), bitmap.Of(of...)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return index.Flush(ctx)
}

// inLoad has fn fill a load.
func (c *listsCommand) inLoad(ctx context.Context, index *uproar.Index, fn func(*uproar.Loader) error) error {
	load, err := c.begin(ctx, index)
	if err != nil {
		return err
	}
	defer load.Abort()
	if err := fn(load); err != nil {
		return err
	}
	return load.Commit()
}

func (c *listsCommand) setSegments(load *uproar.Loader) error {
	var of [listSegments]bitmap.Builder
	for record := range uint64(c.records()) {
		of[segment(record)].Append(record)
	}
	for i := range of {
		if err := load.SetIDs("segment", "s"+strconv.Itoa(i), of[i].Bitmap(bitmap.Fastest)); err != nil {
			return err
		}
	}
	return nil
}

// Run measures.
func (c *listsCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Asked {
		return c.ask(ctx, con)
	}
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	r := listsReport{Load: load()}
	update, finish := con.Phases()
	defer finish()
	if err := c.prepare(ctx, dir, &r, update); err != nil {
		return err
	}
	finish()
	for _, kernels := range []string{"", "generic"} {
		answer, err := c.inProcess(ctx, dir, kernels)
		if err != nil {
			return err
		}
		r.Answers = append(r.Answers, answer)
	}
	return r.print(con.Out, c)
}

// prepare loads the lists, unless they are there.
func (c *listsCommand) prepare(ctx context.Context, dir string, r *listsReport,
	update func(string, int64, int64)) (err error) {
	db, err := c.database(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, known := db.Index(listIndex); errors.Is(known, uproar.ErrUnknownIndex) {
		began := time.Now()
		if err := c.load(ctx, db, update); err != nil {
			return err
		}
		r.LoadSeconds = time.Since(began).Seconds()
	} else if known != nil {
		return known
	}
	if err := db.Compact(ctx, nil); err != nil {
		return err
	}
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	r.Disk = stats.Store.Total()
	for _, f := range stats.Indexes[0].Fields {
		if f.Type == "set" {
			r.Lists, r.ListBytes = r.Lists+f.Rows, r.ListBytes+f.Bytes
		}
	}
	if want := uint64(c.Lists) + listSegments; r.Lists != want {
		return fmt.Errorf("--dir: got an index of %d lists, want %d, or an empty folder", r.Lists, want)
	}
	return nil
}
