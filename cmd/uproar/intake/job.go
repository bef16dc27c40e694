// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intake

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/apps/audience/parquet"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/table"
)

// Source is a table that is imported.
type Source struct {
	io.Reader
	Name  string
	Size  int64  // 0: not known
	Media string // of what is sent to a server; "": what the file itself is

	format audience.Format
}

// Job is one import of tables. Not for concurrent use.
type Job struct {
	*Flags
	con     *terminal.Console
	sources []*Source

	schema  audience.Schema
	guessed bool     // its types
	unique  bool     // no two rows may have the same key, which is a guess
	known   []string // columns of the sample, if it was chosen
}

// New returns an import of some sources.
func New(f *Flags, con *terminal.Console, sources []*Source) *Job {
	return &Job{Flags: f, con: con, sources: sources}
}

// separator returns that of the flags, which are checked.
func (j *Job) separator() table.Separator {
	s, _ := table.ParseSeparator(j.Separator)
	return s
}

// Choose finds the schema: that of the command line, or one by the fields that the index has, or by
// a guess for an index that is not there (no fields). It prints what it has chosen, and asks
// whether to go on with a guess. Nothing is to be imported when goOn is false.
func (j *Job) Choose(fields []uproar.Field) (goOn bool, err error) {
	if err := j.detect(); err != nil {
		return false, err
	}
	schema, given, err := j.given()
	if err != nil {
		return false, err
	}
	what := "as it was given"
	if !given {
		if schema, what, err = j.choose(fields); err != nil {
			return false, err
		}
	}
	j.schema = schema
	switch {
	case j.DryRun:
		if _, err := io.WriteString(j.con.Out, schema.Text()); err != nil {
			return false, err
		}
		fmt.Fprintf(j.con.Err, "index %s: the schema is %s; nothing was imported\n", j.Index, what)
		return false, nil
	case given:
		return true, nil
	}
	fmt.Fprintf(j.con.Err, "index %s: the schema is %s\n%s", j.Index, what, schema.Text())
	if !j.guessed || j.Yes {
		return true, nil
	}
	return j.ask()
}

// detect finds the formats of sources that do not say theirs by their names.
func (j *Job) detect() error {
	for _, s := range j.sources {
		if s.format = j.formatOf(s.Name); s.format != "" {
			continue
		}
		format, all, err := guess.TextFormat(s.Reader)
		if err != nil {
			return fmt.Errorf("%s: %s", s.Name, trim(err))
		}
		if file, ok := s.Reader.(io.ReaderAt); ok && format == audience.Parquet {
			all = io.NewSectionReader(file, 0, s.Size)
		}
		s.format, s.Reader = format, all
	}
	return nil
}

// choose finds the schema by a sample of the sources, and says where it comes from.
func (j *Job) choose(fields []uproar.Field) (schema audience.Schema, what string, err error) {
	sample := guess.Sample{Null: j.Null}
	for _, s := range j.sources {
		if sample.Full() {
			break
		}
		if s.format == audience.Parquet {
			var file io.ReaderAt
			if file, err = s.file(); err == nil {
				err = parquet.Sample(&sample, file, s.Size)
			}
		} else {
			var all io.Reader
			if all, err = sample.Read(s.Reader, s.format, j.separator()); err == nil {
				s.Reader = all
			}
		}
		if err != nil {
			return schema, "", fmt.Errorf("%s: %s; nothing was imported", s.Name, trim(err))
		}
	}
	var notes []string
	rows := terminal.Plural(sample.Rows(), "row")
	if fields == nil {
		j.guessed, what = true, "a guess by the first "+rows
		schema, notes, err = sample.Schema(j.Key)
	} else {
		what = "that of its fields, by the first " + rows
		if schema, notes, err = sample.Fit(fields, j.Key, j.Ignore); errors.Is(err, audience.ErrSchema) {
			err = &AdviceError{fmt.Errorf("%s; nothing was imported", trim(err)),
				"--ignore, or --column for those to be imported, or uproar fields --add"}
		}
	}
	if err != nil {
		return schema, "", err
	}
	j.unique = sample.Unique
	if !j.Ignore {
		j.known = sample.Names()
	}
	for _, note := range notes {
		fmt.Fprintln(j.con.Err, note)
	}
	return schema, what, nil
}

// file returns a source as a file, which Parquet is read from.
func (s *Source) file() (io.ReaderAt, error) {
	file, ok := s.Reader.(io.ReaderAt)
	if !ok || s.Size == 0 {
		return nil, errors.New("got a pipe or an empty file, want Parquet in a file on disk")
	}
	return file, nil
}

// ask asks whether the schema is to be used.
func (j *Job) ask() (bool, error) {
	in, isFile := j.con.In.(*os.File)
	if !isFile || !terminal.IsTerminal(in) || !terminal.IsTerminal(j.con.Err) || slices.Contains(j.Files, "-") {
		return false, &AdviceError{errors.New("the types are a guess, and there is nobody to ask; nothing was imported"),
			"--yes, to import with this schema, or --schema FILE with another one"}
	}
	fmt.Fprint(j.con.Err, "Import with this schema? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	fmt.Fprintln(j.con.Err, "nothing was imported; --dry-run > FILE writes the schema, for --schema FILE")
	return false, nil
}

// Sent is how an import is sent to a server.
type Sent struct {
	Query, Try url.Values // Try: of an import of nothing
	Schema     []byte
}

// Send says how the sources are sent to a server.
func (j *Job) Send() (sent Sent, err error) {
	sent.Query = url.Values{"index": {j.Index}, "separator": {j.Separator}, "bad": {j.Bad.String()},
		"strict": {strconv.FormatBool(j.Strict)}, "ignore": {strconv.FormatBool(j.Ignore)},
		"guessed": {strconv.FormatBool(j.guessed)}, "unique": {strconv.FormatBool(j.unique)}}
	sent.Try = url.Values{"index": {j.Index}, "check": {"true"}}
	if sent.Schema, err = j.schema.MarshalJSON(); err != nil {
		return sent, err
	}
	for _, s := range j.sources {
		s.Media = map[audience.Format]string{audience.CSV: "text/csv", audience.TSV: "text/tab-separated-values",
			audience.NDJSON: "application/x-ndjson", audience.Parquet: "application/vnd.apache.parquet"}[s.format]
	}
	return sent, nil
}
