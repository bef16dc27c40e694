// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package plaintext

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestNewReader(t *testing.T) {
	long := strings.Repeat("a,b\n", 100_000)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, long)
	_ = w.Close()
	for _, c := range []struct{ in, want string }{{"", ""}, {"x", "x"}, {long, long}, {packed.String(), long}} {
		read := 0
		r, err := NewReader(strings.NewReader(c.in), func(n int) { read += n })
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != c.want || read != len(c.in) {
			t.Errorf("%.10q: got %d bytes, %v, after %d, want %d after %d", c.in, len(got), err, read, len(c.want), len(c.in))
		}
	}
	for _, cut := range []int{5, packed.Len() / 2} {
		r, err := NewReader(bytes.NewReader(packed.Bytes()[:cut]), func(int) {})
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if err == nil {
			t.Errorf("cut after %d bytes: got no error", cut)
		}
	}
}
