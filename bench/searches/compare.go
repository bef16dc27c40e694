// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/uproar-db/uproar/bench/drive"
)

// compare asks two servers the same, and fails if they differ.
func compare(a, b *server, r *requests) error {
	for _, body := range append(r.other, r.one[:200]...) {
		if err := same(a, b, pathOne, body); err != nil {
			return err
		}
	}
	return same(a, b, pathBulk, r.bulk)
}

func same(a, b *server, path, body string) error {
	status, first, err := a.Ask(drive.Request{Path: path, Body: body})
	if err != nil {
		return err
	}
	status2, second, err := b.Ask(drive.Request{Path: path, Body: body})
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
