// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
)

const indexName = "people"

// serve serves the database in a folder until it is told to stop, and writes its address to stdout.
func serve(ctx context.Context, stdout io.Writer, dir string, memory int64) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	db, err := command.Open(ctx, dir, &uproar.Options{MemoryBytes: memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s, err := server.New(db, &server.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	return s.Serve(ctx, ln)
}

// served is a server of Uproar, asked over HTTP.
type served struct{ *client.Client }

func (u served) write(ctx context.Context, list []person) error {
	req := api.RecordsWriteRequest{Index: indexName, Puts: make([]api.Record, len(list))}
	for i := range list {
		var err error
		if req.Puts[i], err = list[i].record(); err != nil {
			return err
		}
	}
	_, err := u.WriteRecords(ctx, req)
	return err
}

func (u served) read(ctx context.Context, keys []string) ([]map[string]string, error) {
	records, err := u.Records(ctx, indexName, keys)
	if err != nil {
		return nil, err
	}
	people := make([]map[string]string, len(records))
	for i, r := range records {
		people[i] = make(map[string]string, len(fields))
		for name, raw := range r.Values {
			people[i][name] = plain(raw)
		}
	}
	return people, nil
}

// plain returns a value as text: a number, a text, or texts with | between them.
func plain(raw json.RawMessage) string {
	var texts []string
	var text string
	switch {
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return text
	case raw[0] == '[' && json.Unmarshal(raw, &texts) == nil:
		return strings.Join(texts, "|")
	}
	return string(raw)
}

// page asks for a page of those who pay, by what they have paid.
func (u served) page(ctx context.Context, cursor string) (next string, err error) {
	r, err := u.FindRecords(ctx, api.RecordsFindRequest{Index: indexName, Query: client.Text("plan = pro"),
		Sort: []string{"-paid"}, Limit: 100, Cursor: cursor})
	if err == nil && len(r.Records) == 0 {
		err = errors.New("got a page without records")
	}
	return r.Cursor, err
}

// export reads all records in a format, and returns how many bytes they have.
func export(ctx context.Context, url, media string) (n int64, err error) {
	body, err := find(ctx, url, media, indexName)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(io.Discard, body)
	return n, errors.Join(err, body.Close())
}

func (u served) close() error { u.Close(); return nil }
