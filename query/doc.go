// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package query is the language that asks for sets of records: its syntax tree, its parser and its
// printer.
//
// A query is a boolean expression over the records of one index:
//
//	follows(alice) and age between 18 and 30 and not (country = de or country = at-vie)
//
// [Parse] turns text into an [Expr]; the String method of an Expr turns it back,
// and what it writes parses to an equal tree, whatever strings stand in it.
// [ParseJSON] and the MarshalJSON method do the same with JSON. Programs may also build
// the tree from its structs, or with [Field], [AllOf] and their like, without any text:
//
//	query.AllOf(
//		query.Field("follows").Row("alice"),
//		query.Field("country").IsNot("de"),
//	)
//
// The package knows nothing of storage, of bitmaps, or which fields exist: an evaluator gives the
// leaves their meaning. Every leaf must denote a subset of [All], the existing records. Complement,
// and with it [Simplify], rests on that.
//
// # Terminology
//
// An operator is an expression with operands: [And], [Or], [Xor], [Not], [AtLeast] and [Through]. A
// leaf is one without: [Equal], [Prefix], [Compare], [Between], [Any], [Related], [Saved],
// [Bitmap], [All], [Nothing]. The nesting of an expression is the largest number of operators on a
// way from its root to a leaf. The nesting of a text counts its parentheses and the word not in the
// same manner. A reserved word is one that the language uses or keeps for later; as a name or a
// value it stands in double quotes.
//
// # Untrusted text
//
// Parse may be given any bytes. A text of more than [MaxText] bytes, or nested deeper than
// [MaxNesting], is refused; time and memory are linear in the length of the text. The same holds of
// ParseJSON, with [MaxJSON]. An Expr that was built by a program, not by Parse, is checked by
// [Validate].
//
// All functions are safe for concurrent use, and no function changes an
// expression that it is given: trees may be shared freely, as long as nobody
// writes to their Of slices.
package query
