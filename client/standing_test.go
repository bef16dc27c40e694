// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// standings makes every call about standing queries.
func standings(t *testing.T, s *site) {
	t.Helper()
	ctx, of := t.Context(), s.Standing("accounts")
	check(t, "Standing.Set", 0, of.Set(ctx, "fans", "follows = star"), 0)
	list, err := of.List(ctx)
	check(t, "Standing.List", len(list) == 1 && list[0].Name == "fans" && list[0].Query == "follows = star", err, true)
	if _, err := s.graph.Follow(ctx, api.Follow{Account: "fan", Target: "star"}); err != nil {
		t.Fatal(err)
	}
	var position uint64
	for e, err := range of.Follow(ctx, "fans", 0) {
		check(t, "Standing.Follow", e.Entered, err, []string{"fan"})
		position = e.Position
		break
	}
	for e, err := range of.Events(ctx, "fans", position) {
		t.Errorf("Standing.Events behind the last: got %+v, %v", e, err)
	}
	check(t, "Standing.Drop", 0, of.Drop(ctx, "fans"), 0)
	err = of.Drop(ctx, "fans")
	if !errors.Is(err, &api.Error{Code: api.CodeUnknownSet}) {
		t.Errorf("Standing.Drop twice: got %v, want an unknown set", err)
	}
	if list, err := of.List(ctx); err != nil || slices.ContainsFunc(list, func(q api.StandingQuery) bool {
		return q.Name == "fans"
	}) {
		t.Errorf("Standing.List in the end: got %+v, %v", list, err)
	}
}
