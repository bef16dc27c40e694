// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/uproar-db/uproar/cmd/uproar/ask"
	"github.com/uproar-db/uproar/cmd/uproar/shell"
)

// The commands that ask a database, in a folder or over HTTP.
type (
	queryCommand    struct{ ask.Query }
	audienceCommand struct{ ask.Audience }
	graphCommand    struct{ ask.Graph }
	searchCommand   struct{ ask.Search }
	inspectCommand  struct{ ask.Inspect }
	statsCommand    struct{ ask.Stats }
	fieldsCommand   struct{ ask.Fields }
	shellCommand    struct{ shell.Command }
)

// checkCommand is the commands that check what was imported.
type checkCommand struct {
	Catalog ask.CheckCatalog `cmd:"" help:"List records of a catalog that fit the same searches, and those that no search finds."`
}
