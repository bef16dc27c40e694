// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// ImportOptions says how edge lists are read. The zero value finds out.
type ImportOptions struct {
	Separator string  // "comma", "semicolon", "tab", "pipe", "spaces", "json", or "" to find out
	Header    string  // "yes", "no", or "" to find out
	Strict    bool    // the first bad line ends the import
	MaxBad    float64 // share of the lines that may be bad, and are left out, up to 1; 0: 0.9; negative: none
	Cluster   bool    // new accounts get IDs by community
}

// Import adds an edge list, plain or compressed with gzip, zstd or bzip2, all of it or nothing. It
// is sent while it is read, however long it is, and never again by itself.
func (g Graph) Import(ctx context.Context, list io.Reader, opts ImportOptions) (reply api.ImportReply, err error) {
	query := url.Values{}
	for name, value := range map[string]string{"separator": opts.Separator, "header": opts.Header} {
		if value != "" {
			query.Set(name, value)
		}
	}
	setFlags(query, map[string]bool{"strict": opts.Strict, "cluster": opts.Cluster})
	setShare(query, opts.MaxBad)
	err = sendParts(ctx, g.c, "/v1/graph/import", query, []part{{"", list}}, &reply)
	return reply, err
}

// CatalogImportOptions says how the table of a catalog is read.
type CatalogImportOptions struct {
	Schema    io.Reader // JSON, as uproar import catalog takes it; nil: the catalog is there, and keeps its schema
	Separator string    // "comma", "semicolon", "tab", "pipe", or "" to find out
	Strict    bool      // the first bad line ends the import
	MaxBad    float64   // share of the lines that may be bad, and are left out: from 0, none, to 1
	Empty     bool      // a table without a record may replace the catalog
	Check     bool      // everything is read and checked, and nothing is replaced
}

// Import replaces all records of the catalog, at once, with those of a table, or makes the catalog.
// The table is CSV with a header, plain or compressed with gzip, zstd or bzip2. Import sends it
// while it reads it, however long it is, and never sends it again. After an error the catalog is as
// before, unless the error is that the answer got lost.
func (c Catalog) Import(ctx context.Context, table io.Reader, opts CatalogImportOptions) (reply api.CatalogImportReply,
	err error) {
	query := url.Values{"catalog": {c.name}}
	if opts.Separator != "" {
		query.Set("separator", opts.Separator)
	}
	setFlags(query, map[string]bool{"strict": opts.Strict, "empty": opts.Empty, "check": opts.Check})
	setShare(query, opts.MaxBad)
	var parts []part
	if opts.Schema != nil {
		parts = append(parts, part{"application/json", opts.Schema})
	}
	err = sendParts(ctx, c.c, "/v1/catalog/import", query, append(parts, part{"text/csv", table}), &reply)
	return reply, err
}

// TableImportOptions says how a table is read. The zero value finds out.
type TableImportOptions struct {
	Schema    *api.TableSchema // nil: that of the index, or of a new one by the first rows of the table
	Key       string           // column of the keys; "" to find out, or that of the schema
	Null      []string         // texts that stand for no value, beside the empty one; with a schema it has them
	Format    string           // "csv", "tsv", "ndjson", "parquet", or "" to find out
	Separator string           // "comma", "semicolon", "tab", "pipe", or "" to find out
	Unique    bool             // two rows of the same key end the import, as they do if the key was found out
	Ignore    bool             // columns that are no fields of the index are left out
	Strict    bool             // the first bad value or line ends the import
	MaxBad    float64          // share of lines and values that may be bad, and are left out: from 0, none, to 1
	Check     bool             // everything is read and checked, and nothing is imported
}

// Import puts the records of a table into an index, all of them or none, or makes the index. The
// table is plain or compressed with gzip, zstd or bzip2. Import sends it while it reads it, however
// long it is, and never sends it again. After an error nothing was imported, unless the error is
// that the answer got lost.
func (c *Client) Import(ctx context.Context, index string, table io.Reader,
	opts TableImportOptions) (reply api.TableImportReply, err error) {
	query := url.Values{"index": {index}}
	for name, value := range map[string]string{"key": opts.Key, "format": opts.Format, "separator": opts.Separator} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(opts.Null) > 0 {
		query["null"] = opts.Null
	}
	setFlags(query, map[string]bool{"unique": opts.Unique, "ignore": opts.Ignore, "strict": opts.Strict,
		"check": opts.Check})
	setShare(query, opts.MaxBad)
	var parts []part
	if opts.Schema != nil {
		text, err := json.Marshal(opts.Schema)
		if err != nil {
			return reply, fmt.Errorf("client: schema: %w", err)
		}
		parts = append(parts, part{"application/json", bytes.NewReader(text)})
	}
	err = sendParts(ctx, c, "/v1/import", query, append(parts, part{"", table}), &reply)
	return reply, err
}

// setShare sets the parameter of what may be bad, unless that is 0; negative: none.
func setShare(query url.Values, share float64) {
	if share != 0 {
		query.Set("bad", strconv.FormatFloat(max(0, share)*100, 'g', -1, 64)+"%")
	}
}

// setFlags sets the parameters that are true.
func setFlags(query url.Values, flags map[string]bool) {
	for name, value := range flags {
		if value {
			query.Set(name, "true")
		}
	}
}

// part is a part of a body, with its media type, "" for none.
type part struct {
	media string
	text  io.Reader
}

// sendParts sends parts while they are read, and reads the reply. The server sees the end of each
// part, so that it does not take one that breaks off for a whole one.
func sendParts(ctx context.Context, c *Client, path string, query url.Values, list []part, reply any) error {
	findWriter(ctx, c)
	body, in := io.Pipe()
	sent := make(chan struct{})
	defer func() { // nothing is read any more when this returns
		_ = body.Close()
		<-sent
	}()
	parts := multipart.NewWriter(in)
	go func() {
		defer close(sent)
		_ = in.CloseWithError(writeParts(parts, list))
	}()
	r := request{method: http.MethodPost, path: path, query: query, contentType: "multipart/mixed; boundary=" +
		parts.Boundary(), writes: true}
	resp, err := c.send(ctx, r, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return c.read(ctx, r, resp, reply)
}

func writeParts(to *multipart.Writer, list []part) error {
	for _, p := range list {
		header := textproto.MIMEHeader{}
		if p.media != "" {
			header.Set("Content-Type", p.media)
		}
		part, err := to.CreatePart(header)
		if err != nil {
			return err
		}
		if _, err := io.Copy(part, p.text); err != nil {
			return err
		}
	}
	return to.Close()
}
