// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

import "context"

// Size is the room that a store takes, in bytes: on disk, or in memory for a store that lives
// there.
type Size struct {
	Tree   int64 // keys, with the small values that the engine keeps beside them, and its write-ahead log
	Values int64 // large values, where the engine keeps them apart; 0 where it does not
}

// Total returns the sum of all parts.
func (s Size) Total() int64 { return s.Tree + s.Values }

// Sizer is the power of a store to tell how much room it takes.
type Sizer interface {
	// Size returns the room that the store takes now, space included that is waiting to be
	// reclaimed. It costs at most a listing of the store's files. Errors: ErrClosed, or the file
	// system's.
	Size() (Size, error)
}

// Space is what is left for a store on its disk. The zero value is of a store that cannot tell.
type Space struct {
	Free    uint64 // bytes
	Reserve uint64 // a batch is refused (ErrFull) that would leave fewer bytes
	Files   uint64 // how many more files can be made; math.MaxUint64: the disk does not bound them
}

// Spacer is the power of a store to tell how much space is left, before a batch is refused.
type Spacer interface {
	// Space looks at the disk, in some microseconds. Errors: ErrFull, beside the space that is
	// left, while even a small batch would be refused; ErrClosed, or the failure after which
	// nothing is written.
	Space() (Space, error)
}

// SpaceOf asks a store for its Space. One that has not the power has nothing to tell.
func SpaceOf(s Store) (Space, error) {
	if spacer, ok := s.(Spacer); ok {
		return spacer.Space()
	}
	return Space{}, nil
}

// Compacter is the power of a store to reclaim the space of deleted and replaced entries when
// asked. Stores reclaim it by themselves, in the background. Compact is for callers who cannot
// wait, such as a command that prepares files for shipping.
type Compacter interface {
	// Compact reclaims what can be reclaimed and returns when there is nothing more to do, or when
	// ctx is done, with its error. Reads and writes go on meanwhile. Errors: ErrClosed,
	// ErrReadOnly, ctx.Err(), or the engine's.
	Compact(ctx context.Context) error
}

// Pacer is the power of a store to have writers wait while it reclaims the space they replaced.
// Apply waits by itself. Await is for callers who want to be able to give up before they have
// begun.
type Pacer interface {
	// Await returns when a batch would be taken without having to wait for room, or when ctx is
	// done, with its error. It costs two loads while there is no need to wait. It promises nothing
	// of later: writers that come together may pass together.
	Await(ctx context.Context) error
}

// Sender is the power of a store that asks other machines to take a batch while others are on their
// way: one after the other, each would wait for the time there and back.
type Sender interface {
	// Send begins an Apply without sync, and returns what waits for its end and returns its error.
	// Until then the batch and its bytes are the store's, readers may see a part of it, and no
	// other batch may have one of its keys: it takes effect before or after the others.
	Send(b *Batch) (wait func() error)

	// Window returns how many batches are best under way, and how many bytes each has.
	Window() (batches, bytes int)
}

// Ingester is the power of a store to take sorted entries past its log, as whole tables: for loads,
// of which nobody needs a part. It costs about as much as writing the bytes once.
type Ingester interface {
	// Ingest begins to take entries. The caller ends it by Commit or Abort, before it closes the
	// store. Errors: ErrClosed, ErrReadOnly, or the engine's.
	Ingest() (Ingestion, error)
}

// Ingestion takes the entries of one Ingest. It is not safe for concurrent use; several of one
// store may be under way at the same time.
type Ingestion interface {
	// Put takes an entry, which nobody sees before Commit. Its key must be greater than that of the
	// Put before. The bytes are the caller's again when it returns. Errors: ErrUnsorted, those of
	// Batch.Check and of Apply. After any of them only Abort is left.
	Put(key, value []byte) error

	// Commit makes the entries visible, all at once, and durable. They replace those under the same
	// keys. After an error none of them is seen, but they may be found there when the store is
	// opened again. Errors: those of Apply.
	Commit() error

	// Abort drops the entries. After Commit it does nothing, so that it can be deferred.
	Abort()
}

// Verifier is the power of a store to check its own files, the parts included that no Get or Scan
// comes by.
type Verifier interface {
	// Verify reads the files that hold the latest state and compares their checksums. Reads and
	// writes go on meanwhile. It returns nil when all is well, or the problems, joined, each of
	// which names its file. Errors: ErrCorrupt, ErrClosed, ctx.Err(), or the file system's.
	Verify(ctx context.Context) error
}

// Bit is a bit of a file.
type Bit struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"` // of its byte
	Bit    int    `json:"bit"`    // 0: the least of the byte
}

// Mender is the power of a store that was opened although it is damaged to put flipped bits right
// as it reads. The files stay as they are.
type Mender interface {
	// Mended returns the bits that were put right until now, in the order of files and offsets.
	// more tells of others beyond the first 1000.
	Mended() (bits []Bit, more bool)
}
