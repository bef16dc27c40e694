// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// open opens a body.
func open(t testing.TB, body []byte) view.View {
	t.Helper()
	v, err := view.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// viewOps are the operations on whole sets, and their models.
var viewOps = []struct {
	Name string
	Do   func(a, b view.View) *mutable.Bitmap
	N    func(a, b view.View) uint64
	F    func(a, b bool) bool
}{
	{"And", pair.And, pair.AndLen, func(a, b bool) bool { return a && b }},
	{"Or", pair.Or, pair.OrLen, func(a, b bool) bool { return a || b }},
	{"AndNot", pair.AndNot, pair.AndNotLen, func(a, b bool) bool { return a && !b }},
	{"Xor", pair.Xor, pair.XorLen, func(a, b bool) bool { return a != b }},
}
