// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/apps/audience/parquet"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// importPath is where tables are sent to.
const importPath = "/v1/import"

const mediaParquet = "application/vnd.apache.parquet"

// importMedia are the media types of one table, importFormats what some of them say of it.
var (
	importMedia = []string{"text/csv", "text/tab-separated-values", "application/x-ndjson", mediaParquet,
		"application/octet-stream", "application/gzip", "application/zstd", "application/x-bzip2"}
	importFormats = map[string]audience.Format{"text/csv": audience.CSV, "text/tab-separated-values": audience.TSV,
		"application/x-ndjson": audience.NDJSON, mediaParquet: audience.Parquet}
)

// maxSchema is how many bytes a schema may have as JSON.
const maxSchema = 1 << 20

// importRequest is the parameters of an import.
type importRequest struct {
	index, key            string
	null                  []string
	format                audience.Format // "": that of each table
	separator             table.Separator
	guessed               bool // the schema that is given
	strict, ignore, check bool
	unique                bool // no two rows may have the same key
	maxBad                float64
}

func decodeImport(query string) (req importRequest, err error) {
	p := call.ParseParams(query)
	req.index, req.null = p.Required("index"), p.All("null")
	if req.index == "" {
		p.Fail(call.Invalid("parameter \"index\" is empty"))
	}
	req.key, _ = p.Optional("key")
	req.strict, req.ignore, req.check = p.Flag("strict"), p.Flag("ignore"), p.Flag("check")
	if req.maxBad, _ = p.Share("bad"); req.maxBad == 0 {
		req.maxBad = -1 // none, and not the default
	}
	req.guessed, req.unique = p.Flag("guessed"), p.Flag("unique")
	switch format, _ := p.Optional("format"); format {
	case "", "detect":
	case string(audience.CSV), string(audience.TSV), string(audience.NDJSON), string(audience.Parquet):
		req.format = audience.Format(format)
	default:
		p.Fail(call.Invalid("parameter \"format\" is %s, want detect, csv, tsv, ndjson or parquet", call.Quote(format)))
	}
	separator, _ := p.Optional("separator")
	if req.separator, err = table.ParseSeparator(separator); err != nil {
		p.Fail(call.Invalid("parameter \"separator\" is %s, want detect, comma, semicolon, tab or pipe",
			call.Quote(separator)))
	}
	return req, p.Finish()
}

// importTables puts the records of tables into an index, all of them or none, or makes it.
func (h *Handlers) importTables(_ context.Context, c call.Request) (call.Reply, error) {
	req, err := decodeImport(c.Query)
	if err != nil {
		return nil, err
	}
	return h.uploads.Receive(&c, importMedia, func(ctx context.Context, in *upload.ImportBody) (call.Reply, error) {
		im := tablesImport{importRequest: req, db: h.db, in: in, sum: api.TableImportReply{BadLines: []string{},
			Fields: []api.Field{}, Schema: api.TableSchema{Columns: []api.TableColumn{}}}}
		defer im.abort()
		if err := im.run(ctx); err != nil {
			return nil, err
		}
		return im.sum, nil
	})
}

// tablesImport is tables that are read into an index.
type tablesImport struct {
	importRequest
	db     *uproar.DB
	in     *upload.ImportBody
	schema *audience.Schema // nil: it is to be chosen
	known  []string         // columns of the sample that it was chosen by
	exact  bool             // its types were guessed
	found  bool             // its key was found by distinct values
	may    dependents.Table // what the tables may write
	load   *audience.Import // nil: it has not begun
	names  []string         // of the tables that were read
	sum    api.TableImportReply
}

func (im *tablesImport) abort() {
	if im.load != nil {
		im.load.Abort()
	}
}

