// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

func TestGoldenCatalog(t *testing.T) {
	header := sealed(headerKey, headerVersion, nil)
	if _, err := unseal("header", headerKey, headerVersion, header); err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "header", "the database header", headerKey, header, "version 1")

	fields, err := Declare(nil, []Field{{Name: "follows", Type: Relation, Inverse: "followers"},
		{Name: "country", Type: Set}})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(&Catalog{Version: CatalogVersion, Indexes: []Index{
		{ID: 1, Name: "accounts", Secret: "000102030405060708090a0b0c0d0e0f", Fields: fields}}})
	if err != nil {
		t.Fatal(err)
	}
	entry := sealed(catalogKey, catalogTag, body)
	back, err := unseal("catalog", catalogKey, catalogTag, entry)
	if err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "catalog", "a catalog of one index with a relation and a set field", catalogKey, entry,
		string(back))
}

// TestDamagedCatalog reads stores whose header or catalog is not as any version wrote it.
func TestDamagedCatalog(t *testing.T) {
	fields := func(list string) string {
		return `{"version":1,"indexes":[{"id":1,"name":"a","secret":"` + strings.Repeat("0", 32) +
			`","shardWidth":0,"fields":[` + list + `]}]}`
	}
	for name, body := range map[string]string{
		"no catalog":          "",
		"no JSON":             "{",
		"unknown member":      `{"version":1,"more":1}`,
		"number of a system":  fields(`{"id":0,"name":"x","type":"set"}`),
		"number between":      fields(`{"id":5,"name":"x","type":"set"}`),
		"greatest number":     fields(`{"id":4294967292,"name":"x","type":"set"}`),
		"one number twice":    fields(`{"id":4,"name":"x","type":"set"},{"id":4,"name":"y","type":"set"}`),
		"inverse of itself":   fields(`{"id":4,"name":"x","type":"relation","inverse":4}`),
		"inverse of no field": fields(`{"id":4,"name":"x","type":"relation","inverse":8}`),
		"column of integers":  fields(`{"id":4,"name":"x","type":"integer","column":"fast"}`),
		"two directions": fields(
			`{"id":4,"name":"x","type":"relation","inverse":8},{"id":8,"name":"y","type":"relation","inverse":4}`),
	} {
		s := memstore.New()
		var b store.Batch
		b.Put(headerKey, sealed(headerKey, headerVersion, nil))
		if body != "" {
			b.Put(catalogKey, sealed(catalogKey, catalogTag, []byte(body)))
		}
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(s, false); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v, want model.ErrCorrupt", name, err)
		}
	}
}

func TestGoldenOrigin(t *testing.T) {
	o := Origin{State: Restored, ID: "000102030405060708090a0b0c0d0e0f",
		Backup: "101112131415161718191a1b1c1d1e1f"}
	entry, err := o.encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := unseal("origin", originKey, originTag, entry)
	if err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "origin", "where a restored database comes from", originKey, entry, string(back))
}
