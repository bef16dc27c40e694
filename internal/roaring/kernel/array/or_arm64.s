// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Two arrays are merged eight values at a time: of the eight values at hand and the next eight of
// the array whose next value is smaller, the lower eight are written and
// the upper ones kept (Inoue, Moriyama, Komatsu, Nakatani, AA-Sort, 2007). Both halves come from a
// bitonic network (Batcher 1968) whose steps at a distance of 4, 2 and 1
// serve both halves at once: permutations put what is compared into two vectors. What is equal to
// its neighbour is dropped by a table of shuffles, as in CRoaring's union
// (Lemire, Kaser, Kurz and others, Roaring Bitmaps: Implementation of an Optimized Software
// Library, 2018).
//
// An array that ends inside a vector is filled up with 65 535; the caller puts that value right. R1
// and R2 are the places in a and b, R8 and R9 their ends, R0 is the place in
// dst and R11 its end. V0 has the values at hand, V1 those written last.

#define BEGIN \
	MOVD dst_base+0(FP), R0        \
	MOVD dst_len+8(FP), R11        \
	MOVD a_base+24(FP), R1         \
	MOVD a_len+32(FP), R8          \
	MOVD b_base+48(FP), R2         \
	MOVD b_len+56(FP), R9          \
	AND  $~1, R8                   \
	AND  $~1, R9                   \
	AND  $~1, R11                  \
	ADD  R0, R11                   \
	ADD  R1, R8                    \
	ADD  R2, R9                    \
	MOVD $·laneWeights(SB), R7     \
	FMOVQ (R7), F24                \
	MOVD $·together(SB), R7        \
	VCMEQ V30.B16, V30.B16, V30.B16 \
	VORR V30.B16, V30.B16, V1.B16  \
	MOVD $buffer-16(SP), R12

// PART loads up to eight values between FROM and END to vector number TO. 65 535 stands for missing
// ones.
#define PART(FROM, END, TO, all, one, loaded) \
	SUB  FROM, END, R3             \
	CMP  $16, R3                   \
	BGE  all                       \
	FMOVQ F30, (R12)               \
	MOVD R12, R4                   \
one:                               \
	MOVHU.P 2(FROM), R5            \
	MOVH.P R5, 2(R4)               \
	SUBS $2, R3                    \
	BGT  one                       \
	FMOVQ (R12), TO                \
	B    loaded                    \
all:                               \
	FMOVQ.P 16(FROM), TO           \
loaded:

// NETWORK brings the 16 values of V0 and V2 in order, the lower half in V3, the upper half in V0.
#define NETWORK \
	VREV64 V2.H8, V2.H8            \
	VEXT $8, V2.B16, V2.B16, V2.B16 \
	VUMIN V2.H8, V0.H8, V3.H8      \
	VUMAX V2.H8, V0.H8, V4.H8      \
	VZIP1 V4.D2, V3.D2, V5.D2      \
	VZIP2 V4.D2, V3.D2, V6.D2      \
	VUMIN V6.H8, V5.H8, V3.H8      \
	VUMAX V6.H8, V5.H8, V4.H8      \
	VTRN1 V4.S4, V3.S4, V5.S4      \
	VTRN2 V4.S4, V3.S4, V6.S4      \
	VUMIN V6.H8, V5.H8, V3.H8      \
	VUMAX V6.H8, V5.H8, V4.H8      \
	VTRN1 V4.H8, V3.H8, V5.H8      \
	VTRN2 V4.H8, V3.H8, V6.H8      \
	VUMIN V6.H8, V5.H8, V3.H8      \
	VUMAX V6.H8, V5.H8, V4.H8      \
	VZIP2 V4.H8, V3.H8, V0.H8      \
	VZIP1 V4.H8, V3.H8, V3.H8

// KEEP moves those values of FROM together whose lanes of V16 are weights, to V4, and leaves in R4
// how many they are.
#define KEEP(FROM) \
	VADDV V16.H8, V16              \
	VMOV V16.H[0], R4              \
	AND  $255, R4, R3              \
	LSR  $8, R4                    \
	LOADENTRY(3, 7, 6)             \
	VTBL V6.B16, [FROM.B16], V4.B16

// ONCE leaves in V4 the values of V3 that differ from the one before. It makes V3 the values
// written last.
#define ONCE \
	VEXT $14, V3.B16, V1.B16, V5.B16 \
	VCMEQ V3.H8, V5.H8, V16.H8     \
	BICV(16, 24, 16)                \
	KEEP(V3)                       \
	VORR V3.B16, V3.B16, V1.B16

