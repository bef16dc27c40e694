// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package guess finds out from the first rows of tables which column has the keys of the records,
// and which types the others have. What it chooses is a schema of package audience, for people to
// read before they use it.
//
// A type is only chosen if every value of the sample has it. A later value that has not ends the
// import (audience.Options.Exact): the table is then imported with a wider type, or not at all.
package guess
