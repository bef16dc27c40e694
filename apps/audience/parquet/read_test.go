// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/parquet"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// imported is what came of an import.
type imported struct {
	t     *testing.T
	index *uproar.Index
	state audience.Progress
	bad   []string
	err   error
}

func (i *imported) check(counts map[string]uint64) {
	i.t.Helper()
	if i.err != nil {
		i.t.Fatal(i.err)
	}
	snap := i.index.Snapshot()
	defer snap.Close()
	for text, want := range counts {
		e, err := query.Parse(text)
		if err != nil {
			i.t.Fatal(err)
		}
		if got, err := snap.Count(i.t.Context(), e); err != nil || got != want {
			i.t.Errorf("%s: got %d, %v records, want %d", text, got, err, want)
		}
	}
}

// read imports a file.
func read(ctx context.Context, t *testing.T, data []byte, strict bool, schema audience.Schema) *imported {
	t.Helper()
	i, im := begin(ctx, t, strict, schema)
	i.finish(im, data)
	return i
}

// begin begins an import.
func begin(ctx context.Context, t *testing.T, strict bool, schema audience.Schema) (*imported, *audience.Import) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	i := &imported{t: t}
	im, err := audience.Begin(ctx, db, "people", schema, audience.Options{Strict: strict,
		Bad: func(e *audience.ValueError) {
			i.bad = append(i.bad, e.Error())
		}})
	if err != nil {
		t.Fatal(err)
	}
	i.index = im.Index()
	return i, im
}

// finish reads a file into an import that was begun.
func (i *imported) finish(im *audience.Import, data []byte) {
	defer im.Abort()
	if i.state, i.err = parquet.Read(im, bytes.NewReader(data), int64(len(data))); i.err == nil {
		i.err = im.Commit()
	}
}

// columns makes a schema, keyed by the column id.
func columns(t *testing.T, texts ...string) audience.Schema {
	t.Helper()
	s := audience.Schema{Key: "id"}
	for _, text := range texts {
		c, err := audience.ParseColumn(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Columns = append(s.Columns, c)
	}
	return s
}

// A file that pyarrow wrote: lists, NULLs, a dictionary, days, times, decimals, two pages of
// version 2 and more.
func TestReadOfAnotherImplementation(t *testing.T) {
	data, err := os.ReadFile("testdata/people.parquet")
	if err != nil {
		t.Fatal(err)
	}
	schema := columns(t, "likes:set", "city:single", "age:integer", "weight:single", "member:single",
		"nothing:single:field=void")
	schema.Columns = append(schema.Columns, audience.Column{Name: "born",
		Field: uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date}},
		audience.Column{Name: "seen", Field: uproar.Field{Name: "seen", Type: uproar.Integer, Format: uproar.Time}},
		audience.Column{Name: "balance", Field: uproar.Field{Name: "balance", Type: uproar.Integer, Scale: 2}})
	i := read(t.Context(), t, data, false, schema)
	i.check(map[string]uint64{"all": 4, "likes = tea": 2, "likes = cake": 1, "likes = coffee": 1, "none(likes)": 2,
		"city = Oslo": 2, "none(city)": 1, "age = 40": 1, "age >= 30": 3, "born = 1996-02-29": 1,
		"born < 1960-01-01":               1,
		"seen = \"2026-01-02T03:04:05Z\"": 1, "seen = \"1969-12-31T23:59:59Z\"": 1, "balance = -1.50": 1,
		"balance = 0.05": 1, "balance = 1234567890123.25": 1, "weight = 61.5": 1, "weight = 70": 1, "weight = NaN": 1,
		"member = true": 2, "any(void)": 0})
	if want := []string{"row 4, column id: got nothing, want the key of a record"}; !slices.Equal(i.bad, want) ||
		i.state.Records != 4 || i.state.Bytes != int64(len(data)) {
		t.Errorf("got %q, %+v, want %q, 4 records, %d bytes", i.bad, i.state, want, len(data))
	}
	// Types that do not fit are told with their row.
	i = read(t.Context(), t, data, false, columns(t, "city:integer", "weight:integer", "likes:single"))
	want := []string{"row 1, column city: city: got \"Oslo\"", "row 1, column weight: weight: got \"61.5\"",
		"row 1, column likes: got a list of several values", "row 3, column city", "row 4, column id",
		"row 5, column city", "row 5, column weight: weight: got \"NaN\"", "row 5, column likes"}
	if len(i.bad) != len(want) || i.err != nil {
		t.Fatalf("got %q, %v, want %q", i.bad, i.err, want)
	}
	for k := range want {
		if !strings.Contains(i.bad[k], want[k]) {
			t.Errorf("got %q, want %q", i.bad[k], want[k])
		}
	}
	i.check(map[string]uint64{"weight = 70": 1, "likes = tea": 1, "likes = coffee": 1})
	if i = read(t.Context(), t, data, true, columns(t, "city:integer")); !errors.As(i.err, new(*audience.ValueError)) ||
		!strings.Contains(i.err.Error(), "row 1, column city") {
		t.Errorf("got %v, want the first bad value", i.err)
	}
	for text, want := range map[string]string{"nested:set": "list of lists", "ctiy:single": "no column \"ctiy\""} {
		if i = read(t.Context(), t, data, false, columns(t, text)); !errors.Is(i.err, audience.ErrTable) ||
			!strings.Contains(i.err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, i.err, want)
		}
	}
}

