// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package catalog finds records by conditions: the price of an offer, the rule that fits a request.
// It is a few verbs over an index of package uproar and its queries.
//
// A record has attributes. An attribute either is a value, such as a colour or a day, or is a rule:
// a condition on the value that a request has, namely that it is one of some, none of some, or in a
// range; a record without a condition fits any value. A search names some attributes with what is
// wanted of each, and has one of three answers: nothing fits, one record does, or several do. Of
// several, the most specific one counts, then the one of the highest priority, then the one that is
// the default; only if there is still more than one is the answer that there are several.
package catalog
