// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

// Commands are the commands about what a database holds.
type Commands struct {
	Query    Query    `cmd:"" help:"Print the records that a query matches."`
	Audience Audience `cmd:"" help:"Say what an audience consists of."`
	Graph    Graph    `cmd:"" help:"Answer questions about accounts and their relations."`
	Search   Search   `cmd:"" help:"Find the records of a catalog that count under some conditions."`
	Record   Record   `cmd:"" help:"Read, write and delete records by their keys."`
}
