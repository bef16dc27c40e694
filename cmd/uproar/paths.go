// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "errors"

// pathFlags are the flags about the paths of other servers: the fields of server.Paths.
type pathFlags struct {
	GraphD        bool   `name:"graphd" help:"Also answer under the paths of GraphD, as it does."`
	Rsky          bool   `help:"Also answer under the paths of rsky-graph, as it does: known followers, for AppViews; 503 for what is not loaded yet."`
	RskyStream    string `placeholder:"NAME" help:"With --rsky or --constellation: all is loaded once this stream of events has a position. Default: once somebody follows somebody."`
	Constellation bool   `help:"Also answer under the paths of constellation, as it does: which follows, blocks and list items link to a subject."`
	Prices        string `placeholder:"NAME" help:"Also answer under the paths of bitmap-usage, as it does, from this catalog."`
}

// check fails for flags that do not go together.
func (f *pathFlags) check() error {
	if f.RskyStream != "" && !f.Rsky && !f.Constellation {
		return errors.New("--rsky-stream goes with --rsky or --constellation: got it alone")
	}
	return nil
}
