// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// importTarget is the flags that say into which database an import goes: one in a folder, or one
// that a server has open.
type importTarget struct {
	Dir    string            `placeholder:"DIR" help:"Folder of the database, made if need be."`
	To     string            `placeholder:"URL" aliases:"url" help:"Address of a server, instead of --dir: it goes on serving. Also --url. Default: UPROAR_URL."`
	Memory terminal.ByteSize `placeholder:"SIZE" help:"Memory of the whole import. Default: 512MiB."`
	database.RemoteFlags
	database.EngineFlag
	terminal.JSONFlag
}

// defaultImportMemory is what an import into a folder takes when --memory is not given.
const defaultImportMemory = 512 << 20

// check refuses flags that do not go together, and sets the default of the memory.
func (t *importTarget) check() error {
	t.To = database.Server(t.Dir, t.To)
	switch {
	case t.Dir == "" && t.To == "":
		return errors.New("missing flags: --dir=DIR, or --to=URL for the database of a running server")
	case t.Dir != "" && t.To != "":
		return errors.New("--dir=DIR and --to=URL do not go together: an import is into one database")
	case t.To != "" && (t.Memory != 0 || t.Store != database.Detect):
		return errors.New("--store and --memory are about --dir: the server has opened its database already")
	case t.Dir != "" && t.RemoteFlags != database.RemoteFlags{}:
		return errors.New("--token-file and --ca are about --to: a folder has neither")
	case t.To == "" && t.Memory == 0:
		t.Memory = defaultImportMemory
	}
	if t.To == "" && t.Memory < database.LeastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", t.Memory, database.LeastMemory)
	}
	return nil
}
