// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// originKey is the entry that says where a database comes from (docs/format/keys.md). One that was
// not restored has none.
var originKey = []byte{0x05}

const originTag = 3

// States of an origin.
const (
	restoring = "restoring" // an entry without a header beside it: the restore has not come to its end
	restored  = "restored"
)

// restoreState says where a restored database comes from.
type restoreState struct {
	State string `json:"state"`
	// 32 hex digits, random: what is written from here on is another history than that of the
	// database that was backed up
	ID     string `json:"id"`
	Backup string `json:"backup,omitempty"` // ID of the last backup it was restored from
}

// encode returns the entry.
func (o *restoreState) encode() ([]byte, error) {
	body, err := json.Marshal(o)
	return sealed(originKey, originTag, body), err
}

// readRestoreState returns the origin in a store; the zero one if there is none.
func readRestoreState(s store.Store) (o restoreState, err error) {
	err = s.Get(originKey, func(value []byte) error {
		body, err := unseal("origin", originKey, originTag, value)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &o); err != nil {
			return fmt.Errorf("%w: origin: %w", ErrCorrupt, err)
		}
		if o.State != restoring && o.State != restored || o.ID == "" {
			return fmt.Errorf("%w: origin: got state %q of %q, want %q or %q", ErrCorrupt, o.State, o.ID, restoring,
				restored)
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return o, nil
	}
	return o, err
}
