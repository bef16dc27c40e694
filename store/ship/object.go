// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

// The head of every object of ours; docs/format/objects.md has the bytes.
const (
	magic   = 0xBC
	version = 1
	headLen = seal.HeaderLen + 8 + 8 + nonceLen

	nonceLen = 16
)

// kind says what an object holds.
type kind byte

const (
	commitKind     kind = 1 // batches, in their order; none: a heartbeat
	takeoverKind   kind = 2 // a writer begins with the epoch of this object
	releaseKind    kind = 3 // the writer ends, and whoever wants may take over at once
	attachmentKind kind = 4 // a large batch, which an object of the log names
)

// The tags of what an object of commits holds.
const (
	tagBatch    = 0 // operations
	tagAttached = 1 // the name of an object that has them
)

// attachedWithin is how many objects after the one in its name may name an attachment. The
// collector deletes it when those are gone.
const attachedWithin = 10_000

// nonce is what a writer has in all objects of its epoch, and no other writer has.
type nonce [nonceLen]byte

// object is one object of the log, or one that it names.
type object struct {
	kind   kind
	number uint64 // in the log; 0 of an attachment
	epoch  uint64
	nonce  nonce

	parts []part // of commits and attachments that are to be written
	body  []byte // of those that were read: the batches, as decodeObject has found them right
	start start  // of a takeover
}

// start is what an object of kind takeover says of the term that it begins.
type start struct {
	Node                    // the writer
	Base      bool          `json:"base,omitempty"`      // the log begins with a database of the writer
	Keep      time.Duration `json:"keep,omitempty"`      // the writer's Options.Keep
	Heartbeat time.Duration `json:"heartbeat,omitempty"` // and Options.Heartbeat
}

// all yields the batches of an object. Of one that was read, the operations are valid until the
// next batch; their keys and values share its bytes.
func (o *object) all() iter.Seq[part] {
	if o.body == nil {
		return slices.Values(o.parts)
	}
	return func(yield func(part) bool) {
		d := decoder{rest: o.body}
		for n := d.count(); n > 0; n-- {
			if !yield(d.part()) {
				return
			}
		}
	}
}

// part is one batch of an object.
type part struct {
	ops      []store.Op
	attached string // the name of the object that has the operations; empty: they are here
}

// appendHead begins an object.
func (o *object) appendHead(b []byte) []byte {
	b = append(b, magic, version, byte(o.kind), 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, o.number)
	b = binary.LittleEndian.AppendUint64(b, o.epoch)
	return append(b, o.nonce[:]...)
}

// encode returns the bytes of an object under a name.
func (o *object) encode(name string) []byte {
	b := o.appendHead(make([]byte, 0, headLen+o.size()))
	if o.kind == takeoverKind {
		text, _ := json.Marshal(o.start) // strings and numbers only
		b = append(b, text...)
	} else {
		b = binary.AppendUvarint(b, uint64(len(o.parts)))
		for i := range o.parts {
			b = o.parts[i].append(b)
		}
	}
	seal.Write([]byte(name), b)
	return b
}

// size returns about how many bytes the parts take.
func (o *object) size() (n int) {
	n = 256
	for i := range o.parts {
		n += 24 + len(o.parts[i].attached)
		for j := range o.parts[i].ops {
			n += 12 + len(o.parts[i].ops[j].Key) + len(o.parts[i].ops[j].Value)
		}
	}
	return n
}

func (p *part) append(b []byte) []byte {
	if p.attached != "" {
		b = binary.AppendUvarint(append(b, tagAttached), uint64(len(p.attached)))
		return append(b, p.attached...)
	}
	b = binary.AppendUvarint(append(b, tagBatch), uint64(len(p.ops)))
	for i := range p.ops {
		op := &p.ops[i]
		// the lowest bit of the key's length says that the entry is deleted
		n := uint64(len(op.Key)) << 1
		if op.Delete {
			n |= 1
		}
		b = append(binary.AppendUvarint(b, n), op.Key...)
		if !op.Delete {
			b = append(binary.AppendUvarint(b, uint64(len(op.Value))), op.Value...)
		}
	}
	return b
}

