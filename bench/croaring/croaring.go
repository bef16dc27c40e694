// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build croaring

package croaring

/*
#cgo CFLAGS: -O3 -march=native -I${SRCDIR}/source
#cgo LDFLAGS: ${SRCDIR}/source/libroaring.a
#include "roaring.h"
#include <stdlib.h>

typedef roaring_bitmap_t *set;

// combine does an operation once, and frees what the call before returned.
static set combine(int op, set before, const roaring_bitmap_t *a, const roaring_bitmap_t *b) {
	if (before) roaring_bitmap_free(before);
	switch (op) {
	case 0: return roaring_bitmap_and(a, b);
	case 1: return roaring_bitmap_or(a, b);
	case 2: return roaring_bitmap_andnot(a, b);
	default: return roaring_bitmap_xor(a, b);
	}
}

static void combine_all(int op, set *sets, size_t n) {
	for (size_t i = 0; i + 1 < n; i++) roaring_bitmap_free(combine(op, NULL, sets[i], sets[i + 1]));
}

static uint64_t and_len(set *sets, size_t n) {
	uint64_t sum = 0;
	for (size_t i = 0; i + 1 < n; i++) sum += roaring_bitmap_and_cardinality(sets[i], sets[i + 1]);
	return sum;
}

static set or_many(set before, set *sets, size_t n) {
	if (before) roaring_bitmap_free(before);
	return roaring_bitmap_or_many(n, (const roaring_bitmap_t **)sets);
}

static set and_many(set before, set *sets, size_t n) {
	if (before) roaring_bitmap_free(before);
	set r = roaring_bitmap_and(sets[0], sets[n > 1]);
	for (size_t i = 2; i < n; i++) roaring_bitmap_and_inplace(r, sets[i]);
	return r;
}

static uint64_t contains(set s, uint64_t *queries, size_t n) {
	uint64_t found = 0;
	for (size_t i = 0; i < n; i++) found += roaring_bitmap_contains(s, (uint32_t)queries[i]);
	return found;
}

static uint64_t ranks(set s, uint64_t *queries, size_t n) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) sum += roaring_bitmap_rank(s, (uint32_t)queries[i]);
	return sum;
}

static uint64_t selects(set s, uint64_t *queries, size_t n) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t x = 0;
		roaring_bitmap_select(s, (uint32_t)queries[i], &x);
		sum += x;
	}
	return sum;
}

static uint64_t iterate(set s) {
	uint64_t sum = 0;
	roaring_uint32_iterator_t it;
	for (roaring_iterator_init(s, &it); it.has_value; roaring_uint32_iterator_advance(&it))
		sum += it.current_value;
	return sum;
}

static uint64_t batches(set s, uint32_t size, uint64_t *count) {
	uint64_t sum = 0;
	uint32_t buf[1024], n;
	roaring_uint32_iterator_t it;
	roaring_iterator_init(s, &it);
	while ((n = roaring_uint32_iterator_read(&it, buf, size)) > 0) {
		*count += n;
		sum += buf[n - 1];
	}
	return sum;
}

static set build(size_t n, uint32_t *values) {
	set s = roaring_bitmap_of_ptr(n, values);
	roaring_bitmap_run_optimize(s);
	return s;
}

static set add(size_t n, uint32_t *values) {
	set s = roaring_bitmap_create();
	for (size_t i = 0; i < n; i++) roaring_bitmap_add(s, values[i]);
	return s;
}
*/
import "C"

import "unsafe"

// Set is a roaring bitmap in C's memory, which is not given back unless a function here says so.
type Set C.set

// Op is an operation on two sets.
type Op int

// The operations.
const (
	And Op = iota
	Or
	AndNot
	Xor
)

// maxBatch is the largest number of values of a batch.
const maxBatch = 1024

func numbers(v []uint32) *C.uint32_t { return (*C.uint32_t)(unsafe.SliceData(v)) }
func words(v []uint64) *C.uint64_t   { return (*C.uint64_t)(unsafe.SliceData(v)) }
func list(sets []Set) *C.set         { return (*C.set)(unsafe.Pointer(unsafe.SliceData(sets))) }

// Build returns the set of ascending values, in runs where these are smaller.
func Build(values []uint32) Set { return Set(C.build(C.size_t(len(values)), numbers(values))) }

// Add returns the set of values, added one by one.
func Add(values []uint32) Set { return Set(C.add(C.size_t(len(values)), numbers(values))) }

// Free gives the memory of a set back.
func Free(s Set) { C.roaring_bitmap_free(s) }

// Values returns the values in ascending order.
func Values(s Set) []uint64 {
	of32 := make([]uint32, C.roaring_bitmap_get_cardinality(s))
	C.roaring_bitmap_to_uint32_array(s, numbers(of32))
	wide := make([]uint64, len(of32))
	for i, x := range of32 {
		wide[i] = uint64(x)
	}
	return wide
}

// Encode returns the set in the portable format.
func Encode(s Set) []byte {
	b := make([]byte, C.roaring_bitmap_portable_size_in_bytes(s))
	C.roaring_bitmap_portable_serialize(s, (*C.char)(unsafe.Pointer(unsafe.SliceData(b))))
	return b
}

// Decode returns a copy of the set that b encodes, nil if there is none.
func Decode(b []byte) Set {
	return Set(C.roaring_bitmap_portable_deserialize_safe((*C.char)(unsafe.Pointer(unsafe.SliceData(b))),
		C.size_t(len(b))))
}

// Combine returns a result, and frees what was returned before.
func Combine(op Op, before, a, b Set) Set { return Set(C.combine(C.int(op), before, a, b)) }

// CombineAll combines successive sets, and frees the results.
func CombineAll(op Op, sets []Set) { C.combine_all(C.int(op), list(sets), C.size_t(len(sets))) }

// AndLen returns the sum of the cardinalities of the intersections of successive sets.
func AndLen(sets []Set) uint64 { return uint64(C.and_len(list(sets), C.size_t(len(sets)))) }

// OrAll returns the union of all sets, and frees what was returned before.
func OrAll(before Set, sets []Set) Set {
	return Set(C.or_many(before, list(sets), C.size_t(len(sets))))
}

// AndAll returns the intersection of all sets, at least one, and frees what was returned before.
func AndAll(before Set, sets []Set) Set {
	return Set(C.and_many(before, list(sets), C.size_t(len(sets))))
}

// Contains returns how many of the queries the set has.
func Contains(s Set, queries []uint64) uint64 {
	return uint64(C.contains(s, words(queries), C.size_t(len(queries))))
}

// Ranks returns the sum of the ranks of the queries.
func Ranks(s Set, queries []uint64) uint64 {
	return uint64(C.ranks(s, words(queries), C.size_t(len(queries))))
}

// Selects returns the sum of the values of these ranks.
func Selects(s Set, queries []uint64) uint64 {
	return uint64(C.selects(s, words(queries), C.size_t(len(queries))))
}

// Iterate returns the sum of the values, read one by one.
func Iterate(s Set) uint64 { return uint64(C.iterate(s)) }

// Batches returns the number of values, read size at a time. It also returns the sum of the last of
// each batch.
func Batches(s Set, size int) (n, sum uint64) {
	var count C.uint64_t
	sum = uint64(C.batches(s, C.uint32_t(min(size, maxBatch)), &count))
	return uint64(count), sum
}
