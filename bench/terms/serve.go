// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
)

// indexName is that of the documents.
const indexName = "documents"

// document is a line of the corpus.
type document struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Sort uint32 `json:"sort_field"` // that queries of others order by
}

// build makes the index of the documents of a corpus, in a folder.
func build(ctx context.Context, dir string, memory int64, corpus io.Reader) (err error) {
	db, err := command.Open(ctx, dir, &uproar.Options{MemoryBytes: memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	load, err := db.LoadIndex(ctx, indexName, []uproar.Field{{Name: field, Type: uproar.Set}}, nil, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	lines := bufio.NewReaderSize(corpus, 1<<20)
	var words []string
	for {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var d document
			if err := json.Unmarshal(line, &d); err != nil {
				return fmt.Errorf("terms: line %.80q: %w", line, err)
			}
			if err := load.AddRecord(d.ID); err != nil {
				return err
			}
			words = split(words[:0], d.Text)
			for _, w := range words {
				if err := load.Set(field, d.ID, w); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			return load.Commit()
		}
		if err != nil {
			return err
		}
	}
}

// serve answers the lines of in as the benchmark asks: a command, a tab and a query. The answer is
// a number, or UNSUPPORTED.
func serve(ctx context.Context, dir string, memory int64, in io.Reader, out io.Writer) (err error) {
	db, err := command.Open(ctx, dir, &uproar.Options{MemoryBytes: memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	index, err := db.Index(indexName)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	var answer []byte
	for lines.Scan() {
		word, text, _ := strings.Cut(lines.Text(), "\t")
		n, err := count(ctx, index, word, text)
		switch {
		case err == nil:
			answer = strconv.AppendUint(answer[:0], n, 10)
		case errors.Is(err, errUnsupported):
			answer = append(answer[:0], "UNSUPPORTED"...)
		default:
			return err
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// count carries out a command.
func count(ctx context.Context, index *uproar.Index, word, text string) (uint64, error) {
	if word != "COUNT" && word != "UNOPTIMIZED_COUNT" {
		return 0, errUnsupported
	}
	q, err := parse(text)
	if err != nil {
		return 0, err
	}
	snap := index.Snapshot()
	defer snap.Close()
	return snap.Count(ctx, q)
}