// ALONE does the same for values that differ from both neighbours. The last one is left for the
// next time, as its neighbour is not known; V25 drops what the first time has
// before the first value.
#define ALONE \
	VEXT $14, V3.B16, V1.B16, V5.B16 \
	VEXT $12, V3.B16, V1.B16, V17.B16 \
	VCMEQ V3.H8, V5.H8, V16.H8     \
	VCMEQ V17.H8, V5.H8, V17.H8    \
	VORR V17.B16, V16.B16, V16.B16 \
	BICV(16, 25, 16)                \
	KEEP(V5)                       \
	VORR V3.B16, V3.B16, V1.B16    \
	VORR V24.B16, V24.B16, V25.B16

// WRITE writes the R4 values of V4, as many as there is room for: what fills arrays up takes none.
#define WRITE(all, one, written) \
	SUB  R0, R11, R3               \
	CMP  $16, R3                   \
	BGE  all                       \
	LSR  $1, R3                    \
	CMP  R3, R4                    \
	CSEL HI, R3, R4, R4            \
	CBZ  R4, written               \
	FMOVQ F4, (R12)                \
	MOVD R12, R3                   \
one:                               \
	MOVHU.P 2(R3), R5              \
	MOVH.P R5, 2(R0)               \
	SUBS $1, R4                    \
	BNE  one                       \
	B    written                   \
all:                               \
	FMOVQ F4, (R0)                 \
	ADD  R4<<1, R0                 \
written:

// MERGE is the body up to the last values at hand. As long as both arrays have eight values left
// the vectors are written as a whole: there is room, since eight values more
// have been read.
#define MERGE(DROP) \
	BEGIN                          \
	VORR V24.B16, V24.B16, V25.B16 \
	VMOV ZR, V25.H[0]              \
	PART(R1, R8, F0, allAtFirst, oneAtFirst, loadedAtFirst) \
whole:                             \
	SUB  R1, R8, R3                \
	SUB  R2, R9, R4                \
	CMP  $16, R3                   \
	BLT  few                       \
	CMP  $16, R4                   \
	BLT  few                       \
	MOVHU (R1), R3                 \
	MOVHU (R2), R4                 \
	CMP  R4, R3                    \
	CSEL LS, R1, R2, R5            \
	CSET LS, R3                    \
	CSET HI, R4                    \
	FMOVQ (R5), F2                 \
	ADD  R3<<4, R1                 \
	ADD  R4<<4, R2                 \
	NETWORK                        \
	DROP                           \
	FMOVQ F4, (R0)                 \
	ADD  R4<<1, R0                 \
	B    whole                     \
few:                               \
	CMP  R8, R1                    \
	BHS  noMore                    \
	CMP  R9, R2                    \
	BHS  first                     \
	MOVHU (R1), R3                 \
	MOVHU (R2), R4                 \
	CMP  R4, R3                    \
	BHI  second                    \
first:                             \
	PART(R1, R8, F2, allOfFirst, oneOfFirst, loadedFirst) \
	B    step                      \
noMore:                            \
	CMP  R9, R2                    \
	BHS  rest                      \
second:                            \
	PART(R2, R9, F2, allOfSecond, oneOfSecond, loadedSecond) \
step:                              \
	NETWORK                        \
	DROP                           \
	WRITE(allOfStep, oneOfStep, writtenStep) \
	B    few                       \
rest:                              \
	VORR V0.B16, V0.B16, V3.B16    \
	DROP                           \
	WRITE(allOfRest, oneOfRest, writtenRest)

#define END \
	MOVD dst_base+0(FP), R3        \
	SUB  R3, R0                    \
	LSR  $1, R0                    \
	MOVD R0, ret+72(FP)            \
	RET

// func arrayOrNEON(dst, a, b []byte) int
TEXT ·arrayOrNEON(SB), NOSPLIT, $16-80
	MERGE(ONCE)
	END

// func arrayXorNEON(dst, a, b []byte) int
TEXT ·arrayXorNEON(SB), NOSPLIT, $16-80
	MERGE(ALONE)
	// The very last value, and 65 535 behind it.
	VORR V30.B16, V30.B16, V3.B16
	ALONE
	WRITE(allOfLast, oneOfLast, writtenLast)
	END
