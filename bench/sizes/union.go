// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
)

// unionCommand counts a union of many stored sets.
type unionCommand struct {
	Sets int `default:"100000" placeholder:"N" help:"Sets that are stored (${default})."`
	Each int `default:"100" placeholder:"N" help:"Values of a set, in the mean (${default})."`
	place
}

// Help returns what the help of the command says beside its flags.
func (*unionCommand) Help() string {
	return `Stores sets of 64-bit values, each under a key of its own, and counts their union: of views over bytes that are in
memory, and of sets that are read from the store first. Values lie in 64 regions of all 64 bits, where sets overlap. One
set in ten has ten times as many values as the others. Beside it stands how long one thread takes to read the bytes.

Example: go run . union64 --sets 10000`
}

// Validate is called when the command line is parsed.
func (c *unionCommand) Validate() error {
	if c.Sets < 1 || c.Each < 1 || c.Sets > 1<<28 || c.Each > 1<<16 {
		return fmt.Errorf("--sets and --each: got %d and %d, want 1 to %d and %d", c.Sets, c.Each, 1<<28, 1<<16)
	}
	return c.place.Validate()
}

const (
	regions    = 64      // where values lie
	regionSize = 1 << 18 // values of a region
)

// values returns the values of a set, not sorted, some of them twice.
func (c *unionCommand) values(set int, to []uint64) []uint64 {
	n := max(1, c.Each/2) // one set in ten has ten times as many: 1.9 times in the mean
	if set%10 == 0 {
		n *= 10
	}
	base := random(random(uint64(set)) % regions)
	for i := range n {
		to = append(to, base&^(regionSize-1)|random(uint64(set)<<20|uint64(i))%regionSize)
	}
	return to
}

// unionReport is what was measured.
type unionReport struct {
	Load         string
	Disk, Bytes  int64 // of the store, and of the sets
	Values       uint64
	Count        uint64
	Views, Reads cost
	ReadRate     float64
}

// Run measures.
func (c *unionCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	s, err := c.OpenStore(dir, int64(c.Memory))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := c.fill(s); err != nil {
		return err
	}
	r := unionReport{Load: load()}
	if size, ok := s.(store.Sizer); ok {
		all, err := size.Size()
		if err != nil {
			return err
		}
		r.Disk = all.Total()
	}
	if err := r.measure(ctx, s, c); err != nil {
		return err
	}
	return r.print(con.Out, c)
}

// fill stores the sets, unless they are there.
func (c *unionCommand) fill(s store.Store) error {
	n := 0
	if err := s.Keys(nil, nil, func([]byte) error { n++; return nil }); err != nil || n == c.Sets {
		return err
	}
	if n > 0 {
		return fmt.Errorf("--dir: got a folder of %d sets, want %d, or an empty one", n, c.Sets)
	}
	var b store.Batch
	var values []uint64
	for set := range c.Sets {
		values = c.values(set, values[:0])
		b.Put(binary.BigEndian.AppendUint64(nil, uint64(set)), bitmap.Of(values...).Bytes())
		if b.Len() == 512 || set == c.Sets-1 {
			if err := s.Apply(&b, true); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return nil
}

// stored is sets that were read.
type stored struct {
	bytes []byte
	ends  []int
	views []bitmap.View
}

// read reads all sets of a store into memory that is used again.
func (a *stored) read(s store.Store) error {
	a.bytes, a.ends, a.views = a.bytes[:0], a.ends[:0], a.views[:0]
	err := s.Scan(nil, nil, func(_, value []byte) error {
		a.bytes = append(a.bytes, value...)
		a.ends = append(a.ends, len(a.bytes))
		return nil
	})
	from := 0
	for _, end := range a.ends {
		v, bad := bitmap.Open(a.bytes[from:end:end])
		if err = errors.Join(err, bad); err != nil {
			return err
		}
		a.views, from = append(a.views, v), end
	}
	return err
}

func (r *unionReport) measure(ctx context.Context, s store.Store, c *unionCommand) (err error) {
	var all stored
	r.ReadRate = readRate(rateBytes, 3)
	if err := all.read(s); err != nil {
		return err
	}
	r.Bytes = int64(len(all.bytes))
	for _, v := range all.views {
		r.Values += v.Len()
	}
	if r.Views, err = measure(c.Rounds, func() error {
		r.Count = bitmap.OrAllLen(all.views...)
		return ctx.Err()
	}); err != nil {
		return err
	}
	read := uint64(0)
	if r.Reads, err = measure(c.Rounds, func() error {
		err := all.read(s)
		if err == nil {
			read = bitmap.OrAllLen(all.views...)
		}
		return errors.Join(err, ctx.Err())
	}); err != nil {
		return err
	}
	if want := c.union(); r.Count != want || read != want {
		return fmt.Errorf("%w: got %d and %d values, want %d", errDiffers, r.Count, read, want)
	}
	return nil
}

// union counts the union without bitmaps.
func (c *unionCommand) union() uint64 {
	var all []uint64
	for set := range c.Sets {
		all = c.values(set, all)
	}
	slices.Sort(all)
	return uint64(len(slices.Compact(all)))
}

func (r *unionReport) print(w io.Writer, c *unionCommand) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s sets of 64-bit values, %s values, %s; %s on disk; load of the machine %s\n",
		terminal.Count(c.Sets), terminal.Count(r.Values), terminal.Bytes(r.Bytes), terminal.Bytes(r.Disk), r.Load)
	limit := time.Duration(float64(r.Bytes) / r.ReadRate * 1e9)
	rows := [][]string{{"union, counted", "values", "ms", "processor ms", "mallocs", "bytes", "reading the bytes, ms"}}
	for _, l := range []struct {
		name string
		cost cost
	}{{"of views in memory", r.Views}, {"read from the store first", r.Reads}} {
		rows = append(rows, []string{l.name, terminal.Count(r.Count), millis(l.cost.Wall), millis(l.cost.Processor),
			fmt.Sprint(l.cost.Mallocs), terminal.Bytes(l.cost.Bytes), millis(limit)})
	}
	terminal.Table(out, rows, 1)
	fmt.Fprintln(out, "compared with a plain computation: equal")
	return out.Flush()
}
