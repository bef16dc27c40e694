// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Variables of the environment that stand for flags which are not given.
const (
	urlVariable   = "UPROAR_URL"
	tokenVariable = "UPROAR_TOKEN_FILE"
)

// Flags say which database is asked: one in a folder, or one that a server has open.
type Flags struct {
	Dir string `placeholder:"DIR" help:"Folder of the database; no other process may have it open."`
	URL string `name:"url" placeholder:"URL" help:"Address of a server to be asked, instead of --dir. Default: UPROAR_URL."`
	RemoteFlags
	EngineFlag
	ReadOnlyFlag
}

// Open opens what is asked, for the caller to close.
func (f *Flags) Open(ctx context.Context) (*Source, error) { return f.open(ctx, false) }

// Make is Open that makes a database of an empty or missing folder.
func (f *Flags) Make(ctx context.Context) (*Source, error) { return f.open(ctx, true) }

func (f *Flags) open(ctx context.Context, create bool) (*Source, error) {
	url, err := f.address()
	if err != nil {
		return nil, err
	}
	if url != "" {
		return f.connect(url)
	}
	db, err := f.OpenDir(ctx, f.Dir, f.Store, create)
	if err != nil {
		return nil, err
	}
	return Local(db)
}

// Server returns the address of the server that a flag names, or the environment if neither --dir
// nor the flag is given; "" for none.
func Server(dir, url string) string {
	if dir != "" {
		return url
	}
	return cmp.Or(url, os.Getenv(urlVariable))
}

// address returns the address of the server; "" if there is a folder in its place.
func (f *Flags) address() (string, error) {
	url := Server(f.Dir, f.URL)
	text := ""
	switch {
	case f.Dir == "" && url == "":
		text = "missing flags: --dir=DIR, or --url=URL for the database of a running server"
	case f.Dir != "" && url != "":
		text = "--dir=DIR and --url=URL do not go together: one database is asked"
	case url != "" && (f.ReadOnly || f.Store != Detect):
		text = "--store and --read-only are about --dir: the server has opened its database already"
	case f.Dir != "" && f.RemoteFlags != RemoteFlags{}:
		text = "--token-file and --ca are about --url: a folder has neither"
	default:
		return url, nil
	}
	return "", &terminal.UsageError{Err: errors.New(text)}
}
