// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"fmt"
	"io"
	"strings"

	"github.com/uproar-db/uproar/store"
)

// Report says what could not be read of a database, and what of it is lost.
type Report struct {
	Indexes []*IndexReport `json:"indexes"`
	Notes   []string       `json:"notes,omitempty"` // about the database as a whole: each is a loss

	Mended     []store.Bit `json:"mended"`               // bits that had flipped, the first 1000: no loss
	MoreMended bool        `json:"moreMended,omitempty"` // there are others
}

// IndexReport says what could not be read of an index.
type IndexReport struct {
	Name    string `json:"name"`
	Records uint64 `json:"records"` // that were copied

	Damage   []Damage  `json:"damage,omitempty"`
	Keyless  []Keyless `json:"keyless,omitempty"`  // what was left out because its key is lost
	Log      []Span    `json:"log,omitempty"`      // numbers of the commits that are lost
	Manifest []string  `json:"manifest,omitempty"` // why it was made anew of the pages that are there
	LeftOut  []string  `json:"leftOut,omitempty"`  // fields that name records by IDs, which have changed
	Failure  string    `json:"failure,omitempty"`  // why nothing of the index was copied
}

// Span is a range of numbers, both ends included.
type Span struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
}

// Damage is a page that could not be read.
type Damage struct {
	Field    string `json:"field"` // its name; the records have _exists
	Part     string `json:"part"`  // lists, keys, hashes or values
	Rows     Span   `json:"rows"`  // that the page had; of keys and values IDs; of hashes hashes
	FirstKey string `json:"firstKey,omitempty"`
	LastKey  string `json:"lastKey,omitempty"`
	Error    string `json:"error"`
	MadeGood bool   `json:"madeGood"` // all of it was found elsewhere
}

// maxSpans is how many ranges of IDs a report lists of a field.
const maxSpans = 1000

// Keyless is the records, or rows of a field, that were left out because their keys are lost.
type Keyless struct {
	Field string `json:"field"` // "": the records
	Count uint64 `json:"count"`
	IDs   []Span `json:"ids"` // the first 1000 ranges
}

// add counts one more ID. They ascend within a walk.
func (k *Keyless) add(id uint64) {
	k.Count++
	if n := len(k.IDs); n > 0 && k.IDs[n-1].Last+1 == id {
		k.IDs[n-1].Last = id
	} else if n < maxSpans {
		k.IDs = append(k.IDs, Span{id, id})
	}
}

// Lost reports whether anything of the database is not in the copy.
func (r *Report) Lost() bool {
	for _, ix := range r.Indexes {
		if ix.lost() {
			return true
		}
	}
	return len(r.Notes) > 0
}

func (ix *IndexReport) lost() bool {
	for i := range ix.Damage {
		if !ix.Damage[i].MadeGood {
			return true
		}
	}
	return ix.Failure != "" || len(ix.Keyless) > 0 || len(ix.Log) > 0 || len(ix.Manifest) > 0 ||
		len(ix.LeftOut) > 0
}

// Text writes the report as lines. Errors: w's.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "database: %s\n", note)
	}
	for _, bit := range r.Mended {
		fmt.Fprintf(&b, "%s, byte %d: bit %d had flipped, and was put right\n", bit.File, bit.Offset, bit.Bit)
	}
	if r.MoreMended {
		b.WriteString("and more bits\n")
	}
	for _, ix := range r.Indexes {
		ix.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (ix *IndexReport) text(b *strings.Builder) {
	if ix.Failure != "" {
		fmt.Fprintf(b, "index %s: lost: %s\n", ix.Name, ix.Failure)
		return
	}
	fmt.Fprintf(b, "index %s: %d records\n", ix.Name, ix.Records)
	for _, why := range ix.Manifest {
		fmt.Fprintf(b, "  manifest: made anew of the pages that are there: %s\n", why)
	}
	for i := range ix.Damage {
		d := &ix.Damage[i]
		fate := "lost"
		if d.MadeGood {
			fate = "damaged, but all of it was found elsewhere"
		}
		fmt.Fprintf(b, "  field %s, %s of %s", d.Field, d.Part, d.Rows)
		if d.FirstKey != "" || d.LastKey != "" {
			fmt.Fprintf(b, " (%.100q to %.100q)", d.FirstKey, d.LastKey)
		}
		fmt.Fprintf(b, ": %s: %s\n", fate, d.Error)
	}
	for _, field := range ix.LeftOut {
		fmt.Fprintf(b, "  field %s: left out: it names records by numbers that they could not keep: load it anew\n", field)
	}
	for _, k := range ix.Keyless {
		what := "records"
		if k.Field != "" {
			what = "rows of field " + k.Field
		}
		fmt.Fprintf(b, "  %s without a key, lost: %d:", what, k.Count)
		for i, ids := range k.IDs {
			if i == 10 {
				b.WriteString(" ...")
				break
			}
			b.WriteString(" " + ids.String())
		}
		b.WriteByte('\n')
	}
	for _, commits := range ix.Log {
		fmt.Fprintf(b, "  log entries %s: lost\n", commits)
	}
}

// String returns the range as text, such as 3 to 7.
func (s Span) String() string {
	if s.First == s.Last {
		return fmt.Sprint(s.First)
	}
	return fmt.Sprintf("%d to %d", s.First, s.Last)
}
