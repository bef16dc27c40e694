// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package adult holds the Adult data set inside the program: 32 561 people of the census of the
// United States of 1994, with their work, education, family, and whether they earned more than 50
// 000 dollars a year.
//
// Source: B. Becker and R. Kohavi, "Adult", UCI Machine Learning Repository, 1996,
// https://doi.org/10.24432/C5XW20, licensed under the Creative Commons Attribution 4.0
// International licence (see NOTICE in this folder). It is a table with a header; values are
// separated by a comma and a space, and a question mark stands for none; compressed with gzip.
package adult

import (
	"bytes"
	_ "embed" // for the data
)

// What the data is called and what is in it.
const (
	Source = "UCI Machine Learning Repository, Adult; Becker, Kohavi 1996; CC BY 4.0"
	People = 32_561
	Null   = "?" // stands for no value
)

// Columns are the columns that a demonstration asks about, with their types, as `uproar import
// audience --column` takes them.
var Columns = []string{
	"age:integer", "workclass:single", "education:single", "marital-status:single:field=marital_status",
	"occupation:single", "relationship:single", "race:single", "sex:single",
	"hours-per-week:integer:field=hours", "native-country:single:field=country", ">50K or <=50K:single:field=income",
}

//go:embed adult.csv.gz
var compressed []byte

// Open returns the data from its beginning, compressed. It costs nothing, and any number of readers
// may be in use at once.
func Open() *bytes.Reader { return bytes.NewReader(compressed) }
