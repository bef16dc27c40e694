// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
)

type appender interface{ AppendJSON([]byte) []byte }

// reference is what encoding/json makes of a reply.
func reference(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

var awkward = []string{
	"", "alice", "Åsa", "日本", "a\"b\\c/d", "<&>", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "\u2028\u2029\u202a", "\xff",
	"a\xc3", "\xed\xa0\x80z", "\ufffd", "😀", strings.Repeat("x", 1000),
}

func TestRepliesEncodeLikeEncodingJSON(t *testing.T) {
	offset := 17
	replies := []appender{
		api.AccountsReply{Accounts: []string{}},
		api.AccountsReply{Accounts: awkward, Cursor: "AQ"},
		api.CountReply{Count: math.MaxUint64},
		api.FollowsReply{Follows: true},
		api.FollowsReply{},
		api.WriteReply{Sequence: 12},
		api.KeysReply{Keys: awkward},
		api.KeysReply{Keys: []string{"a"}, Cursor: "\"é"},
		api.IDsReply{IDs: []uint64{}},
		api.IDsReply{IDs: []uint64{0, 1, math.MaxUint64}, Cursor: "c"},
		api.HealthReply{Status: "ok"},
		api.HealthReply{Status: "ok", Copy: &api.CopyReply{Node: "a", Leads: true, Writer: "a", WriterURL: "http://a",
			Epoch: 3, Position: 1 << 40, AgeMillis: 12, Forward: "proxy"}},
		api.ErrorReply{Error: api.Error{Code: api.CodeInternal, Message: "it\nfailed", RequestID: "r1"}},
		api.ErrorReply{Error: api.Error{Code: api.CodeInvalidQuery, Message: "m", Offset: &offset}},
		api.ErrorReply{Error: api.Error{Code: api.CodeInvalidQuery, Message: "m", Offset: new(int)}},
	}
	for _, r := range replies {
		if got, want := string(r.AppendJSON([]byte("before"))), "before"+reference(t, r); got != want {
			t.Errorf("%T: got %s, want %s", r, got, want)
		}
	}
}

// TestAppendKey checks that keys are written as encoding/json writes text. It tries each byte at
// each place of the words that are checked together.
func TestAppendKey(t *testing.T) {
	keys := slices.Clone(awkward)
	for c := range 256 {
		for at := range 19 {
			key := []byte("did:plc:abcdefgz234")
			key[at] = byte(c)
			keys = append(keys, string(key))
		}
	}
	for _, key := range keys {
		if got, want := string(api.AppendEscaped([]byte("x"), []byte(key))),
			reference(t, key); got != "x"+want[1:len(want)-1] {
			t.Errorf("AppendEscaped of %q: got %s, want %s", key, got, want)
		}
		want, err := json.Marshal(key)
		if got := string(api.AppendKeyHTML([]byte("x"), []byte(key))); err != nil || got != "x"+string(want) {
			t.Errorf("AppendKeyHTML of %q: got %s, want %s, %v", key, got, want, err)
		}
	}
}

// A list that is nil is an empty one, not null: clients may range over it.
func TestEmptyListsAreNotNull(t *testing.T) {
	for _, r := range []appender{api.AccountsReply{}, api.KeysReply{}, api.IDsReply{}} {
		if got := string(r.AppendJSON(nil)); !strings.Contains(got, "[]") {
			t.Errorf("%T: got %s, want an empty list", r, got)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range awkward {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(api.AppendString(nil, s)), reference(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}

func BenchmarkAccountsReply(b *testing.B) {
	accounts := make([]string, 100)
	for i := range accounts {
		accounts[i] = fmt.Sprintf("did:plc:%024d", i)
	}
	var buf []byte
	for b.Loop() {
		buf = api.AccountsReply{Accounts: accounts}.AppendJSON(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

// TestRankedReplyScore reads back scores that have many digits: none may be lost on the way.
func TestRankedReplyScore(t *testing.T) {
	for _, score := range []float64{0, 1, 1.0 / 3, 0.1 + 0.2, 1234567, 1e6, 5_500_001, 1e-9, math.Sqrt(0.5)} {
		want := api.RankedReply{Accounts: []api.RankedAccount{{Account: "a", Common: 1, Score: score}}, Count: 1}
		var got api.RankedReply
		if err := json.Unmarshal(want.AppendJSON(nil), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("score %v: got %+v, %v", score, got, err)
		}
	}
}
