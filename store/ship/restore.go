// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/store"
)

// restorer makes a local store that of a checkpoint.
type restorer struct {
	remote *remote
	local  store.Store
	log    string // the identity of the log
	last   []byte // the greatest key of the blocks so far
}

// restore writes the newest checkpoint to the local store from which a state as of an object can be
// made, in the place of what is there. Without a checkpoint it empties the store. A restore that
// was interrupted begins anew. It returns how far the store is then.
func (r *restorer) restore(ctx context.Context, through uint64) (at position, err error) {
	c, err := r.remote.newestCheckpoint(ctx, through)
	if errors.Is(err, errNoCheckpoint) {
		c.At = position{Log: r.log}
		err = r.checkBeginning(ctx, through)
	}
	if err != nil {
		return at, err
	}
	if c.At.Log != r.log {
		return at, damaged(checkpointPrefix, "got a checkpoint of log %s, want %s", c.At.Log, r.log)
	}
	if err := putPosition(r.local, position{Log: r.log, Restoring: true}); err != nil {
		return at, err
	}
	if err := r.empty(ctx); err != nil {
		return at, err
	}
	total, done := 0, 0
	for _, b := range c.Blocks {
		total += b.Bytes
	}
	ahead := fetcher{get: func(ctx context.Context, n uint64) ([]byte, error) {
		if n >= uint64(len(c.Blocks)) {
			return nil, store.ErrNotFound
		}
		return r.remote.getWithin(ctx, c.Blocks[n].Name, longLimit)
	}}
	defer ahead.close()
	for blocks := c.Blocks; len(blocks) > 0; {
		come, err := ahead.next(ctx, uint64(len(c.Blocks)-len(blocks)))
		if err != nil {
			_, err = blocks[0].object(nil, err)
			return at, err
		}
		for _, data := range come {
			o, err := blocks[0].object(data, nil)
			if err == nil {
				err = r.write(blocks[0].Name, o)
			}
			if err != nil {
				return at, err
			}
			done, blocks = done+blocks[0].Bytes, blocks[1:]
		}
		r.remote.log.Info("restoring a checkpoint", "object", c.At.Object, "bytes", done, "of", total)
	}
	return c.At, putPosition(r.local, c.At)
}

// checkBeginning returns an error when a log is not whole without a checkpoint.
func (r *restorer) checkBeginning(ctx context.Context, through uint64) error {
	h, err := r.remote.horizon(ctx)
	if err == nil && h > 0 {
		err = fmt.Errorf("%w: got objects from %d on only, and no checkpoint before object %d", ErrTrimmed, h, through)
	}
	if err != nil {
		return err
	}
	name := numbered(logPrefix, 1)
	data, err := r.remote.get(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	o, err := decodeObject(name, data)
	if err == nil && o.start.Base {
		err = fmt.Errorf("%w, and the log begins with a database, of which node %s has not written one yet",
			errNoCheckpoint, o.start.ID)
	}
	return err
}

// putPosition writes a position, synced.
func putPosition(local store.Store, p position) error {
	var b store.Batch
	p.putInto(&b)
	return local.Apply(&b, true)
}

// empty deletes all entries but the position.
func (r *restorer) empty(ctx context.Context) error {
	for ctx.Err() == nil {
		var b store.Batch
		err := r.local.Keys(nil, nil, func(key []byte) error {
			if isPosition(key) {
				return nil
			}
			b.Delete(slices.Clone(key))
			if b.Len() == store.MaxOps {
				return store.ErrStop
			}
			return nil
		})
		if err != nil || b.Len() == 0 {
			return err
		}
		if err := r.local.Apply(&b, false); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// write writes a block of a checkpoint to the local store.
func (r *restorer) write(name string, o *object) error {
	if err := r.checkBlock(name, o); err != nil {
		return err
	}
	if in, ok := r.local.(store.Ingester); ok {
		return ingest(in, o)
	}
	var batch store.Batch
	for p := range o.all() {
		for _, op := range p.ops {
			if batch.Len() == store.MaxOps || batch.Size()+len(op.Key)+len(op.Value) > store.MaxBatch {
				if err := r.local.Apply(&batch, false); err != nil {
					return err
				}
				batch.Reset()
			}
			batch.Put(op.Key, op.Value)
		}
	}
	return r.local.Apply(&batch, false)
}

// object returns a block of a checkpoint of what a call for it has returned.
func (b *block) object(data []byte, err error) (*object, error) {
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: block %s of a checkpoint", ErrTrimmed, b.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("ship: block %s of a checkpoint: %w", b.Name, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != b.Sum {
		return nil, damaged(b.Name, "got SHA-256 %x, want %s", sum, b.Sum)
	}
	return decodeObject(blockPrefix, data)
}

// checkBlock returns an error for a block that has anything but entries behind those of the block
// before.
func (r *restorer) checkBlock(name string, o *object) error {
	if o.kind != attachmentKind {
		return damaged(name, "got kind %d, want %d", o.kind, attachmentKind)
	}
	for p := range o.all() {
		if p.attached != "" {
			return damaged(name, "got the name %q of an object, want entries", p.attached)
		}
		for _, op := range p.ops {
			if op.Delete || bytes.Compare(op.Key, r.last) <= 0 {
				return damaged(name, "got key %x, deleted: %v, behind %x; want entries in the order of their keys", op.Key,
					op.Delete, r.last)
			}
			r.last = append(r.last[:0], op.Key...)
		}
	}
	return nil
}

// ingest has a store take the entries of a block past its log.
func ingest(in store.Ingester, o *object) error {
	to, err := in.Ingest()
	if err != nil {
		return err
	}
	defer to.Abort()
	for p := range o.all() {
		for _, op := range p.ops {
			if err := to.Put(op.Key, op.Value); err != nil {
				return err
			}
		}
	}
	return to.Commit()
}
