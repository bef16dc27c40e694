// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
)

// A block of a checkpoint ends at a key that is chosen by its hash once it has blockBytes, so that
// what did not change makes the same blocks again.
const (
	blockBytes = 4 << 20
	blockMost  = 12 << 20
	blockCut   = 64 // one key of so many ends a block

	blockPrefix = "blocks/"
	indexName   = "/index"
)

// checkpoint says what blocks have the content of a local store. They were read one after the
// other, while objects were applied: what came between is applied again by whoever restores.
type checkpoint struct {
	At      position  `json:"at"`      // before the first block was read
	Through uint64    `json:"through"` // the last object when all were read: no state before it can be restored
	Time    time.Time `json:"time"`    // by the clock of the node that made it
	Blocks  []block   `json:"blocks"`  // in the order of their keys
}

// block is a part of a checkpoint.
type block struct {
	Name  string `json:"name"`
	Sum   string `json:"sum"` // SHA-256 of the object
	Bytes int    `json:"bytes"`
}

// checkpointer writes checkpoints of a local store.
type checkpointer struct {
	remote *remote
	local  store.Store
	keep   time.Duration   // how long blocks are kept that no checkpoint names
	at     func() position // how far the local store is
	most   func() uint64   // the last object of which it may have something
}

// write writes the content of the local store to the engine, for nodes that begin. Blocks that the
// newest checkpoint has are not written again. Reads and writes go on meanwhile. others is true
// when there is one of the same object with other blocks. Errors: ctx's, the local store's, or the
// engine's.
func (w *checkpointer) write(ctx context.Context) (others bool, err error) {
	begun := now()
	c := checkpoint{At: w.at(), Time: time.Now().UTC()}
	known := make(map[string]block)
	before, err := w.remote.newestCheckpoint(ctx, c.At.Object)
	if err != nil && !errors.Is(err, errNoCheckpoint) {
		return false, err
	}
	for _, b := range before.Blocks {
		known[b.Sum] = b
	}
	var salt [4]byte
	rand.Read(salt[:])
	total, fresh := 0, 0
	for start := []byte{}; start != nil; {
		var data []byte
		if data, start, err = readBlock(w.local, start); err != nil {
			return false, err
		}
		sum := sha256.Sum256(data)
		b := block{Sum: hex.EncodeToString(sum[:]), Bytes: len(data)}
		if old, ok := known[b.Sum]; ok {
			b.Name = old.Name
		} else {
			b.Name = fmt.Sprintf("%s-%x/%06d", numbered(blockPrefix, c.At.Object), salt, len(c.Blocks))
			if err := w.remote.insist(ctx, b.Name, data); err != nil {
				return false, err
			}
			fresh += len(data)
		}
		total += len(data)
		c.Blocks = append(c.Blocks, b)
	}
	if begun.elapsed() > w.keep/2 {
		return false, fmt.Errorf("ship: the checkpoint took %v, want less than half of the %v for which its blocks "+
			"are kept", begun.elapsed(), w.keep)
	}
	c.Through = max(c.At.Object, w.most())
	text, err := json.Marshal(&c)
	if err != nil {
		return false, err
	}
	text = fmt.Appendf(text, "\n%x\n", sha256.Sum256(text))
	name := numbered(checkpointPrefix, c.At.Object) + indexName
	err = w.remote.insist(ctx, name, text)
	if _, taken := errors.AsType[*takenError](err); taken {
		there, err := w.remote.checkpoint(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			return true, nil // it was collected just now
		}
		same := slices.EqualFunc(there.Blocks, c.Blocks, func(a, b block) bool { return a.Sum == b.Sum })
		return err == nil && !same, err
	}
	w.remote.log.Info("checkpoint", "object", c.At.Object, "blocks", len(c.Blocks), "bytes", total, "written", fresh)
	return false, err
}

// readBlock returns the next block of entries, from a key on. It also returns where the block after
// it begins; nil after the last one.
func readBlock(local store.Store, start []byte) (data, next []byte, err error) {
	o := object{kind: attachmentKind, parts: []part{{}}}
	size := 0
	err = local.Scan(nil, start, func(key, value []byte) error {
		if isPosition(key) {
			return nil
		}
		last := &o.parts[len(o.parts)-1]
		if size >= blockMost || size >= blockBytes && crc32.ChecksumIEEE(key)%blockCut == 0 {
			next = slices.Clone(key)
			return store.ErrStop
		}
		if len(last.ops) == store.MaxOps {
			o.parts = append(o.parts, part{})
			last = &o.parts[len(o.parts)-1]
		}
		last.ops = append(last.ops, store.Op{Key: slices.Clone(key), Value: slices.Clone(value)})
		size += len(key) + len(value)
		return nil
	})
	return o.encode(blockPrefix), next, err
}

// errNoCheckpoint says that a log has no checkpoint yet.
var errNoCheckpoint = errors.New("ship: there is no checkpoint")

// newestCheckpoint returns the newest checkpoint from which a state as of an object can be
// restored.
// Errors: errNoCheckpoint, *DamagedError, ctx's, or the engine's.
func (r *remote) newestCheckpoint(ctx context.Context, through uint64) (c checkpoint, err error) {
	found, err := r.all(ctx, checkpointPrefix)
	if err != nil {
		return c, err
	}
	for _, name := range slices.Backward(found) {
		c, err = r.checkpoint(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue // it was collected just now
		}
		if err != nil || c.Through <= through {
			return c, err
		}
	}
	return checkpoint{}, errNoCheckpoint
}

// checkpoint reads the index of a checkpoint.
func (r *remote) checkpoint(ctx context.Context, name string) (c checkpoint, err error) {
	text, err := r.get(ctx, name)
	if err != nil {
		return c, err
	}
	text, sum, _ := bytes.Cut(text, []byte("\n"))
	if want := fmt.Appendf(nil, "%x\n", sha256.Sum256(text)); !bytes.Equal(sum, want) {
		return c, damaged(name, "got SHA-256 %.65q, want %q", sum, want)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, damaged(name, "got %v, want the index of a checkpoint", err)
	}
	if n, err := numberOf(checkpointPrefix, name); err != nil || n != c.At.Object || c.Through < n {
		return c, damaged(name, "got a checkpoint at object %d and through %d, want that of its name, and no less",
			c.At.Object, c.Through)
	}
	if err := c.At.Writer.check(); c.At.Object > 0 && err != nil {
		return c, damaged(name, "the writer: %v", err)
	}
	for _, b := range c.Blocks {
		isBlock := strings.HasPrefix(b.Name, blockPrefix) && CheckName(b.Name) == nil
		if !isBlock || b.Bytes < headLen || b.Bytes > MaxObject {
			return c, damaged(name, "got a block %.80q of %d bytes, want a name that begins with %s, and up to %d bytes",
				b.Name, b.Bytes, blockPrefix, MaxObject)
		}
	}
	return c, nil
}
