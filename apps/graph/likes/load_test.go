// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
)

// TestLoadHeaders: names of columns are no like, and nothing else is taken for them.
func TestLoadHeaders(t *testing.T) {
	like := []likes.Change{{Account: "a", Key: "k", Subject: "s"}}
	other := likes.Change{Account: "account", Key: "key", Subject: "post"}
	for text, want := range map[string][]likes.Change{
		"account,key,subject\na,k,s\n":             like,
		"Account,Key,Subject\r\na,k,s\r\n":         like,
		"\ufeffcreator,rkey,subject\na,k,s":        like,
		"\"account\",\"key\",\"subject\"\n\na,k,s": like,
		"\ufeffa,k,s\n":                            like,
		"account,key,subject\ra,k,s\r":             like,
		"account,key,post\na,k,s\n":                {other, like[0]},
	} {
		var got []likes.Change
		n, err := likes.Load(strings.NewReader(text), func(list []likes.Change) error {
			got = append(got, list...)
			return nil
		}, nil)
		if err != nil || n != int64(len(want)) || !slices.Equal(got, want) {
			t.Errorf("%q: got %d likes, %v, %v, want %v", text, n, got, err, want)
		}
	}
}

// endless is a text without an end: a beginning, then the same bytes again and again.
type endless struct {
	begin io.Reader
	left  int // of the bytes after it
}

func (e *endless) Read(p []byte) (int, error) {
	if n, err := e.begin.Read(p); n > 0 || err != io.EOF {
		return n, err
	}
	n := copy(p[:min(len(p), e.left)], strings.Repeat("a,k,s\n", 1+len(p)/6))
	if e.left -= n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestLoadStrayQuote: a quote that is not closed is an error of its line, and takes no memory for
// what follows; nor does a line without an end.
func TestLoadStrayQuote(t *testing.T) {
	for _, c := range []struct {
		begin string
		line  int
		long  bool
	}{
		{"a,k,s\n\nb,k,\"s\n", 3, false},
		{"a,k,s\nb,k\"\",s\n", 2, false},
		{"a,k,s\n\"b,k,s\n", 2, false},
		{"a,k,s\na,k," + strings.Repeat("s", graph.MaxLine) + "\n", 2, true},
		{"a,k,s\na,k,\"" + strings.Repeat("s", 1<<20), 2, true},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		text := &endless{strings.NewReader(c.begin), 64 << 20}
		n, err := likes.Load(text, func([]likes.Change) error { return nil }, nil)
		runtime.ReadMemStats(&after)
		line, bad := errors.AsType[*likes.LineError](err)
		if n != 1 || !bad || line.Line != c.line || errors.Is(err, graph.ErrLineTooLong) != c.long {
			t.Errorf("%.20q: got %d likes, %v, want 1, and an error about line %d", c.begin, n, err, c.line)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%.20q: took %d MiB of memory", c.begin, took>>20)
		}
	}
}

// TestLoadLongSubjects: what is written at a time fits a request of a server, however long the
// subjects are, and however their characters are written in JSON.
func TestLoadLongSubjects(t *testing.T) {
	for _, letter := range []string{"s", "<", "é", "\u2028", "\\", "\U0001f600"} {
		var text strings.Builder
		const all = 10_000
		for i := range all {
			fmt.Fprintf(&text, "%s,%d,%s\n", strings.Repeat(letter, 100), i,
				strings.Repeat(letter, likes.MaxSubject/len(letter)))
		}
		n, err := likes.Load(strings.NewReader(text.String()), func(list []likes.Change) error {
			body, err := json.Marshal(list)
			if len(body) > 3<<20 {
				t.Fatalf("%q: got %d bytes of JSON in one write", letter, len(body))
			}
			return err
		}, nil)
		if n != all || err != nil {
			t.Errorf("%q: got %d likes, %v", letter, n, err)
		}
	}
}