// decodeObject reads the object under a name. The result shares the bytes. Errors: *DamagedError.
func decodeObject(name string, b []byte) (*object, error) {
	if len(b) < headLen || b[0] != magic {
		return nil, damaged(name, "got %d bytes, want an object of a log", len(b))
	}
	if b[1] != version || b[3] != 0 {
		return nil, damaged(name, "got version %d, want %d: try a newer release", b[1], version)
	}
	if got, want := seal.Check([]byte(name), b); got != want {
		return nil, damaged(name, "got checksum %08x, want %08x", got, want)
	}
	o := &object{kind: kind(b[2]), number: binary.LittleEndian.Uint64(b[8:]),
		epoch: binary.LittleEndian.Uint64(b[16:]), nonce: nonce(b[24:headLen])}
	body := b[headLen:]
	switch o.kind {
	case takeoverKind:
		if len(body) > positionBytes {
			return nil, damaged(name, "got a writer of %d bytes, want at most %d", len(body), positionBytes)
		}
		err := json.Unmarshal(body, &o.start)
		if err == nil {
			err = o.start.check()
		}
		if o.start.Keep < 0 || o.start.Heartbeat < 0 {
			return nil, damaged(name, "got times of %v and %v, want none below 0", o.start.Keep, o.start.Heartbeat)
		}
		if err != nil {
			return nil, damaged(name, "the writer: %v", err)
		}
		return o, nil
	case commitKind, releaseKind, attachmentKind:
	default:
		return nil, damaged(name, "got kind %d, want 1 to 4", o.kind)
	}
	d := decoder{rest: body}
	n := d.count()
	if o.kind == releaseKind && n > 0 {
		d.fail("%d batches in the object that ends a term, want none", n)
	}
	for ; n > 0 && d.bad == ""; n-- {
		d.part()
	}
	if len(d.rest) > 0 {
		d.fail("%d bytes after the last batch, want none", len(d.rest))
	}
	if d.bad != "" {
		return nil, damaged(name, "got %s", d.bad)
	}
	o.body = body
	return o, nil
}

// decoder reads what stands behind the head, and trusts none of it: it makes room for the
// operations of one batch only. After the first mistake everything is zero.
type decoder struct {
	rest []byte
	bad  string     // the mistake: what it got, and what it wants
	ops  []store.Op // of the batch read last
}

// fail takes note of a mistake.
func (d *decoder) fail(format string, args ...any) {
	if d.bad == "" {
		d.bad = fmt.Sprintf(format, args...)
	}
	d.rest = nil
}

func (d *decoder) varint() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.fail("an end in the middle of a number, want more bytes")
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// count reads how many things follow, each of which has at least one byte.
func (d *decoder) count() uint64 {
	n := d.varint()
	if n > uint64(len(d.rest)) {
		d.fail("a count of %d before %d bytes, want less", n, len(d.rest))
		return 0
	}
	return n
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail("a length of %d before %d bytes, want less", n, len(d.rest))
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

// part reads a batch. Its operations are the decoder's until the next one.
func (d *decoder) part() (p part) {
	switch tag := d.bytes(1); {
	case d.bad != "":
	case tag[0] == tagAttached:
		p.attached = string(d.bytes(min(d.varint(), MaxName+1)))
		if d.bad == "" && (!strings.HasPrefix(p.attached, attachmentPrefix) || CheckName(p.attached) != nil) {
			d.fail("a batch under the name %.80q, want a name that begins with %s", p.attached, attachmentPrefix)
		}
	case tag[0] == tagBatch:
		n, size := d.count(), 0
		if n > store.MaxOps {
			d.fail("a batch of %d operations, want at most %d", n, store.MaxOps)
		}
		d.ops = d.ops[:0]
		for ; n > 0 && d.bad == ""; n-- {
			op := d.op()
			d.ops, size = append(d.ops, op), size+len(op.Key)+len(op.Value)
		}
		if size > store.MaxBatch {
			d.fail("a batch of %d bytes, want at most %d", size, store.MaxBatch)
		}
		p.ops = d.ops
	default:
		d.fail("a batch with tag %d, want %d or %d", tag[0], tagBatch, tagAttached)
	}
	return p
}

// op reads an operation that a writer can have been asked for.
func (d *decoder) op() (op store.Op) {
	n := d.varint()
	op.Key, op.Delete = d.bytes(n>>1), n&1 == 1
	switch {
	case d.bad != "":
		return op
	case len(op.Key) == 0 || len(op.Key) > store.MaxKey:
		d.fail("an operation on a key of %d bytes, want 1 to %d", len(op.Key), store.MaxKey)
	case isPosition(op.Key):
		d.fail("an operation on the key %q, under which a copy has its position; want another", op.Key)
	case !op.Delete:
		if op.Value = d.bytes(d.varint()); len(op.Value) > store.MaxValue {
			d.fail("a value of %d bytes, want at most %d", len(op.Value), store.MaxValue)
		}
	}
	return op
}

// DamagedError says that an object is not what a writer has made: it, or the engine, cannot be
// trusted. It matches store.ErrCorrupt.
type DamagedError struct {
	Name string // of the object
	Why  string // got, want
}

// Error names the object.
func (e *DamagedError) Error() string { return fmt.Sprintf("ship: object %s: %s", e.Name, e.Why) }

// Is reports whether target is store.ErrCorrupt.
func (e *DamagedError) Is(target error) bool { return target == store.ErrCorrupt }

func damaged(name, format string, args ...any) error {
	return &DamagedError{Name: name, Why: fmt.Sprintf(format, args...)}
}
