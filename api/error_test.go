// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// Every code of error.go has a status, and one that fits its name.
func TestEveryCodeHasAStatus(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		lit, ok := spec.Values[0].(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		codes++
		status := api.Code(text).Status()
		if (status == 500) != (api.Code(text) == api.CodeInternal) {
			t.Errorf("code %s: got status %d", text, status)
		}
		return true
	})
	if codes < 10 {
		t.Errorf("found %d codes in error.go, want all of them", codes)
	}
	if got := api.Code("from a later version").Status(); got != 500 {
		t.Errorf("unknown code: got status %d, want 500", got)
	}
}

func TestErrorIs(t *testing.T) {
	err := fmt.Errorf("asking: %w", &api.Error{Code: api.CodeUnknownAccount, Message: "unknown account \"bob\""})
	if !errors.Is(err, &api.Error{Code: api.CodeUnknownAccount}) {
		t.Error("an error is not found by its code")
	}
	if errors.Is(err, &api.Error{Code: api.CodeInternal}) {
		t.Error("an error is found by another code")
	}
}

func ExampleError() {
	err := error(&api.Error{Code: api.CodeUnknownAccount, Message: "unknown account \"bob\""})
	fmt.Println(err)
	fmt.Println(errors.Is(err, &api.Error{Code: api.CodeUnknownAccount}), api.CodeUnknownAccount.Status())
	// Output:
	// api: unknown_account: unknown account "bob"
	// true 404
}

func ExampleAccountsReply() {
	reply := api.AccountsReply{Accounts: []string{"alice", "<bob>"}, Cursor: "AQc"}
	fmt.Println(string(reply.AppendJSON(nil)))
	// Output: {"accounts":["alice","<bob>"],"cursor":"AQc"}
}