// run reads the schema, if there is one, and all tables.
func (im *tablesImport) run(ctx context.Context) error {
	if im.db.ReadOnly() {
		return uproar.ErrReadOnly
	}
	var err error
	if im.may, err = dependents.CheckImport(im.db, im.index); err != nil {
		return err
	}
	next, err := im.in.Next()
	if err == nil && next.Media == call.ContentJSON {
		if im.schema, err = im.readSchema(next); err != nil {
			return err
		}
		next, err = im.in.Next()
	}
	if im.guessed && im.schema == nil {
		return call.Invalid("parameter \"guessed\" without a schema, which it is about")
	}
	if err == io.EOF {
		if im.check && im.schema != nil { // which only asks whether an import would be refused at once
			return im.begin(ctx)
		}
		if im.check {
			return nil
		}
		return call.Invalid("body has no table; nothing was imported")
	}
	for ; err == nil; next, err = im.in.Next() {
		if err := im.read(ctx, next); err != nil {
			return im.explain(err)
		}
	}
	if err != io.EOF {
		return im.in.Broken(err)
	}
	return im.finish()
}

// readSchema reads the part of a body that is a schema.
func (im *tablesImport) readSchema(part io.Reader) (*audience.Schema, error) {
	text, err := io.ReadAll(io.LimitReader(part, maxSchema+1))
	switch {
	case err != nil:
		return nil, im.in.Broken(err)
	case len(text) > maxSchema:
		return nil, &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("the schema has more than %d bytes",
			maxSchema)}
	case call.InvalidUTF8(text) >= 0:
		return nil, call.Invalid("the schema is not valid UTF-8 at byte %d", call.InvalidUTF8(text))
	case im.key != "" || len(im.null) > 0:
		return nil, call.Invalid("got a schema and the parameters \"key\" or \"null\", which it has itself")
	}
	schema, err := audience.ParseSchema(text)
	if err != nil {
		return nil, call.Invalid("%s", upload.Wrong("", err))
	}
	if err := (call.JSONChecker{Of: reflect.TypeFor[api.TableSchema]()}).Check(text); err != nil {
		return nil, call.Invalid("schema%s", strings.TrimPrefix(call.Failure(err).Message, "body"))
	}
	return &schema, nil
}

// source is a table that is read twice: some rows of it for a sample, then all.
type source struct {
	sample func(*guess.Sample) error
	read   func(*audience.Import) (audience.Progress, error)
	close  func() error
}

// source returns a table that is read as it comes, or from a temporary file.
func (im *tablesImport) source(text upload.ImportText, format audience.Format) (source, error) {
	if format == audience.Parquet {
		file, size, remove, err := upload.TempFile(text)
		return source{
			func(s *guess.Sample) error { return parquet.Sample(s, file, size) },
			func(to *audience.Import) (audience.Progress, error) { return parquet.Read(to, file, size) },
			remove,
		}, err
	}
	return source{
		func(s *guess.Sample) (err error) {
			text.Reader, err = s.Read(text.Reader, format, im.separator)
			return err
		},
		func(to *audience.Import) (audience.Progress, error) { return to.Read(text, format) },
		func() error { return nil },
	}, nil
}

// read reads a table. The first one says what the schema is, if it was not given.
func (im *tablesImport) read(ctx context.Context, text upload.ImportText) error {
	im.names = append(im.names, text.Name)
	format, err := im.formatOf(&text)
	if err != nil {
		return err
	}
	from, err := im.source(text, format)
	if err != nil {
		return err
	}
	if im.load == nil {
		if im.schema == nil || im.guessed {
			err = im.choose(from.sample)
		}
		if err == nil {
			err = im.begin(ctx)
		}
	}
	if err == nil {
		var state audience.Progress
		state, err = from.read(im.load)
		im.sum.Records, im.sum.Values = state.Records, state.Values
	}
	return errors.Join(err, from.close())
}

// formatOf returns the format of a table: that which was asked for, of its media type, of its name,
// or of its text.
func (im *tablesImport) formatOf(text *upload.ImportText) (format audience.Format, err error) {
	if format = im.format; format == "" {
		format = importFormats[text.Media]
	}
	if format == "" {
		format = guess.NameFormat(strings.TrimSuffix(text.Name, ": "))
	}
	if format == "" {
		format, text.Reader, err = guess.TextFormat(text.Reader)
	}
	return format, err
}

