// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query_test

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/query"
)

func ExampleParse() {
	e, err := query.Parse(`follows(alice) and not (country = de or city = "New York")`)
	if err != nil {
		panic(err)
	}
	fmt.Println(e)
	for _, operand := range e.(query.And).Of {
		fmt.Printf("%T\n", operand)
	}
	// Output:
	// follows(alice) and not (country = de or city = "New York")
	// query.Related
	// query.Not
}

func ExampleSyntaxError() {
	_, err := query.Parse("follows(alice) and country = in")
	fmt.Println(err)
	var syntax *query.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println("line", syntax.Line, "column", syntax.Column)
	}
	fmt.Println(errors.Is(err, query.ErrSyntax))
	// Output:
	// query: 1:30: got the reserved word "in", want a value; as a name or a value it stands in quotes: "in"
	// line 1 column 30
	// true
}

func ExampleSimplify() {
	e, err := query.Parse("all and follows(alice) and not (not follows(bob) or country = de) and follows(alice)")
	if err != nil {
		panic(err)
	}
	fmt.Println(query.Simplify(e))
	// Output: follows(alice) and follows(bob) and not country = de
}

func ExampleMap() {
	e, err := query.Parse("follows(@alice) and not follows(@bob)")
	if err != nil {
		panic(err)
	}
	// Replace the handles that people type by the keys of the records.
	keys := map[string]string{"@alice": "did:plc:a1", "@bob": "did:plc:b2"}
	fmt.Println(query.Map(e, func(e query.Expr) query.Expr {
		if related, ok := e.(query.Related); ok {
			related.Key = keys[related.Key]
			return related
		}
		return e
	}))
	// Output: follows(did:plc:a1) and not follows(did:plc:b2)
}

func ExampleLeaves() {
	e, err := query.Parse("follows(alice) and not (country = de or country = fr)")
	if err != nil {
		panic(err)
	}
	for leaf := range query.Leaves(e) {
		fmt.Println(leaf)
	}
	// Output:
	// follows(alice)
	// country = de
	// country = fr
}

func ExampleValidate() {
	e := query.And{Of: []query.Expr{query.Related{Field: "follows", Key: "alice"}, nil}}
	fmt.Println(query.Validate(e))
	// Output: query: invalid expression: got nil, want an expression
}
