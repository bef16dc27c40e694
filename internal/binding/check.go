// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// CheckKey fails for what cannot be a key: that of a record, or, where a field is named, a value or
// row of that. Errors: ErrInvalid.
func CheckKey(what, field, key string) error {
	if len(key) > 0 && len(key) <= format.MaxKey {
		return nil
	}
	if field != "" {
		what += " of " + field
	}
	return invalid("%s: got %d bytes, want 1 to %d", what, len(key), format.MaxKey)
}

// CheckInteger fails for a field that takes no integers. Errors: ErrInvalid.
func CheckInteger(f *schema.Bound) error {
	if f.Type != schema.Integer {
		return invalid("%s: got an integer for a field of type %q, want %q", f.Name, f.Type, schema.Integer)
	}
	return nil
}

// CheckIDs fails for a value that cannot be given to records by their IDs. Errors: ErrInvalid.
func CheckIDs(f *schema.Bound, value string) error {
	if f.Type != schema.Set {
		return invalid("%s: got records by their IDs for a field of type %q, want %q", f.Name, f.Type, schema.Set)
	}
	return CheckKey("value", f.Name, value)
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", sentinel.ErrInvalid, fmt.Sprintf(format, args...))
}
