// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package keyspace keeps the sets of Redis in an index: a key is a row of the field "sets", and a
// member is a record. All else that is asked of the index sees them, too.
//
// A [Space] has one order of all writes. It runs the jobs of many clients one after the other on a
// [State], which is a snapshot and what the jobs before have written, and commits them together as
// one batch. A job has ended when its writes are on the disk.
//
// The times at which keys and members end are integers of records whose names no member has (see
// package names). What is due is deleted before the next read or write: nobody sees it.
package keyspace

// The fields of an index of sets.
const (
	memberField  = "sets"    // a row for each key, with its members
	expiresField = "expires" // of records of keys and members: when they end, in milliseconds since 1970
	timedField   = "timed"   // of records of members that end: the name of the key
	typeField    = "type"    // of records of keys that are no sets
)

// pageOfMembers is how many members are read together.
const pageOfMembers = 4096
