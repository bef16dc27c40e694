// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intake

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/apps/audience/parquet"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/dependents"
)

// load is one load of all sources.
type load struct {
	job     *Job
	start   time.Time
	size    int64
	shown   *terminal.Progress
	name    string // of the source that is read
	writing bool
	tooBad  bool
	state   audience.Progress
	may     dependents.Table // what the tables may write
}

// Load imports the sources, all of them or nothing, into a database that is in a folder, with the
// schema of Choose. memory bounds that of the load. It prints what was done, as JSON if that is
// wanted.
func (j *Job) Load(ctx context.Context, db *uproar.DB, dir string, memory int64, asJSON bool) error {
	may, err := dependents.CheckImport(db, j.Index)
	for _, c := range j.schema.Columns {
		if err == nil {
			err = may.Field(c.Field.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("%s; nothing was imported", trim(err))
	}
	im := load{job: j, start: time.Now(), may: may}
	for _, s := range j.sources {
		if s.Size == 0 {
			im.size = 0
			break
		}
		im.size += s.Size
	}
	index, err := im.run(ctx, db, memory)
	if hidden := im.state.Bad - int64(j.ShowBad); hidden > 0 && !j.Strict {
		fmt.Fprintf(j.con.Err, "and %s more; --show-bad %d shows them all\n", terminal.Plural(hidden, "bad value"),
			im.state.Bad)
	}
	if err != nil {
		return im.failed(err, dir)
	}
	stats, err := index.Stats()
	if err != nil {
		return err
	}
	done := Done{Index: index.Name(), Records: im.state.Records, Values: im.state.Values, Bad: im.state.Bad,
		Repeated: im.state.Repeated}
	return done.Tell(j.con, asJSON, time.Since(im.start), fmt.Sprintf("index %s has %s\n", index.Name(),
		terminal.Plural(stats.Records, "record")))
}

// Done is what an import of tables has done. Its names in JSON are stable.
type Done struct {
	Index    string  `json:"index"`
	Records  int64   `json:"records"`
	Values   int64   `json:"values"`
	Bad      int64   `json:"bad"`
	Repeated int64   `json:"repeated,omitempty"` // rows whose key an earlier row has
	Seconds  float64 `json:"seconds"`
}

// Tell says so, with more for people.
func (d Done) Tell(con *terminal.Console, asJSON bool, took time.Duration, more string) error {
	d.Seconds = took.Seconds()
	if d.Repeated > 0 {
		more = terminal.Plural(d.Repeated, "row") + " had the key of an earlier row; the last one counts\n" + more
	}
	return terminal.Tell(con.Out, asJSON, d, "imported %s of %s in %s, %s left out\n%s",
		terminal.Plural(d.Values, "value"), terminal.Plural(d.Records, "record"), terminal.Took(took),
		terminal.Plural(d.Bad, "bad value"), more)
}

// failed returns an error that says what has become of the import, and what can be done.
func (im *load) failed(err error, dir string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s: nothing was imported", terminal.Plural(im.state.Records, "record"))
	}
	conflict, differs := errors.AsType[*uproar.FieldConflictError](err)
	bad, isBad := errors.AsType[*audience.ValueError](err)
	_, isRepeated := errors.AsType[*audience.RepeatedKeyError](err)
	err = fmt.Errorf("%s; nothing was imported", trim(err))
	switch {
	case isRepeated:
		return &AdviceError{err, repeatedAdvice}
	case differs && conflict.Has.Name == "":
		return &AdviceError{err, "uproar fields --dir " + dir + " --index " + im.job.Index + " --add " +
			conflict.Want.String()}
	case differs:
		return &AdviceError{err, "--column NAME:TYPE:field=NAME for another field, or uproar fields --dir " + dir +
			" --index " + im.job.Index + " --drop " + conflict.Want.Name}
	case isBad && im.job.guessed:
		if remedy := guess.Remedy(&im.job.schema, bad); remedy != "" {
			return &AdviceError{err, schemaAdvice(remedy)}
		}
	case im.tooBad:
		return &AdviceError{err, "--column with the right types, or --bad SHARE to leave more of it out"}
	}
	return err
}

// run loads all sources.
func (im *load) run(ctx context.Context, db *uproar.DB, memory int64) (*uproar.Index, error) {
	im.shown = im.job.con.Progress("reading", im.size)
	defer func() { im.shown.Finish() }()
	to, err := audience.Begin(ctx, db, im.job.Index, im.job.schema, audience.Options{
		Strict: im.job.Strict, Exact: im.job.guessed, Unique: im.job.unique, Known: im.job.known,
		Bad: im.bad, MaxBad: im.job.Bad.OrNone(),
		Separator: rune(im.job.separator()), MemoryBytes: memory, Progress: im.progress,
		Key: im.may.Key,
	})
	if err != nil {
		return nil, err
	}
	defer to.Abort()
	bad := int64(0)
	for _, s := range im.job.sources {
		im.name, im.state.Bad = s.Name, bad
		state, err := im.read(to, s)
		im.state, bad = state, state.Bad
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, sourceError{s.Name, err}
		}
	}
	err = to.Commit()
	im.state.Repeated = to.Repeated()
	if repeated, ok := errors.AsType[*audience.RepeatedKeyError](err); ok {
		err = sourceError{im.job.sources[repeated.Table].Name, err}
	}
	im.tooBad = errors.Is(err, audience.ErrTooManyBad)
	return to.Index(), err
}

// sourceError is an error about a source.
type sourceError struct {
	name string
	err  error
}

// Error names the source.
func (e sourceError) Error() string { return e.name + ": " + trim(e.err) }

// Unwrap returns the error without the source.
func (e sourceError) Unwrap() error { return e.err }

// read reads one source.
func (im *load) read(to *audience.Import, s *Source) (audience.Progress, error) {
	if s.format != audience.Parquet {
		return to.Read(s.Reader, s.format)
	}
	file, err := s.file()
	if err != nil {
		return im.state, err
	}
	return parquet.Read(to, file, s.Size)
}

// bad prints a value that is left out, if not too many have been.
func (im *load) bad(e *audience.ValueError) {
	if im.state.Bad++; !im.job.Strict && !im.job.guessed && im.state.Bad <= int64(im.job.ShowBad) {
		im.shown.Line(im.name + ": " + trim(e))
	}
}

// progress shows how far the import is.
func (im *load) progress(p audience.Progress) {
	if p.Total == 0 {
		im.state.Records = p.Records
		rate := int64(float64(p.Records) / max(time.Since(im.start).Seconds(), 1e-6))
		im.shown.Update(p.Bytes, im.size, terminal.Plural(p.Records, "record")+", "+terminal.Count(rate)+"/s")
		return
	}
	if !im.writing {
		im.writing = true
		im.shown.Finish()
		im.shown = im.job.con.Progress("writing", p.Total)
	}
	im.shown.Update(p.Done, p.Total, terminal.Plural(p.Done, "value"))
}
