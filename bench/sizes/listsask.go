// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// listsReport is what was measured.
type listsReport struct {
	Load        string
	LoadSeconds float64 // 0: they were there
	Disk        int64
	Lists       uint64
	ListBytes   uint64
	Answers     []*listsAnswer // with kernels, and without
}

// listsAnswer is what a process has measured.
type listsAnswer struct {
	Kernels  string // "": all that the processor has
	Open     time.Duration
	Resident int64 // memory of the process once the index was open, without files; 0: not known
	Heap     uint64
	Audience uint64
	Cost     cost
	Compared int // rows
}

// inProcess measures in a process of its own.
func (c *listsCommand) inProcess(ctx context.Context, dir, kernels string) (*listsAnswer, error) {
	args := []string{"lists", "--asked", "--dir", dir, "--lists", strconv.Itoa(c.Lists), "--top", strconv.Itoa(c.Top),
		"--memory", fmt.Sprint(int64(c.Memory)) + "B", "--rounds", strconv.Itoa(c.Rounds), "--store", c.Store,
		fmt.Sprintf("--check=%v", c.Check)}
	command := exec.CommandContext(ctx, os.Args[0], args...)
	if command.Env = append(os.Environ(), asked+"=1"); kernels != "" {
		command.Env = append(command.Env, "UPROAR_KERNELS="+kernels)
	}
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the process that asks: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	answer := new(listsAnswer)
	if err := json.Unmarshal(out, answer); err != nil {
		return nil, fmt.Errorf("the process that asks: %w", err)
	}
	return answer, nil
}

// asked is a variable of the environment by which a test knows that it is to be that process.
const asked = "UPROAR_SIZES_ASKED"

// ask opens the index, asks, and prints what it took.
func (c *listsCommand) ask(ctx context.Context, con *terminal.Console) (err error) {
	a := listsAnswer{Kernels: os.Getenv("UPROAR_KERNELS")}
	began := time.Now()
	db, err := c.database(ctx, c.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	index, err := db.Index(listIndex)
	if err != nil {
		return err
	}
	snap := index.Snapshot()
	defer snap.Close()
	a.Open = time.Since(began)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	a.Resident, a.Heap = resident(), memory.HeapAlloc
	audience, err := snap.Select(ctx, query.Field("segment").Is("s0"))
	if err != nil {
		return err
	}
	a.Audience = audience.Len()
	var top []uproar.Ranked
	if a.Cost, err = measure(c.Rounds, func() (err error) {
		top, err = audience.Top(ctx, listField(0), uproar.TopOptions{By: uproar.ByLift, Limit: c.Top})
		return err
	}); err != nil {
		return err
	}
	if a.Compared, err = c.compare(top); err != nil {
		return err
	}
	return json.NewEncoder(con.Out).Encode(a)
}

// resident returns the memory of this process that is not of files, in bytes.
func resident() int64 {
	text, _ := os.ReadFile("/proc/self/status")
	_, text, _ = bytes.Cut(text, []byte("\nRssAnon:"))
	text, _, _ = bytes.Cut(text, []byte(" kB"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n << 10
}

// counted is what a plain computation says of a row.
type counted struct {
	row          int
	count, total uint64
}

// count counts the records of a row of the first field, in the audience and in all.
func (c *listsCommand) count(row int, scratch []uint64) (counted, []uint64) {
	scratch = c.row(0, row, scratch[:0])
	slices.Sort(scratch)
	scratch = slices.Compact(scratch)
	x := counted{row: row, total: uint64(len(scratch))}
	for _, record := range scratch {
		if segment(record) == 0 {
			x.count++
		}
	}
	return x, scratch
}

// compare compares what was answered with a plain computation: what it says of its rows, and that
// they are in order; with --check also that no other row belongs there.
func (c *listsCommand) compare(top []uproar.Ranked) (rows int, err error) {
	var got []counted
	var scratch []uint64
	for _, r := range top {
		row, err := strconv.ParseInt(strings.TrimPrefix(r.Key, "v"), 36, 64)
		if err != nil || row < 0 || row >= int64(c.rows()) {
			return 0, fmt.Errorf("%w: got the row %q", errDiffers, r.Key)
		}
		var want counted
		if want, scratch = c.count(int(row), scratch); r.Count != want.count || r.Total != want.total {
			return 0, fmt.Errorf("%w: row %q: got %d of %d records, want %d of %d", errDiffers, r.Key, r.Count,
				r.Total, want.count, want.total)
		}
		got = append(got, want)
	}
	if !slices.IsSortedFunc(got, byLift) {
		return 0, fmt.Errorf("%w: the rows are not in the order of their lift", errDiffers)
	}
	if !c.Check {
		return len(top), nil
	}
	var all []counted
	for row := range c.rows() {
		var x counted
		if x, scratch = c.count(row, scratch); x.count > 0 {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, byLift)
	if want := all[:min(len(all), c.Top)]; !slices.Equal(got, want) {
		return 0, fmt.Errorf("%w: got the rows %v, want %v", errDiffers, got, want)
	}
	return len(all), nil
}

// byLift compares rows as a ranking by lift does.
func byLift(a, b counted) int {
	return cmp.Or(cmp.Compare(b.count*a.total, a.count*b.total), cmp.Compare(b.count, a.count),
		cmp.Compare(a.row, b.row))
}

func (r *listsReport) print(w io.Writer, c *listsCommand) error {
	out := bufio.NewWriter(w)
	if r.LoadSeconds > 0 {
		fmt.Fprintf(out, "loaded in %s; ", terminal.Seconds(r.LoadSeconds))
	}
	fmt.Fprintf(out, "%s posting lists of %s records; %s on disk, the lists %s; --memory %s; load of the machine %s\n",
		terminal.Count(r.Lists), terminal.Count(c.records()), terminal.Bytes(r.Disk), terminal.Bytes(r.ListBytes),
		c.Memory, r.Load)
	rows := [][]string{{"top " + strconv.Itoa(c.Top) + " by lift", "lists", "of records", "CPU, ms", "mallocs", "bytes",
		"wall, ms", "ns a list", "opened in, ms", "memory then"}}
	for _, a := range r.Answers {
		name := "kernels of the processor"
		if a.Kernels != "" {
			name = a.Kernels
		}
		rows = append(rows, []string{name, terminal.Count(c.rows()), terminal.Count(a.Audience),
			millis(a.Cost.Processor), fmt.Sprint(a.Cost.Mallocs), terminal.Bytes(a.Cost.Bytes), millis(a.Cost.Wall),
			fmt.Sprintf("%.1f", float64(a.Cost.Wall)/float64(c.rows())), millis(a.Open),
			terminal.Bytes(a.Resident)})
	}
	terminal.Table(out, rows, 1)
	fmt.Fprintf(out, "compared with a plain computation: %s, equal\n",
		terminal.Plural(int64(r.Answers[0].Compared), "row"))
	return out.Flush()
}
