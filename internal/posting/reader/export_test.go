// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"errors"
)

// LookupColliding looks a key up that has the hash of another one, which is there.
func (s Snapshot) LookupColliding(space uint32, key, there string) (ok bool, err error) {
	m, l := multiGet{snap: s}, Lookup{Space: space, Key: there}
	if err := m.locate(&l); err != nil {
		return false, err
	}
	l.Key = key
	if m.candidate(&l); !l.found {
		return false, errors.New("the key that is there is no candidate")
	}
	if err := m.candidateText(&l); err != nil {
		return false, err
	}
	l.code = l.text.Row(l.offset)
	err = m.decide(&l)
	return l.OK, err
}
