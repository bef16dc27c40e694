// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// An array is searched as in Go, in steps that leave a quarter each and jump nowhere, which end at
// 32 values: these are compared all at once. One step more for half as many values to compare takes
// longer, and so do twice
// as many.
//
// R1 is the array and R3 its number of values, at least 32; R17 the last place at which 32 values
// stand; R4 is what is looked for, also in all lanes of V0.

#define ARRAY(BASE, LEN) \
	MOVD BASE, R1                  \
	MOVD LEN, R3                   \
	LSR  $1, R3                    \
	ADD  R3<<1, R1, R17            \
	SUB  $64, R17

// QUARTER leaves in R10 a quarter of the R9 values that are left, and the rest of a step in R9.
#define QUARTER \
	LSR  $2, R9, R10               \
	SUB  R10, R9                   \
	SUB  R10<<1, R9

// STEP moves AT on by as many quarters as have a last value less than X.
#define STEP(X, AT) \
	ADD  R10<<1, AT, R11           \
	ADD  R10<<2, AT, R12           \
	ADD  R10<<1, R12, R13          \
	MOVHU -2(R11), R14             \
	MOVHU -2(R12), R15             \
	MOVHU -2(R13), R16             \
	CMP  X, R14                    \
	CSEL LO, R11, AT, AT           \
	CMP  X, R15                    \
	CSEL LO, R12, AT, AT           \
	CMP  X, R16                    \
	CSEL LO, R13, AT, AT

// WINDOW loads the 32 values at AT, or the last ones, to V1 to V4.
#define WINDOW(AT) \
	CMP  R17, AT                   \
	CSEL LO, AT, R17, AT           \
	FLDPQ (AT), (F1, F2)           \
	FLDPQ 32(AT), (F3, F4)

// LOCATE loads 32 values among which those stand that are next to R4. R8 is their place.
#define LOCATE(step, last) \
	MOVD R1, R8                    \
	MOVD R3, R9                    \
	CMP  $32, R9                   \
	BLS  last                      \
step:                              \
	QUARTER                        \
	STEP(R4, R8)                   \
	CMP  $32, R9                   \
	BHI  step                      \
last:                              \
	WINDOW(R8)

// BOTH does the same for R4 and R19, but loads nothing: their places are R8 and R20.
#define BOTH(step, last) \
	MOVD R1, R8                    \
	MOVD R1, R20                   \
	MOVD R3, R9                    \
	CMP  $32, R9                   \
	BLS  last                      \
step:                              \
	QUARTER                        \
	STEP(R4, R8)                   \
	STEP(R19, R20)                 \
	CMP  $32, R9                   \
	BHI  step                      \
last:

// SAME compares R5 with zero, which it is if none of the window is the same as what is in the lanes
// of X.
#define SAME(X) \
	VCMEQ X.H8, V1.H8, V1.H8       \
	VCMEQ X.H8, V2.H8, V2.H8       \
	VCMEQ X.H8, V3.H8, V3.H8       \
	VCMEQ X.H8, V4.H8, V4.H8       \
	VORR V2.B16, V1.B16, V1.B16    \
	VORR V4.B16, V3.B16, V3.B16    \
	VORR V3.B16, V1.B16, V1.B16    \
	UMAXPS(1, 1, 1)                \
	FMOVD F1, R5                   \
	CMP  $0, R5

// func searchArrayNEON(lows []byte, x uint16) int
TEXT ·searchArrayNEON(SB), NOSPLIT, $0-40
	ARRAY(lows_base+0(FP), lows_len+8(FP))
	MOVHU x+24(FP), R4
	VDUP R4, V0.H8
	LOCATE(step, last)
	CMHIH(1, 0, 1)
	CMHIH(2, 0, 2)
	CMHIH(3, 0, 3)
	CMHIH(4, 0, 4)
	VADD V2.H8, V1.H8, V1.H8
	VADD V4.H8, V3.H8, V3.H8
	VADD V3.H8, V1.H8, V1.H8
	VADDV V1.H8, V1
	VMOV V1.H[0], R5
	MOVH R5, R5              // −1 for each value that is less
	SUB  R1, R8
	LSR  $1, R8
	SUB  R5, R8
	MOVD R8, ret+32(FP)
	RET

// func arrayContainsNEON(lows []byte, x uint16) bool
TEXT ·arrayContainsNEON(SB), NOSPLIT, $0-33
	ARRAY(lows_base+0(FP), lows_len+8(FP))
	MOVHU x+24(FP), R4
	VDUP R4, V0.H8
	LOCATE(step, last)
	SAME(V0)
	CSET NE, R5
	MOVB R5, ret+32(FP)
	RET

// func arrayTinyLenNEON(few, many []byte) int
//
// R2 is in few, R6 its end, R7 how many were found. It searches two values at a time. Neither waits
// for the other, nor for those before.
TEXT ·arrayTinyLenNEON(SB), NOSPLIT, $0-56
	MOVD few_base+0(FP), R2
	MOVD few_len+8(FP), R6
	AND  $~1, R6
	ADD  R2, R6
	ARRAY(many_base+24(FP), many_len+32(FP))
	MOVD ZR, R7
	B    test
two:
	MOVHU.P 2(R2), R4
	MOVHU.P 2(R2), R19
	VDUP R4, V0.H8
	VDUP R19, V5.H8
	BOTH(step, last)
	WINDOW(R8)
	SAME(V0)
	CINC NE, R7, R7
	WINDOW(R20)
	SAME(V5)
	CINC NE, R7, R7
test:
	SUB  R2, R6, R5
	CMP  $4, R5
	BGE  two
	CBZ  R5, done
	MOVHU (R2), R4
	VDUP R4, V0.H8
	LOCATE(stepOfLast, lastOfLast)
	SAME(V0)
	CINC NE, R7, R7
done:
	MOVD R7, ret+48(FP)
	RET

// KEEP writes X, which counts if it was found, or was not.
#define KEEP(X) \
	MOVH X, (R0)                   \
	CSET NE, R5                    \
	EOR  R7, R5                    \
	ADD  R5<<1, R0

// func arrayTinyNEON(dst, few, many []byte, flip int) int
//
// R0 is in dst, where each value is written.
TEXT ·arrayTinyNEON(SB), NOSPLIT, $0-88
	MOVD dst_base+0(FP), R0
	MOVD few_base+24(FP), R2
	MOVD few_len+32(FP), R6
	AND  $~1, R6
	ADD  R2, R6
	ARRAY(many_base+48(FP), many_len+56(FP))
	MOVD flip+72(FP), R7
	B    test
two:
	MOVHU.P 2(R2), R4
	MOVHU.P 2(R2), R19
	VDUP R4, V0.H8
	VDUP R19, V5.H8
	BOTH(step, last)
	WINDOW(R8)
	SAME(V0)
	KEEP(R4)
	WINDOW(R20)
	SAME(V5)
	KEEP(R19)
test:
	SUB  R2, R6, R5
	CMP  $4, R5
	BGE  two
	CBZ  R5, done
	MOVHU (R2), R4
	VDUP R4, V0.H8
	LOCATE(stepOfLast, lastOfLast)
	SAME(V0)
	KEEP(R4)
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $1, R0
	MOVD R0, ret+80(FP)
	RET
