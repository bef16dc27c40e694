// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

// KeyForm is the form in which many keys are written, one after the other: what stands before and
// after each, and between two of them. The zero form has nothing but the keys. Safe for concurrent
// use if Escape is.
type KeyForm struct {
	Before, After, Between string

	// Escape appends a key as it is written in this form; nil: as it is. The key is valid until it
	// returns, and must not be changed. It must append what has lower-case letters, digits and
	// colons only as it is: not all keys of that kind, such as DIDs of the PLC method, are shown to
	// it.
	Escape func(dst, key []byte) []byte
}

// appendText appends a key without what stands around it.
func (f *KeyForm) appendText(dst, key []byte) []byte {
	if f.Escape == nil {
		return append(dst, key...)
	}
	return f.Escape(dst, key)
}

// appendTurn appends what stands after a key that another follows, up to that.
func (f *KeyForm) appendTurn(dst []byte) []byte {
	return append(append(append(dst, f.After...), f.Between...), f.Before...)
}
