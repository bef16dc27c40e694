// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// indexes makes an index with a client, and drops another.
func indexes(t *testing.T, s *site) {
	ctx := t.Context()
	fields, err := s.CreateIndex(ctx, "guests", api.Field{Name: "city", Type: "single"},
		api.Field{Name: "age", Type: "integer"}, api.Field{Name: "likes", Type: "set"})
	check(t, "CreateIndex", len(fields), err, 3)
	if _, err := s.CreateIndex(ctx, "guests"); !errors.Is(err, client.ErrIndexExists) {
		t.Errorf("CreateIndex again: got %v, want %v", err, client.ErrIndexExists)
	}
	_, err = s.CreateIndex(ctx, "spare")
	check(t, "CreateIndex", 0, err, 0)
	check(t, "SetAlias", 0, s.SetAlias(ctx, "visitors", "guests"), 0)
	one, err := s.Index(ctx, "visitors")
	check(t, "Index", []any{one.Index, one.Aliases, len(one.Fields)}, err, []any{"guests", []string{"visitors"}, 3})
	check(t, "DropIndex", 0, s.DropIndex(ctx, "spare"), 0)
	if err := s.DropIndex(ctx, "guests"); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("DropIndex with an alias: got %v, want %v", err, client.ErrInvalid)
	}
	list, err := s.Indexes(ctx)
	names := []string{}
	for _, ix := range list {
		names = append(names, ix.Index)
	}
	if _, err := s.Index(ctx, "spare"); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("Index dropped: got %v, want %v", err, client.ErrUnknownIndex)
	}
	check(t, "Indexes", slices.Contains(names, "guests"), err, true)
}
