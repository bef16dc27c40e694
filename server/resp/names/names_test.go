// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"bytes"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	long := strings.Repeat("x", 512)
	for raw, want := range map[string]string{
		"user:123": "user:123", "007": "007", "grün": "grün", long: long, "a\\b": "a\\b",
		"": `\:`, "\x00": `\:\x00`, "\xff": `\:\xff`, "a\nb": `\:a\x0ab`, `\`: `\:\\`, `\:`: `\:\\:`, `\!k`: `\:\\!k`,
		"\u0085": `\:\xc2\x85`, long + "x": `\=` + long + "x",
		strings.Repeat("\x00", 200): `\=` + strings.Repeat("\x00", 200),
	} {
		if got := Of([]byte(raw)); got != want {
			t.Errorf("Of(%q): got %q, want %q", raw, got, want)
		}
	}
}

// FuzzName gets the bytes back, from a name that no other bytes have and that is none of a record
// of times.
func FuzzName(f *testing.F) {
	f.Add([]byte("a"), []byte(`\:a`))
	f.Add([]byte(""), []byte(`\:`))
	f.Add([]byte(`\x41`), []byte(`A`))
	f.Add([]byte("\x00\\x00"), bytes.Repeat([]byte{0xff}, 600))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		name := Of(a)
		if back := AppendRaw(nil, []byte(name)); Odd([]byte(name)) || !bytes.Equal(back, a) {
			t.Errorf("%q has the name %q, which has the bytes %q", a, name, back)
		}
		if name == Of(b) != bytes.Equal(a, b) {
			t.Errorf("%q and %q have the names %q and %q", a, b, name, Of(b))
		}
		if len(name) == 0 || len(name) > max(512, len(a)+2) {
			t.Errorf("%q has a name of %d bytes", a, len(name))
		}
		if key, member, ofMember, ok := Parse(OfMember(name, Of(b))); !ok || !ofMember || key != name ||
			member != Of(b) {
			t.Errorf("the record of %q in %q is that of %q in %q (%v)", Of(b), name, member, key, ok)
		}
		if key, _, ofMember, ok := Parse(OfKey(name)); !ok || ofMember || key != name {
			t.Errorf("the record of key %q is that of %q (%v)", name, key, ok)
		}
		for _, record := range []string{OfKey(name), OfMember(name, Of(b))} {
			if raw := AppendRaw(nil, []byte(record)); string(raw) != record || !Odd(raw) {
				t.Errorf("the record %q passes for a member", record)
			}
		}
	})
}