// choose finds the schema of an index, from its fields and from a sample, unless there is a guess
// already.
func (im *tablesImport) choose(read func(*guess.Sample) error) (err error) {
	sample := guess.Sample{Null: im.null}
	if err := read(&sample); err != nil {
		return err
	}
	if !im.ignore {
		im.known = sample.Names()
	}
	if im.guessed {
		for _, c := range im.schema.Columns { // which later tables may have
			if im.exact = true; im.known != nil {
				im.known = append(im.known, c.Name)
			}
		}
		return nil
	}
	var schema audience.Schema
	switch index, err := im.db.Index(im.index); {
	case errors.Is(err, uproar.ErrUnknownIndex):
		im.exact = true
		if schema, im.sum.Notes, err = sample.Schema(im.key); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if schema, im.sum.Notes, err = sample.Fit(index.Fields(), im.key, im.ignore); err != nil {
			return err
		}
	}
	im.schema, im.found, im.unique = &schema, sample.Unique, im.unique || sample.Unique
	return nil
}

// begin begins the load.
func (im *tablesImport) begin(ctx context.Context) (err error) {
	for _, c := range im.schema.Columns {
		if err := im.may.Field(c.Field.Name); err != nil {
			return err
		}
	}
	text, err := im.schema.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &im.sum.Schema)
	}
	if err != nil {
		return err
	}
	im.load, err = audience.Begin(ctx, im.db, im.index, *im.schema, audience.Options{Strict: im.strict,
		Exact: im.exact, Known: im.known, MaxBad: im.maxBad, Unique: im.unique,
		Separator: rune(im.separator), Bad: im.bad,
		Key: im.may.Key})
	if err != nil {
		im.load = nil
	}
	return err
}

// name returns that of the table that is read.
func (im *tablesImport) name() string { return im.names[len(im.names)-1] }

// bad counts a value or a line that is left out.
func (im *tablesImport) bad(e *audience.ValueError) {
	if im.sum.Bad++; len(im.sum.BadLines) < upload.MaxBadLines {
		im.sum.BadLines = append(im.sum.BadLines, upload.Wrong(im.name(), e))
	}
}

// explain returns the error of a table that ends the import.
func (im *tablesImport) explain(err error) error {
	bad, ok := errors.AsType[*audience.ValueError](err)
	switch {
	case !ok:
		return im.in.Broken(err)
	case im.exact:
		if remedy := guess.Remedy(im.schema, bad); remedy != "" {
			return call.Invalid("%s; nothing was imported; types were guessed: send %s", upload.Wrong(im.name(), bad), remedy)
		}
	}
	return call.Invalid("%s; nothing was imported", upload.Wrong(im.name(), bad))
}

// finish makes the import visible, unless it is only a check.
func (im *tablesImport) finish() error {
	for _, f := range im.load.Index().Fields() {
		im.sum.Fields = append(im.sum.Fields, api.Field{Name: f.Name, Type: string(f.Type), Inverse: f.Inverse,
			Column: string(f.Column), Format: string(f.Format), Scale: f.Scale})
	}
	end := im.load.Commit
	if im.check {
		end = im.load.Check
	}
	err := end()
	im.sum.Repeated = im.load.Repeated()
	if repeated, ok := errors.AsType[*audience.RepeatedKeyError](err); ok {
		advice := "leave out parameter \"unique\""
		if im.found {
			advice = "name the column as the \"key\", and if not, another one"
		}
		return call.Invalid("%s; nothing was imported; if the last row of a key is to count, %s",
			upload.Wrong(im.names[repeated.Table], repeated), advice)
	}
	if errors.Is(err, audience.ErrTooManyBad) {
		return call.Invalid("%s; nothing was imported; parameter \"bad\" says what share may be left out",
			upload.Wrong("", err))
	}
	return err
}
