// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// String returns the set for people who read logs and failed tests: its values in braces, such as
// {1,2,300}. Of more than 20 it names the first 20 and says how many there are. [View.MarshalText]
// is the text that can be read again.
func (v View) String() string { return view.View(v).String() }

// String returns the set for people: see [View.String].
func (b Bitmap) String() string { return mutable.Bitmap(b).String() }
