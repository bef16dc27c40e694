// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/store"
)

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
