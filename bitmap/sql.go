// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"database/sql/driver"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Value returns a copy of the stand-alone bytes of the set, as a []byte for a column of bytes
// (BLOB, bytea). The error is always nil.
func (v View) Value() (driver.Value, error) { return mutable.Value(view.View(v)) }

// Value returns a copy of [Bitmap.Bytes]: see [View.Value]. A nil *Bitmap is NULL to database/sql.
func (b Bitmap) Value() (driver.Value, error) { return mutable.Bitmap(b).Value() }

// Scan replaces the set with that of a column's value: a []byte or string with stand-alone bytes,
// or with the text that [Bitmap.MarshalText] writes, for a column of text. The first byte tells
// which. NULL is the empty set. The value is validated and copied; on an error, a [*FormatError] or
// one that names a type that cannot be a set, the set stays as it was.
func (b *Bitmap) Scan(value any) error { return formatError((*mutable.Bitmap)(b).Scan(value)) }
