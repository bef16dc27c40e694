// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
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

// Checkpoint writes the content of the local store to the engine, for nodes that begin. Blocks that
// the newest checkpoint has are not written again. Reads and writes go on meanwhile. Errors: ctx's,
// the local store's, or the engine's.
func (s *Store) Checkpoint(ctx context.Context) error {
	begun := now()
	seen := s.seen.Load()
	c := checkpoint{At: seen.at, Time: time.Now().UTC()}
	known := make(map[string]block)
	before, err := s.newestCheckpoint(ctx, seen.at.Object)
	if err != nil && !errors.Is(err, errNoCheckpoint) {
		return err
	}
	for _, b := range before.Blocks {
		known[b.Sum] = b
	}
	var salt [4]byte
	rand.Read(salt[:])
	bytes, fresh := 0, 0
	for start := []byte{}; start != nil; {
		var data []byte
		if data, start, err = s.readBlock(start); err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		b := block{Sum: hex.EncodeToString(sum[:]), Bytes: len(data)}
		if old, ok := known[b.Sum]; ok {
			b.Name = old.Name
		} else {
			b.Name = fmt.Sprintf("%s-%x/%06d", numbered(blockPrefix, seen.at.Object), salt, len(c.Blocks))
			if err := s.persist(ctx, b.Name, data); err != nil {
				return err
			}
			fresh += len(data)
		}
		bytes += len(data)
		c.Blocks = append(c.Blocks, b)
	}
	if begun.elapsed() > s.opts.Keep/24 {
		return fmt.Errorf("ship: the checkpoint took %v, want less than a 24th of the %v for which its blocks are kept",
			begun.elapsed(), s.opts.Keep)
	}
	c.Through = s.seen.Load().at.Object
	text, err := json.Marshal(&c)
	if err != nil {
		return err
	}
	err = s.persist(ctx, numbered(checkpointPrefix, c.At.Object)+indexName, text)
	if _, taken := errors.AsType[*takenError](err); taken {
		return nil // another node was faster; its blocks are as good
	}
	s.log.Info("checkpoint", "object", c.At.Object, "blocks", len(c.Blocks), "bytes", bytes, "written", fresh)
	return err
}

// readBlock returns the next block of entries, from a key on, and where the block after it begins;
// nil after the last one.
func (s *Store) readBlock(start []byte) (data, next []byte, err error) {
	o := object{kind: attachmentKind, parts: []part{{}}}
	size := 0
	err = s.Scan(nil, start, func(key, value []byte) error {
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

// newestCheckpoint returns the newest checkpoint from which a state as of an object can be restored.
// Errors: errNoCheckpoint, *DamagedError, ctx's, or the engine's.
func (s *Store) newestCheckpoint(ctx context.Context, through uint64) (c checkpoint, err error) {
	found, err := names(ctx, s.engine, checkpointPrefix, "", 1<<20, s.hiccup)
	if err != nil {
		return c, err
	}
	for _, name := range slices.Backward(found) {
		c, err = readCheckpoint(ctx, s.engine, name, s.hiccup)
		if errors.Is(err, store.ErrNotFound) {
			continue // it was collected just now
		}
		if err != nil || c.Through <= through {
			return c, err
		}
	}
	return checkpoint{}, errNoCheckpoint
}

// readCheckpoint reads the index of a checkpoint.
func readCheckpoint(ctx context.Context, e Engine, name string, tell func(error)) (c checkpoint, err error) {
	text, err := get(ctx, e, name, tell)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, damaged(name, "got %v, want the index of a checkpoint", err)
	}
	return c, nil
}

// begin makes an empty local store a node of the log, and a store with a database the first node of
// an empty log.
func (s *Store) begin(ctx context.Context, id string) error {
	empty := true
	err := s.local.Keys(nil, nil, func([]byte) error {
		empty = false
		return store.ErrStop
	})
	if err != nil {
		return err
	}
	s.at = position{Log: id}
	if empty {
		return s.restore(ctx)
	}
	if s.opts.Role == Reader {
		return fmt.Errorf("%w: got a folder with entries of its own, want an empty one for a reader", ErrNotEmpty)
	}
	objects, err := names(ctx, s.engine, logPrefix, "", 1, s.hiccup)
	if err != nil {
		return err
	}
	checkpoints, err := names(ctx, s.engine, checkpointPrefix, "", 1, s.hiccup)
	if err != nil {
		return err
	}
	if len(objects)+len(checkpoints) > 0 {
		return fmt.Errorf("%w: got a folder with entries of its own and a log that has begun, want one of them empty",
			ErrNotEmpty)
	}
	s.log.Info("the database of the folder becomes the beginning of the log")
	s.sight()
	if err := s.Checkpoint(ctx); err != nil {
		return err
	}
	var b store.Batch
	s.at.putInto(&b)
	return s.local.Apply(&b, true)
}

// ErrNotEmpty is returned by Open for a local store with entries of its own, where there can be
// none.
var ErrNotEmpty = errors.New("ship: the folder is not empty")
