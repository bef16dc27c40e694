// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package epinions holds the Epinions trust network, a real social graph, inside the program: who
// trusts whom among the reviewers of epinions.com.
//
// Source: Stanford Network Analysis Project (SNAP), data set soc-Epinions1, after M. Richardson, R.
// Agrawal, P. Domingos, "Trust Management for the Semantic Web", ISWC 2003. It is an edge list as
// published there: lines that start with # are comments, all others two account numbers with a tab
// between them, the one who trusts and the one who is trusted; compressed with gzip.
package epinions

import (
	"bytes"
	_ "embed" // for the data
)

// What the data is called and what is in it.
const (
	Name     = "soc-Epinions1.txt.gz"
	Source   = "Stanford SNAP, soc-Epinions1; Richardson, Agrawal, Domingos 2003"
	Accounts = 75_879
	Follows  = 508_837
)

//go:embed soc-Epinions1.txt.gz
var compressed []byte

// Open returns the data from its beginning, compressed. Len of the reader is what is left of it, in
// bytes. It costs nothing, and any number of readers may be in use at once.
func Open() *bytes.Reader { return bytes.NewReader(compressed) }
