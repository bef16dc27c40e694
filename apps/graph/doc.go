// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package graph answers questions about who follows whom: followers,
// following, mutuals, and the intersections of several accounts' lists.
//
//	g, err := graph.Open(ctx, db)
//	g.Follow(ctx, graph.Follow{Account: "alice", Target: "bob"})
//	n, err := g.Followers("bob").Count(ctx)
//	page, err := g.Mutuals("alice").Page(ctx, uproar.Page{Limit: 100})
//
// It is a thin layer: each verb is one query over the index "accounts", whose
// relation "follows" is kept with its inverse "followers". What no verb asks
// can be asked of that index in the query language:
//
//	follows(alice) and not followers(alice)
//
// # Terminology
//
// An account is a record of the index, known by its key: valid UTF-8 without control characters, of
// 1 to [MaxAccount] bytes. A follow is an ordered pair: an account and its target, which the
// account follows. The followers of an account follow it, it follows its following, and its mutuals
// are in both lists.
//
// Beside follows there are blocks, mutes and lists with their members, each a [Relation] with its
// inverse. [Accounts.For] is a set as a viewer is shown it: without accounts that the viewer blocks
// or mutes, or that block the viewer.
//
// An account exists from its first follow on, in either role, and goes on
// existing when that follow is undone, until it is deleted ([Graph.Write]).
//
// # An account that follows itself
//
// is taken as it comes, both live and imported: a graph is data, not a social
// network's rules, and a follow that the source has and the copy lacks would be
// a silent difference. Such an account is one of its own followers, following
// and mutuals. Who does not want that refuses it before calling Follow.
//
// All methods are safe for concurrent use.
package graph
