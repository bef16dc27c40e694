// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// positionKey is the key of the one entry of the local store that is not of the log. Callers do not
// see it.
var positionKey = []byte(store.PositionKey)

// positionBytes is more than a position has.
const positionBytes = 4 << 10

// position is how far the local store has applied the log. It is written in the same batch as what
// it tells of, or after it: applying an object twice is applying it once.
type position struct {
	Log       string        `json:"log"`                 // the identity of the log
	Object    uint64        `json:"object"`              // the last that was applied
	Epoch     uint64        `json:"epoch"`               // of its writer
	Nonce     nonce         `json:"nonce"`               // likewise
	Writer    Node          `json:"writer"`              // likewise
	Released  bool          `json:"released,omitempty"`  // by the writer: whoever wants may take over
	Takeover  uint64        `json:"takeover"`            // the number of the object that the epoch began with
	Keep      time.Duration `json:"keep,omitempty"`      // the greatest Options.Keep that a writer has had
	Heartbeat time.Duration `json:"heartbeat,omitempty"` // the Options.Heartbeat of the writer
	Restoring bool          `json:"restoring,omitempty"` // the store has a part of a checkpoint
}

// MarshalText implements encoding.TextMarshaler.
func (n nonce) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", n[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *nonce) UnmarshalText(text []byte) error {
	var b []byte
	if _, err := fmt.Sscanf(string(text), "%x", &b); err != nil || len(b) != nonceLen {
		return fmt.Errorf("ship: got nonce %q, want %d bytes in hex", text, nonceLen)
	}
	*n = nonce(b)
	return nil
}

// readPosition reads the position of a local store; ok is false if it has none.
func readPosition(local store.Store) (p position, ok bool, err error) {
	err = local.Get(positionKey, func(value []byte) error { return json.Unmarshal(value, &p) })
	if errors.Is(err, store.ErrNotFound) {
		return p, false, nil
	}
	if err != nil {
		return p, false, fmt.Errorf("ship: reading how far the folder has come: %w", err)
	}
	return p, true, nil
}

// putInto adds the position to a batch.
func (p *position) putInto(b *store.Batch) {
	value, _ := json.Marshal(p) // numbers and strings only
	b.Put(positionKey, value)
}

// advance returns the position after an object, the next one of the log. An object whose epoch is
// below that of the position is void: a writer made it that was no longer one. Errors:
// *DamagedError.
func (p position) advance(name string, o *object) (next position, void bool, err error) {
	next = p
	next.Object = o.number
	switch {
	case o.number != p.Object+1:
		return p, false, damaged(name, "got number %d, want %d", o.number, p.Object+1)
	case o.epoch < p.Epoch:
		return next, true, nil
	case o.kind == takeoverKind:
		if o.epoch != p.Epoch+1 {
			return p, false, damaged(name, "got a takeover with epoch %d after epoch %d, want %d", o.epoch, p.Epoch,
				p.Epoch+1)
		}
		next.Epoch, next.Nonce, next.Writer = o.epoch, o.nonce, o.start.Node
		next.Takeover, next.Released = o.number, false
		next.Keep, next.Heartbeat = max(p.Keep, o.start.Keep), o.start.Heartbeat
		return next, false, nil
	case o.kind == attachmentKind || o.epoch != p.Epoch || o.nonce != p.Nonce:
		return p, false, damaged(name, "got kind %d of epoch %d and nonce %x, want the writer's, of epoch %d and "+
			"nonce %x", o.kind, o.epoch, o.nonce, p.Epoch, p.Nonce)
	}
	next.Released = o.kind == releaseKind
	return next, false, nil
}

// isPosition reports whether a key is that of the position.
func isPosition(key []byte) bool { return bytes.Equal(key, positionKey) }
