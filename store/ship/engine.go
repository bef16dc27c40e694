// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/uproar-db/uproar/store"
)

// ErrExists is returned by Engine.Create when there is an object under the name.
var ErrExists = errors.New("ship: the object exists")

// Engine keeps immutable objects under names, for many processes on many machines. CheckName says
// what a name is. No name is the folder of another: there is never both a and a/b. An object has at
// most MaxObject bytes. The calls refuse other names and larger objects.
//
// All methods are safe for concurrent use and end with ctx. Any of them may fail with
// store.ErrUnavailable: the engine could not be asked, or has not answered.
type Engine interface {
	// Create stores an object if there is none under the name: of any number of calls for one name,
	// in any processes, at most one returns nil until the object is deleted. The object is then
	// durable, and Get and List find it. Create does not change data, and keeps no reference to it.
	// After store.ErrUnavailable, and after ctx's end, the object may be there, or come to be there
	// later. Errors: ErrExists, store.ErrUnavailable, store.ErrTooLarge, ctx's, or the engine's.
	Create(ctx context.Context, name string, data []byte) error

	// Get returns an object, which belongs to the caller. Errors: store.ErrNotFound,
	// store.ErrUnavailable, ctx's, or the engine's.
	Get(ctx context.Context, name string) ([]byte, error)

	// List yields the names that begin with prefix and are greater than after, in ascending order
	// of their bytes. It may miss what was created since it began. It ends with the first error.
	// Errors: store.ErrUnavailable, ctx's, or the engine's.
	List(ctx context.Context, prefix, after string) iter.Seq2[string, error]

	// Delete removes an object. It is no error when there is none. Errors: store.ErrUnavailable,
	// ctx's, or the engine's.
	Delete(ctx context.Context, name string) error

	// Close lets go of connections.
	Close() error
}

// MaxObject is how many bytes an object may have.
const MaxObject = 64 << 20

// Checked is the name of the object that `uproar check-storage` makes where storage has passed. No
// writer starts without it.
const Checked = "checked"

// MaxName is how many bytes a name may have.
const MaxName = 400

// CheckName returns an error when name is not one of an object: parts of letters, digits, "-", "_"
// and "." between slashes. A part has at least one byte, and begins with none of "-" and ".".
func CheckName(name string) error {
	if len(name) > MaxName {
		return fmt.Errorf("ship: name of an object: got %d bytes, %.40q…, want at most %d", len(name), name, MaxName)
	}
	for part := range strings.SplitSeq(name, "/") {
		ok := part != "" && part[0] != '.' && part[0] != '-'
		for i := range len(part) {
			c := part[i]
			ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
				c == '-' || c == '_' || c == '.')
		}
		if !ok {
			return fmt.Errorf("ship: name of an object: got %.80q, want parts of letters, digits, \"-\", "+
				"\"_\" and \".\" between slashes, and none that begins with \"-\" or a dot", name)
		}
	}
	return nil
}

// CheckObject returns an error when an engine does not take an object: CheckName's, or
// store.ErrTooLarge.
func CheckObject(name string, data []byte) error {
	if len(data) > MaxObject {
		return fmt.Errorf("ship: object %.80q: %w", name,
			&store.TooLargeError{What: "object bytes", Got: len(data), Max: MaxObject})
	}
	return CheckName(name)
}
