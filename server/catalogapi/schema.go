// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"cmp"
	"context"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

func decodeSchema(c call.Request) (catalog string, err error) {
	p := call.ParseParams(c.Query)
	catalog = p.Required("catalog")
	return catalog, p.Finish()
}

// schema answers what the records of a catalog have.
func (h *Handlers) schema(_ context.Context, name string) (call.Reply, error) {
	of, err := h.catalog(name)
	if err != nil {
		return nil, err
	}
	s, err := of.Schema()
	if err != nil {
		return nil, err
	}
	r := api.CatalogSchema{Key: s.Key, Priority: s.Priority, Default: s.Default, Combined: s.Combined}
	for _, a := range s.Attributes {
		r.Attributes = append(r.Attributes, api.CatalogAttribute{Name: a.Name, Field: a.Field,
			Type: cmp.Or(string(a.Type), "text"), Scale: a.Scale, Rule: a.Rule, Info: a.Info})
	}
	return r, nil
}
