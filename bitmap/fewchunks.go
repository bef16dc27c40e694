// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

// A list of which a set of few containers is asked is not decoded: it is searched for the chunks of these, of which most have no value of it.

// valuesForChunk is the number of values of a list that take as long to decode and look up as one chunk takes to be searched for.
const valuesForChunk = 2

// inFewChunks writes the values that a list and a set of few containers have in common to dst, if that is not nil, and returns their number. ok is false if the list is better decoded: if there are
// too many containers for it, or packed ones.
func inFewChunks(dst []uint64, list, in *View) (n int, ok bool) {
	if in.form() < formCompact || valuesForChunk*in.count() > list.values() {
		return 0, false
	}
	it := list.solo().Iter()
	for i := range in.count() {
		key, kind, data := in.payloadAt(i)
		if kind == kindPacked {
			return 0, false
		}
		it.Seek(key << 16)
		for x, more := it.Peek(); more && x>>16 == key; x, more = it.Peek() {
			if holds(kind, data, uint16(x)) {
				if dst != nil {
					dst[n] = x
				}
				n++
			}
			it.Next()
		}
	}
	return n, true
}
