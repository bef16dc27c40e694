// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/internal/posting/exported"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
)

// Head is the first block of a backup (docs/format/backup.md). It contains the secrets of the
// indexes.
type Head struct {
	Version int             `json:"version"`
	Time    time.Time       `json:"time"`
	Origin  string          `json:"origin,omitempty"` // of the database
	Base    string          `json:"base,omitempty"`
	Catalog *schema.Catalog `json:"catalog"`
	Indexes []Index         `json:"indexes"` // as in the catalog
}

// Index says what a backup has of an index.
type Index struct {
	ID    uint32 `json:"id"`
	Since *Mark  `json:"since,omitempty"` // as far as the base has it; none: all of it is here
	To    Mark   `json:"to"`
	Pages uint64 `json:"pages"`
	Bytes uint64 `json:"bytes"` // of the pages
}

// Mark is a exported.Mark, as it is stored.
type Mark struct {
	Sequence   uint64 `json:"sequence"`
	Flushed    uint64 `json:"flushed"`
	Generation uint64 `json:"generation"`
	Tail       uint32 `json:"tail"`
}

// mark returns the mark, and that of nothing if there is none.
func (m *Mark) mark() exported.Mark {
	if m == nil {
		return exported.Mark{}
	}
	return exported.Mark(*m)
}

// NewHead returns the head of a backup that is to be made. GoOn fills in its indexes.
func NewHead(at time.Time, origin string, c *schema.Catalog) *Head {
	return &Head{Version: version, Time: at, Origin: origin, Catalog: c}
}

// Size returns how many bytes of pages the backup has.
func (h *Head) Size() (bytes int64) {
	for _, ix := range h.Indexes {
		bytes += int64(ix.Bytes)
	}
	return bytes
}

// decodeHead reads and checks a head.
func decodeHead(body []byte) (*Head, error) {
	h := new(Head)
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return nil, fmt.Errorf("%w: backup: head: %w", model.ErrCorrupt, err)
	}
	switch {
	case h.Version != version:
		return nil, fmt.Errorf("%w: backup: head: got %d, want %d", model.ErrVersion, h.Version, version)
	case h.Catalog == nil || d.More() || len(h.Indexes) != len(h.Catalog.Indexes):
		return nil,
			fmt.Errorf(
				"%w: backup: head: got no catalog, more than one object, or another number of indexes than in its "+
					"catalog", model.ErrCorrupt)
	case h.Catalog.Version != schema.CatalogVersion:
		return nil, fmt.Errorf("%w: backup: catalog: got %d, want %d", model.ErrVersion, h.Catalog.Version,
			schema.CatalogVersion)
	}
	for i := range h.Indexes {
		if got, want := h.Indexes[i].ID, h.Catalog.Indexes[i].ID; got != want {
			return nil, fmt.Errorf("%w: backup: head: got index %d, want %d as in its catalog", model.ErrCorrupt, got,
				want)
		}
	}
	return h, h.Catalog.Check()
}
