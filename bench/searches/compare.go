// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/uproar-db/uproar/bench/drive"
)

// compare asks two servers the same, and fails if they differ. The first is Uproar's, which answers
// as a scan of a map does under paths of its own. A composite map is asked for what it can find.
func compare(a, b *server, r *requests) error {
	one, bulk, bodies := pathOne, pathBulk, slices.Concat(r.other, r.one[:200])
	switch b.Name {
	case scanKind:
		one, bulk = "/v1/search/map/prices", "/v1/search/map/bulk/prices"
	case compositeKind:
		bodies = r.one[:200]
	}
	for _, body := range bodies {
		if err := same(a, b, one, pathOne, body); err != nil {
			return err
		}
	}
	return same(a, b, bulk, pathBulk, r.bulk)
}

// same asks a under path, and b under another.
func same(a, b *server, path, other, body string) error {
	status, first, err := a.Ask(drive.Request{Path: path, Body: body})
	if err != nil {
		return err
	}
	status2, second, err := b.Ask(drive.Request{Path: other, Body: body})
	if err != nil {
		return err
	}
	if status != status2 || !reflect.DeepEqual(meaning(first), meaning(second)) {
		return fmt.Errorf("%.400s: %s says %d %.400s, %s says %d %.400s", body, a.Name, status, first, b.Name, status2,
			second)
	}
	return nil
}

// meaning returns what an answer says, however it is written.
func meaning(text []byte) any {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(trim(text))
	}
	return v
}

// trim leaves out a newline at the end.
func trim(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		return text[:n-1]
	}
	return text
}
