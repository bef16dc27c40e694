// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestAddress: flags come before the environment, and one database is asked.
func TestAddress(t *testing.T) {
	const url, other = "http://127.0.0.1:7070", "http://127.0.0.1:7071"
	for _, tc := range []struct {
		flags     Flags
		env, want string // ": text" is an error
	}{
		{Flags{Dir: "d"}, "", ""},
		{Flags{Dir: "d"}, url, ""},
		{Flags{URL: url}, "", url},
		{Flags{URL: url}, other, url},
		{Flags{}, other, other},
		{Flags{}, "", ": missing flags: --dir=DIR, or --url"},
		{Flags{Dir: "d", URL: url}, "", ": --dir=DIR and --url=URL do not go together"},
		{Flags{URL: url, ReadOnlyFlag: ReadOnlyFlag{true}}, "", ": --store and --read-only are about --dir"},
		{Flags{Dir: "d", RemoteFlags: RemoteFlags{CA: "x"}}, "", ": --token-file and --ca are about --url"},
	} {
		t.Setenv(urlVariable, tc.env)
		tc.flags.Store = Detect
		got, err := tc.flags.address()
		if err != nil {
			got = ": " + err.Error()
		}
		if want, failed := strings.CutPrefix(tc.want, ": "); got != tc.want && !failed ||
			failed && (!strings.HasPrefix(got, ": "+want) || !errors.As(err, new(*terminal.UsageError))) {
			t.Errorf("%+v with %q: got %q, want %q", tc.flags, tc.env, got, tc.want)
		}
	}
}

// TestToken: a file has a token and nothing else, and the environment may name it.
func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	for text, want := range map[string]string{"secret\n": "secret", "": "has 0 words", "a b": "has 2 words"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := (&RemoteFlags{TokenFile: file}).token()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	t.Setenv(tokenVariable, file+"none")
	if _, err := new(RemoteFlags).token(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want an error about a file that is not there", err)
	}
}

// TestFailed: the errors of a server and of a folder are the same to a person, and to errors.Is.
func TestFailed(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single}); err != nil {
		t.Fatal(err)
	}
	src, err := Local(db)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if n, err := src.Client.Count(t.Context(), "people", "all"); n != 0 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	_, err = src.Client.Count(t.Context(), "poeple", "all")
	own := src.Failed(err)
	e, ok := errors.AsType[*uproar.UnknownError](own)
	if !ok || e.Suggestion != "people" || own.Error() != `unknown index "poeple": did you mean "people"?` {
		t.Errorf("got %v", own)
	}
	_, err = src.Client.Backup(t.Context(), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "a folder has no call") {
		t.Errorf("got %v, want an error about a call that folders do not have", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := src.Client.Count(canceled, "people", "all"); !errors.Is(src.Failed(err), context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}

	var answer api.Error
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(answer.Code.Status())
		_, _ = w.Write(api.ErrorReply{Error: answer}.AppendJSON(nil))
	}))
	f := &Flags{URL: at.URL, EngineFlag: EngineFlag{Detect}}
	served, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		answer api.Error
		want   string
		is     error
	}{
		{api.Error{Code: api.CodeUnknownIndex, Message: `unknown index "poeple": did you mean "people"?`}, own.Error(),
			uproar.ErrUnknownIndex},
		{api.Error{Code: api.CodeUnknownField, Message: "index x: unknown field y"}, "index x: unknown field y",
			uproar.ErrUnknownField},
		{api.Error{Code: api.CodeUnauthorized, Message: "no token"},
			"no token\nTry: --token-file, with a token of the server", nil},
		{api.Error{Code: api.CodeUnknownPath, Message: "what"},
			"what\nTry: a newer server: this one has no such call", nil},
		{api.Error{Code: api.CodeInternal, Message: "look for", RequestID: "a1"}, "look for a1", nil},
	} {
		answer = tc.answer
		_, err := served.Client.Count(t.Context(), "poeple", "all")
		got := served.Failed(err)
		text := strings.TrimPrefix(got.Error(), "uproar: ")
		if text != tc.want || tc.is != nil && !errors.Is(got, tc.is) ||
			tc.is == nil && !errors.As(got, new(*client.Error)) {
			t.Errorf("%+v: got %q, want %q", tc.answer, text, tc.want)
		}
	}
	at.Close()
	_, err = served.Client.Count(t.Context(), "people", "all")
	if got := served.Failed(err); !strings.Contains(got.Error(), "\nTry: the address that uproar serve printed") {
		t.Errorf("got %q, want where to look", got)
	}
}
