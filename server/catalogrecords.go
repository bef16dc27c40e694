// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
)

func (s *Server) catalogSorted(ctx context.Context, req api.SortedRequest) (reply, error) {
	where, err := wanted(nil, req.Where)
	if err != nil {
		return nil, err
	}
	of, err := s.catalog(req.Catalog)
	if err != nil {
		return nil, err
	}
	var r api.SortedReply
	err = of.Ask(ctx, func(s catalog.Snapshot) error {
		show, err := showing(s, req.Show)
		if err != nil {
			return err
		}
		ids, count, err := s.Sorted(ctx, catalog.Order{Attribute: req.By, Descending: req.Descending}, req.From, req.Limit, where...)
		if err != nil {
			return err
		}
		r = api.SortedReply{Count: count, Records: []api.CatalogRecord{}}
		list, err := show.records(ctx, s, ids)
		r.Records = append(r.Records, list...)
		return err
	})
	return r, err
}

func (s *Server) catalogWrite(ctx context.Context, req api.CatalogWriteRequest) (reply, error) {
	of, err := s.catalog(req.Catalog)
	if err != nil {
		return nil, err
	}
	change := catalog.Change{Put: make([]catalog.Record, len(req.Put)), Delete: req.Delete}
	for i, r := range req.Put {
		has := appendConditions(nil, r.Has)
		if err := checkGiven(has); err != nil {
			return nil, invalid("record %s: %s", quote(r.Key), failure(err).Message)
		}
		change.Put[i] = catalog.Record{Key: r.Key, Conditions: has, Priority: r.Priority, Default: r.Default}
	}
	sequence, err := of.Write(ctx, change)
	return api.WriteReply{Sequence: sequence}, err
}