// person is a row of files that are written here.
type person struct {
	ID    string    `parquet:"id"`
	Likes []string  `parquet:"likes"`
	Tags  []*string `parquet:"tags,list"`
	Age   *int32    `parquet:"age,optional"`
	Size  uint64    `parquet:"size"`
	Group struct {
		A, B int32
	} `parquet:"group"`
}

// write writes a file of random people, in several row groups of small pages.
func write(t *testing.T, people []person, options ...library.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[person](&b, append(options, library.PageBufferSize(700),
		library.MaxRowsPerRowGroup(300))...)
	if _, err := w.Write(people); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func manyRecords(n int) []person {
	rng := rand.New(rand.NewPCG(1, 2))
	people := make([]person, n)
	for i := range people {
		p := &people[i]
		p.ID, p.Size = fmt.Sprint("p", i), uint64(i)
		for range rng.IntN(4) {
			p.Likes = append(p.Likes, fmt.Sprint("like", rng.IntN(20)))
			tag := fmt.Sprint("tag", rng.IntN(20))
			p.Tags = append(p.Tags, nil, &tag)
		}
		if age := int32(rng.IntN(60)); age > 9 {
			p.Age = &age
		}
	}
	return people
}

// What is read is what was written, however it is compressed and cut into pages and row groups.
func TestRead(t *testing.T) {
	people := manyRecords(1000)
	counts := map[string]uint64{"all": 1000}
	for _, p := range people {
		slices.Sort(p.Likes)
		for _, like := range slices.Compact(slices.Clone(p.Likes)) {
			counts["likes = "+like]++
		}
		var tags []string
		for _, tag := range p.Tags {
			if tag != nil {
				tags = append(tags, *tag)
			}
		}
		slices.Sort(tags)
		for _, tag := range slices.Compact(tags) {
			counts["tags = "+tag]++
		}
		if p.Age == nil {
			counts["none(age)"]++
		} else {
			counts[fmt.Sprint("age = ", *p.Age)]++
		}
		counts["size = "+fmt.Sprint(p.Size)]++
	}
	for name, options := range map[string][]library.WriterOption{
		"plain": nil, "snappy": {library.Compression(&library.Snappy)},
		"zstd, version 1":       {library.Compression(&library.Zstd), library.DataPageVersion(1)},
		"gzip":                  {library.Compression(&library.Gzip)},
		"dictionaries":          {library.DefaultEncoding(&library.RLEDictionary)},
		"dictionaries that end": {library.DefaultEncoding(&library.RLEDictionary), library.DictionaryMaxBytes(100)},
	} {
		t.Run(name, func(t *testing.T) {
			i := read(t.Context(), t, write(t, people, options...), true,
				columns(t, "likes:set:column=fast", "tags:set", "age:integer", "size:integer"))
			i.check(counts)
			if i.state.Records != 1000 || i.state.Bad != 0 {
				t.Errorf("got %+v, want 1000 records", i.state)
			}
		})
	}
}

// TestReadDamaged reads files that are cut off, damaged, or no Parquet. Each is an error or read
// without one; none ends the process.
func TestReadDamaged(t *testing.T) {
	data := write(t, manyRecords(400))
	schema := columns(t, "likes:set", "tags:set", "age:integer")
	for name, bad := range map[string][]byte{"empty": nil, "text": []byte("id,likes\nann,tea\n"),
		"cut": data[:len(data)/2], "without head": data[len(data)/2:]} {
		if i := read(t.Context(), t, bad, false, schema); !errors.Is(i.err, audience.ErrTable) {
			t.Errorf("%s: got %v, want ErrTable", name, i.err)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		bad := slices.Clone(data)
		at := rng.IntN(len(bad) * 3 / 4) // pages; the footer may ask the library for any amount of memory
		bad[at] ^= byte(1 + rng.IntN(255))
		if i := read(t.Context(), t, bad, false, schema); i.err != nil && !errors.Is(i.err, audience.ErrTable) {
			t.Errorf("byte %d: got %v, want ErrTable or nothing", at, i.err)
		}
	}
	if i := read(t.Context(), t, data, false, columns(t, "group:set")); !errors.Is(i.err, audience.ErrTable) ||
		!strings.Contains(i.err.Error(), "group") {
		t.Errorf("got %v, want ErrTable", i.err)
	}
}

func TestReadCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	i, im := begin(ctx, t, false, columns(t, "likes:set"))
	cancel()
	if i.finish(im, write(t, manyRecords(10))); !errors.Is(i.err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", i.err)
	}
}
