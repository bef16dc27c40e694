// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package likes has who likes what: accounts of a graph, and subjects, which are texts: posts,
// feeds, labelers.
//
//	l, err := likes.Open(ctx, db, g)
//	l.Write(ctx, likes.Changes{List: []likes.Change{{Account: "did:plc:alice", Key: "3m6i4wtqkuf2l",
//		Subject: "at://did:plc:bob/app.bsky.feed.post/3m6aaaaaaaa2k"}}})
//	answers, err := l.Ask(ctx, likes.Question{Viewer: "did:plc:carol", Limit: 5}, subject)
//
// A like is a record of its actor, as a network has it, with a key that is unique among the likes
// of the actor. Several records with one subject are one edge with several records.
//
// # What is stored
//
// Subjects are records of the index of the graph's accounts, and likes are values of two relations
// with keys there: they share its commits, log, flushes, snapshots, backups and copies.
//
//   - likers has the accounts of each subject, by the key of the record. A subject's newest likes
//     are the end of a list. The inverse, likes, has the subjects of each account.
//   - likeslots says, for each account and second in which it liked something, which of 64 buckets
//     the subject is in. So the record of an actor and a key is found among the actor's subjects of
//     one bucket, and a new key costs one look.
//
// The key of a subject at://DID/app.bsky.feed.post/TID has the ID of the account DID, in 7 digits,
// and the TID. Other subjects of a DID keep what comes after it, and all others stay what they are.
// These keys begin with a control character: no account has such a key.
//
// Bytes of a like, by TestSizes with UPROAR_LIKES=1000000, three posts for ten likes: sets of both
// directions 4.9, keys with accounts in the order of the subject 11.6, slots 2.9. Half of the keys'
// bytes are what each list begins with. A post costs 15 bytes: 7 to find it, 8 its key.
//
// # Limits
//
// Accounts and subjects together are at most 2^31. Where an account that wrote subjects is deleted
// from the graph, these subjects, with their likes, are no longer found.
//
// All methods are safe for concurrent use.
package likes
