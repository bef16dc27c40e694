// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build croaring

package library

import (
	"errors"
	"math"

	"github.com/uproar-db/uproar/bench/croaring"
)

func init() { further = append(further, croaringC()) }

// croaringC returns CRoaring, with its loops over sets in C. A result is freed by the next call,
// whose time this takes.
func croaringC() contestant {
	type set = croaring.Set
	var last set
	one := func(op croaring.Op) func(a, b set) set {
		return func(a, b set) set {
			last = croaring.Combine(op, last, a, b)
			return last
		}
	}
	all := func(op croaring.Op) func([]set) { return func(sets []set) { croaring.CombineAll(op, sets) } }
	many := func(do func(before set, sets []set) set) func([]set) func() set {
		return func(sets []set) func() set {
			var before set
			return func() set {
				before = do(before, sets)
				return before
			}
		}
	}
	return &library[set, set]{
		label: "CRoaring",
		limit: math.MaxUint32,
		build: func(v values) set { return croaring.Build(v.of32) },
		add:   func(shuffled values) set { return croaring.Add(shuffled.of32) },
		free:  croaring.Free,

		values: croaring.Values,
		read:   func(r set) set { return r },
		encode: croaring.Encode,
		decode: func(b []byte) (set, error) {
			if s := croaring.Decode(b); s != nil {
				return s, nil
			}
			return nil, errors.New("not decoded")
		},
		and: one(croaring.And), or: one(croaring.Or), andNot: one(croaring.AndNot), xor: one(croaring.Xor),
		allPairs: map[operation]func([]set){opAnd: all(croaring.And), opOr: all(croaring.Or),
			opAndNot: all(croaring.AndNot), opXor: all(croaring.Xor)},
		andLen:   croaring.AndLen,
		orAll:    many(croaring.OrAll),
		andAll:   many(croaring.AndAll),
		contains: croaring.Contains,
		rank:     croaring.Ranks,
		selects:  croaring.Selects,
		iterate:  croaring.Iterate,
		batches:  croaring.Batches,
	}
}
