// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import "time"

// Kind is what an event is about.
type Kind uint8

// The kinds of events.
const (
	Ignored Kind = iota // nothing that a graph has; Event.Skip says why
	Written             // a record was created or updated
	Deleted             // a record was deleted
	Account             // the state of an account
	Sync                // all records of an account are void; those that there are follow
)

// Collection is a kind of records that a graph holds.
type Collection uint8

// The collections.
const (
	NoCollection Collection = iota
	Follow
	Block
	ListItem
)

// Collections has the names of the collections, by which sources are asked for them.
var Collections = map[string]Collection{"app.bsky.graph.follow": Follow, "app.bsky.graph.block": Block,
	"app.bsky.graph.listitem": ListItem}

// Status is the state of an account.
type Status uint8

// The states. Others change nothing, and are not told.
const (
	Active Status = iota
	Hidden        // taken down, suspended, deactivated: it may come back as it was
	Gone          // deleted: its records are void, and nobody deletes them one by one
)

// Event is one event of a source.
type Event struct {
	Kind       Kind
	Account    string // the actor's DID
	Collection Collection
	Key        string // of the record; of another collection, after the name of that and a slash
	Rev        string // of the repository: a TID that only grows
	Target     string // Written: the subject; "" if the record has none that is a DID
	List       string // Written, ListItem: the URI of the list
	Status     Status // Account

	Skip     Reason    // Ignored, of another collection, or Written without a Target: why
	Position int64     // in the source; 0: it has none
	ID       int64     // to acknowledge, of a source without positions
	Backfill bool      // the record was not just written, but fetched with its repository
	Time     time.Time // when it happened, or zero
}

// Reason says why an event changes nothing, or less than it might.
type Reason uint8

// The reasons.
const (
	NotSkipped      Reason = iota
	BadFrame               // cannot be read
	OtherKind              // tells of nothing that a graph has, such as a handle
	OtherRecord            // of another collection
	BadRecord              // is missing, or has no readable subject
	BadSubject             // the subject is no DID
	BadAccount             // the actor is no DID
	BadKey                 // no record can have that key
	ForeignList            // the list is another account's
	Stale                  // came after a later event of the same repository
	Unsettled              // a state that says nothing of the records, such as throttled
	numberOfReasons int    = iota
)

var reasonNames = [numberOfReasons]string{"", "bad-frame", "other-kind", "other-record", "bad-record", "bad-subject",
	"bad-account", "bad-key", "foreign-list", "stale", "unsettled"}

// String returns the name of the reason in figures.
func (r Reason) String() string { return reasonNames[r] }
