// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// tableMedia are the media types of one table.
var tableMedia = []string{"application/octet-stream", "application/gzip", "application/zstd", "application/x-bzip2",
	"text/csv", "text/tab-separated-values"}

// maxSchema is how many bytes the schema of a catalog may have as JSON.
const maxSchema = 1 << 20

// importRequest is the parameters of an import of a catalog.
type importRequest struct {
	name                 string
	separator            table.Separator
	strict, check, empty bool
	maxBad               float64
}

func decodeCatalogImport(query string) (req importRequest, err error) {
	p := call.ParseParams(query)
	req.name, req.strict, req.check, req.empty = p.Required("catalog"), p.Flag("strict"), p.Flag("check"),
		p.Flag("empty")
	req.maxBad, _ = p.Share("bad")
	separator, _ := p.Optional("separator")
	if req.separator, err = table.ParseSeparator(separator); err != nil {
		p.Fail(call.Invalid("parameter \"separator\" is %s, want detect, comma, semicolon, tab or pipe",
			call.Quote(separator)))
	}
	return req, p.Finish()
}

// importCatalog puts the records of tables in the place of all that a catalog has, or makes it.
func (h *Handlers) importCatalog(_ context.Context, c call.Request) (call.Reply, error) {
	req, err := decodeCatalogImport(c.Query)
	if err != nil {
		return nil, err
	}
	return h.uploads.Receive(&c, tableMedia, func(ctx context.Context, in *upload.ImportBody) (call.Reply, error) {
		if err := dependents.CheckName(h.db, req.name); err != nil {
			return nil, err
		}
		schema, err := h.importSchema(in, req.name)
		if err != nil {
			return nil, err
		}
		r, err := catalog.Replace(ctx, h.db, req.name, schema, catalog.ReplaceOptions{MaxBad: req.maxBad,
			Empty: req.empty})
		if err != nil {
			return nil, err
		}
		defer r.Abort()
		im := tablesImport{importRequest: req, in: in, r: r, sum: api.CatalogImportReply{BadLines: []string{}}}
		if err := im.readAll(ctx); err != nil || req.check {
			return im.sum, err
		}
		return im.sum, r.Commit(ctx)
	})
}

// importSchema returns the schema that a body begins with, or that the catalog has.
func (h *Handlers) importSchema(in *upload.ImportBody, name string) (*catalog.Schema, error) {
	first, err := in.Next()
	switch {
	case err == nil && first.Media == call.ContentJSON:
		return readSchema(in, first)
	case err == nil:
		in.Unread(first)
	case err != io.EOF: // which it will be again
		return nil, in.Broken(err)
	}
	of, err := h.catalog(name)
	if errors.Is(err, catalog.ErrUnknownCatalog) {
		return nil, &api.Error{Code: api.CodeUnknownIndex,
			Message: call.Public(err) + "; to make it, send " + upload.PartsMedia +
				" with the schema, as " + call.ContentJSON + ", before the table"}
	}
	if err != nil {
		return nil, err
	}
	return of.Schema()
}

// readSchema reads the part of a body that is a schema.
func readSchema(in *upload.ImportBody, part io.Reader) (*catalog.Schema, error) {
	text, err := io.ReadAll(io.LimitReader(part, maxSchema+1))
	switch {
	case err != nil:
		return nil, in.Broken(err)
	case len(text) > maxSchema:
		return nil, &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("the schema has more than %d bytes",
			maxSchema)}
	case call.InvalidUTF8(text) >= 0:
		return nil, call.Invalid("the schema is not valid UTF-8 at byte %d", call.InvalidUTF8(text))
	}
	schema, err := catalog.ParseSchema(text)
	if err != nil {
		return nil, call.Invalid("%s", upload.Wrong("", err))
	}
	if err := (call.JSONChecker{Of: reflect.TypeFor[catalog.Schema]()}).Check(text); err != nil {
		return nil, call.Invalid("schema%s", strings.TrimPrefix(call.Failure(err).Message, "body"))
	}
	return schema, nil
}

// tablesImport is tables that are read into a replacement.
type tablesImport struct {
	importRequest
	in  *upload.ImportBody
	r   *catalog.Replacement
	sum api.CatalogImportReply
}

// readAll reads all tables of the body.
func (im *tablesImport) readAll(ctx context.Context) error {
	for tables := 0; ; tables++ {
		table, err := im.in.Next()
		switch {
		case err == io.EOF && tables == 0 && im.check:
			return nil // which only asks whether an import would be refused at once
		case err == io.EOF && tables == 0:
			return call.Invalid("body has no table; nothing was imported")
		case err == io.EOF:
			return im.verdict()
		case err != nil:
			return im.in.Broken(err)
		}
		if err := im.read(ctx, table); err != nil {
			return im.in.Broken(err)
		}
	}
}

// verdict fails if what was read is not to replace the catalog.
func (im *tablesImport) verdict() error {
	err := im.r.Check()
	switch {
	case errors.Is(err, catalog.ErrTooManyBad):
		return call.Invalid("%s; nothing was imported; parameter \"bad\" says what share may be left out",
			upload.Wrong("", err))
	case errors.Is(err, catalog.ErrEmpty):
		return call.Invalid("%s; nothing was imported; parameter \"empty\" says that it is meant", upload.Wrong("",
			err))
	}
	return err
}

// read reads a table.
func (im *tablesImport) read(ctx context.Context, table upload.ImportText) error {
	records, bad, err := im.r.Read(ctx, catalog.Table{Separator: rune(im.separator),
		Bad: func(e *catalog.LineError) error {
			if im.strict {
				return call.Invalid("%s; nothing was imported", upload.Wrong(table.Name, e))
			}
			if len(im.sum.BadLines) < upload.MaxBadLines {
				im.sum.BadLines = append(im.sum.BadLines, upload.Wrong(table.Name, e))
			}
			return nil
		}}, table)
	im.sum.Records, im.sum.Bad = im.sum.Records+records, im.sum.Bad+bad
	return err
}
