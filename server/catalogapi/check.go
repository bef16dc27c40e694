// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

func decodeCheck(c call.Request) (api.CheckRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.CheckRequest{Catalog: p.Required("catalog")}
	req.Limit, _ = p.Limit()
	return req, p.Finish()
}

// check lists the faults of a catalog. It looks for one more than is wanted, to know whether there
// is one.
func (h *Handlers) check(ctx context.Context, req api.CheckRequest) (call.Reply, error) {
	of, err := h.catalog(req.Catalog)
	if err != nil {
		return nil, err
	}
	var r api.CheckReply
	err = of.Ask(ctx, func(s catalog.Snapshot) error {
		r = api.CheckReply{Faults: []api.CatalogFault{}}
		return s.Check(ctx, func(f catalog.Fault) error {
			if r.More = len(r.Faults) == req.Limit; r.More {
				return catalog.ErrStop
			}
			kind := api.FaultAmbiguous
			if f.Kind == catalog.Unreachable {
				kind = api.FaultUnreachable
			}
			r.Faults = append(r.Faults, api.CatalogFault{Kind: kind, Key: f.Key, Other: f.Other, Message: f.String()})
			return nil
		})
	})
	return r, err
}
