// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/uproar-db/uproar/api"
)

// The media types of exports.
const (
	mediaCSV     = "text/csv"
	mediaNDJSON  = "application/x-ndjson"
	mediaParquet = "application/vnd.apache.parquet"
	mediaArrow   = "application/vnd.apache.arrow.stream"
)

// contents are how many people there are, and a sum of the hashes of their keys and values, in
// whatever order they come.
type contents struct{ people, sum uint64 }

// add adds a person. values returns the text of a field.
func (c *contents) add(key string, values func(field string) string) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", key)
	for i, f := range fields {
		text := values(f.Name)
		if i == likesAt {
			text = sorted(text)
		}
		fmt.Fprintf(h, "%q", text)
	}
	c.people++
	c.sum += h.Sum64()
}

// drawn returns the contents of the first people that are drawn.
func drawn(n int) (c contents) {
	for i := range n {
		p := draw(i)
		at := 0
		c.add(p.key, func(string) string { at++; return p.values[at-1] })
	}
	return c
}

// compare reads an export, and fails unless it has the first n people, and nobody else.
func compare(ctx context.Context, url, media string, n int) error {
	read := map[string]func(io.Reader) (contents, error){
		mediaCSV: readCSV, mediaNDJSON: readNDJSON, mediaArrow: readArrow,
		mediaParquet: func(in io.Reader) (contents, error) { return readParquet(ctx, url, in) },
	}[media]
	body, err := find(ctx, url, media, indexName)
	if err != nil {
		return err
	}
	got, err := read(body)
	if err = errors.Join(err, body.Close()); err != nil {
		return fmt.Errorf("export as %s: %w", media, err)
	}
	if want := drawn(n); got != want {
		return fmt.Errorf("export as %s: got %d people of sum %x, want %d of %x: they are not those that were written", media,
			got.people, got.sum, want.people, want.sum)
	}
	return nil
}

func readCSV(in io.Reader) (c contents, err error) {
	rows := csv.NewReader(bufio.NewReader(in))
	header, err := rows.Read()
	if err != nil {
		return c, err
	}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		values := make(map[string]string, len(row))
		for i, name := range header {
			values[name] = row[i]
		}
		c.add(values["key"], func(field string) string { return values[field] })
	}
}

func readNDJSON(in io.Reader) (c contents, err error) {
	lines := json.NewDecoder(bufio.NewReader(in))
	for {
		var r api.Record
		if err := lines.Decode(&r); err == io.EOF {
			return c, nil
		} else if err != nil {
			return c, err
		}
		c.add(r.Key, func(field string) string { return plain(r.Values[field]) })
	}
}

func readArrow(in io.Reader) (c contents, err error) {
	rows, err := ipc.NewReader(bufio.NewReader(in))
	if err != nil {
		return c, err
	}
	defer rows.Release()
	for rows.Next() {
		batch := rows.RecordBatch()
		columns := make(map[string]arrow.Array)
		for i, f := range batch.Schema().Fields() {
			columns[f.Name] = batch.Column(i)
		}
		for i := range int(batch.NumRows()) {
			c.add(arrowText(columns["key"], i), func(field string) string { return arrowText(columns[field], i) })
		}
	}
	return c, rows.Err()
}

// arrowText returns a value of a column of Arrow as people have it.
func arrowText(of arrow.Array, i int) string {
	switch of := of.(type) {
	case *array.String:
		return of.Value(i)
	case *array.List:
		from, to := of.ValueOffsets(i)
		var list []string
		for k := from; k < to; k++ {
			list = append(list, of.ListValues().(*array.String).Value(int(k)))
		}
		return strings.Join(list, "|")
	case *array.Decimal128:
		return of.Value(i).ToString(of.DataType().(*arrow.Decimal128Type).Scale)
	case *array.Timestamp:
		return of.Value(i).ToTime(arrow.Second).UTC().Format(time.RFC3339)
	case nil:
		return "no column"
	}
	return of.ValueStr(i)
}

// readParquet imports a file into an index of its own, and reads that: only our importer is at
// hand.
func readParquet(ctx context.Context, url string, in io.Reader) (c contents, err error) {
	const again = indexName + "_again"
	file, err := os.CreateTemp("", "bench-records-*.parquet")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	size, err := io.Copy(file, in)
	if err != nil {
		return c, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/v1/import?key=key&index="+again,
		io.NewSectionReader(file, 0, size))
	if err != nil {
		return c, err
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", mediaParquet)
	imported, err := answered(req)
	if err != nil {
		return c, err
	}
	if err := imported.Close(); err != nil {
		return c, err
	}
	body, err := find(ctx, url, mediaNDJSON, again)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	return readNDJSON(body)
}

// find asks for all records of an index in a format.
func find(ctx context.Context, url, media, index string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/v1/records/find",
		strings.NewReader(`{"index":"`+index+`","q":"all"}`))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", media)
	return answered(req)
}

// plainly asks for answers that are not compressed, as a client on the same machine does.
var plainly = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// answered returns the body of an answer, which is no error.
func answered(req *http.Request) (io.ReadCloser, error) {
	resp, err := plainly.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == 200 {
		return resp.Body, nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	refused := fmt.Errorf("%s: got status %d: %s", req.URL.Path, resp.StatusCode, bytes.TrimSpace(text))
	return nil, errors.Join(refused, err, resp.Body.Close())
}
