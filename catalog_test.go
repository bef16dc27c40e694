// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"encoding/json"
	"testing"

	"github.com/uproar-db/uproar/internal/golden"
)

func TestGoldenCatalog(t *testing.T) {
	header := sealed(headerKey, headerVersion, nil)
	if _, err := unseal("header", headerKey, headerVersion, header); err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "header", "the database header", headerKey, header, "version 1")

	fields, err := catalogFields([]Field{{Name: "follows", Type: Relation, Inverse: "followers"}, {Name: "country", Type: Set}})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(&catalog{Version: catalogVersion, Indexes: []catalogIndex{
		{ID: 1, Name: "accounts", Secret: "000102030405060708090a0b0c0d0e0f", Fields: fields}}})
	if err != nil {
		t.Fatal(err)
	}
	entry := sealed(catalogKey, catalogTag, body)
	back, err := unseal("catalog", catalogKey, catalogTag, entry)
	if err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "catalog", "a catalog of one index with a relation and a set field", catalogKey, entry, string(back))
}
