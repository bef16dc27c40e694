// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"fmt"
	"strconv"
)

// shown is the number of values that the text of a set names.
const shown = 20

// String returns the set for people who read logs and failed tests: its values in braces, such as
// {1,2,300}. Of more than 20 it names the first 20 and says how many there are. [View.MarshalText]
// is the text that can be read again.
func (v View) String() string {
	var values [shown + 1]uint64
	it := v.Iterator(0)
	n := it.Read(values[:])
	text := []byte{'{'}
	for i, x := range values[:min(n, shown)] {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendUint(text, x, 10)
	}
	if n > shown {
		text = fmt.Appendf(text, ",… %d values", v.Len())
	}
	return string(append(text, '}'))
}

// String returns the set for people: see [View.String].
func (b Bitmap) String() string { return b.View().String() }
