// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// commit is one record of a commit, as all servers send it.
type commit struct {
	Rev        string `json:"rev"`
	Operation  string `json:"operation"` // of Jetstream
	Action     string `json:"action"`    // of tap
	Collection string `json:"collection"`
	Key        string `json:"rkey"`
	Record     record `json:"record"`
}

// record is the texts of a record by their names. Those of other collections have the same names
// for other things, and anybody may write anything: fields of a struct would take other spellings.
type record map[string]text

// text is a string, or is known to be none.
type text struct {
	value     string
	is, wrong bool
}

// UnmarshalJSON reads a string. It has no errors: what else there is spoils no frame.
func (t *text) UnmarshalJSON(data []byte) error {
	switch {
	case data[0] != '"':
		*t = text{wrong: string(data) != "null"}
	case bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data):
		*t = text{value: string(data[1 : len(data)-1]), is: true}
	default:
		*t = text{is: true}
		return json.Unmarshal(data, &t.value)
	}
	return nil
}

// unmarshal reads a frame. A record that is no object is none, and spoils no frame either.
func unmarshal(frame []byte, into any) error {
	err := json.Unmarshal(frame, into)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Type == reflect.TypeFor[record]() {
		return nil
	}
	return err
}

// put makes an event one of the record.
func (c *commit) put(e *live.Event) {
	e.Rev, e.Key = c.Rev, c.Key
	e.Collection = live.Collections[c.Collection]
	switch c.Operation + c.Action {
	case "delete":
		e.Kind = live.Deleted
	case "create", "update":
		e.Kind = live.Written
		if e.Collection != live.NoCollection {
			e.Target, e.List, e.Skip = c.subject()
		}
	default:
		e.Skip = live.OtherKind
		return
	}
	if e.Collection == live.NoCollection {
		e.Key, e.Skip = c.Collection+"/"+c.Key, live.OtherRecord
	}
}

// subject returns what the record says, or why it says nothing.
func (c *commit) subject() (target, list string, why live.Reason) {
	subject, of := c.Record["subject"], text{}
	if live.Collections[c.Collection] == live.ListItem {
		of = c.Record["list"]
	}
	if !subject.is || of.wrong {
		return "", "", live.BadRecord
	}
	if !live.IsDID(subject.value) {
		return "", "", live.BadSubject
	}
	return subject.value, of.value, live.NotSkipped
}

// account is the state of an account.
type account struct {
	Active *bool  `json:"active"`
	Status string `json:"status"`
}

// put makes an event one of the state.
func (a *account) put(e *live.Event) {
	if a.Active == nil {
		e.Skip = live.BadFrame
		return
	}
	e.Kind = live.Account
	switch {
	case *a.Active:
		e.Status = live.Active
	case a.Status == "deleted":
		e.Status = live.Gone
	case a.Status == "desynchronized" || a.Status == "throttled":
		e.Kind, e.Skip = live.Ignored, live.Unsettled
	default:
		e.Status = live.Hidden
	}
}

// letters are the digits of a TID, in their order.
const letters = "234567abcdefghijklmnopqrstuvwxyz"

// timeOf returns the time of a TID; the zero time if it is none.
func timeOf(tid string) time.Time {
	if len(tid) != 13 {
		return time.Time{}
	}
	var x uint64
	for i := range len(tid) {
		digit := strings.IndexByte(letters, tid[i])
		if digit < 0 || i == 0 && digit > 7 {
			return time.Time{}
		}
		x = x<<5 | uint64(digit)
	}
	return time.UnixMicro(int64(x >> 10))
}
