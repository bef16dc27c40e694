// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// CatalogSchema says what the records of a catalog have, in the form that an import of a catalog
// takes.
type CatalogSchema struct {
	Key        string             `json:"key,omitempty"`      // column of a table with the keys
	Priority   string             `json:"priority,omitempty"` // column with the priority
	Default    string             `json:"default,omitempty"`  // column that says whether a record is the default
	Attributes []CatalogAttribute `json:"attributes"`
	Combined   [][]string         `json:"combined,omitempty"` // attributes that are kept together as well
}

// AppendJSON appends the schema to dst and returns the extended slice.
func (s CatalogSchema) AppendJSON(dst []byte) []byte { return appendValue(dst, s) }

// CatalogAttribute is what records of a catalog have and searches name.
type CatalogAttribute struct {
	Name  string `json:"name"`
	Field string `json:"field"` // of the index that has the records
	Type  string `json:"type"`  // "text", "number", "date" or "time"
	Scale int    `json:"scale,omitempty"`
	Rule  bool   `json:"rule,omitempty"` // records have a condition on it
	Info  bool   `json:"info,omitempty"` // it is not meant to be searched
}
