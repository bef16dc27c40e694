// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Each run of a is compared with eight runs of b at once: they have the values from the larger one
// of the first values to the smaller one of the last in common. The one that ends first is
// exchanged
// for the next: the run of a, or the eight of b, which end with the last of them.
//
// R1 is the place in a, R8 its end; R2 the place in b, R9 the last one at which eight runs stand.

#define RUNS(AT) \
	MOVD a_base+(AT)(FP), R1       \
	MOVD a_len+(AT+8)(FP), R8      \
	MOVD b_base+(AT+24)(FP), R2    \
	MOVD b_len+(AT+32)(FP), R9     \
	AND  $-4, R8                   \
	ADD  R1, R8                    \
	ADD  R2, R9                    \
	SUB  $32, R9                   \
	MOVD $65535, R10               \
	VEOR V5.B16, V5.B16, V5.B16

// LAST leaves the last value of the run at P+AT in D.
#define LAST(P, AT, D) \
	MOVHU AT(P), R12               \
	MOVHU (AT+2)(P), D             \
	ADD  R12, D                    \
	CMP  R10, D                    \
	CSEL HI, R10, D, D

// BLOCK loads eight runs of b: first values in V0, last ones in V1, and the last one of all in R6.
#define BLOCK \
	VLD2 (R2), [V0.H8, V1.H8]      \
	UQADDH(0, 1, 1)                \
	LAST(R2, 28, R6)

// MEET leaves of the run of a and each one of b the larger first value in V2, how far the smaller
// last one is from it in V3, and in V4 whether they have values in common; the last value of the
// run in R5.
#define MEET \
	VLD2R (R1), [V2.H8, V3.H8]     \
	UQADDH(2, 3, 3)                \
	LAST(R1, 0, R5)                \
	VUMAX V0.H8, V2.H8, V2.H8      \
	VUMIN V1.H8, V3.H8, V3.H8      \
	CMHSH(2, 3, 4)                 \
	VSUB V2.H8, V3.H8, V3.H8

// func runAndLenNEON(a, b []byte) (n, i, j int)
//
// The lanes of V5 add up distances in 32 bits, and those of V6 count runs in 16: each of at most 32
// 768 runs of a and 4 096 blocks of b is met once.
TEXT ·runAndLenNEON(SB), NOSPLIT, $0-72
	RUNS(0)
	VEOR V6.B16, V6.B16, V6.B16
	CMP  R9, R2 // signed, as a place before the memory may be meant
	BGT  done
block:
	BLOCK
run:
	CMP  R8, R1
	BHS  done
	MEET
	VAND V4.B16, V3.B16, V3.B16
	VSUB V4.H8, V6.H8, V6.H8
	UADALPH(3, 5)
	CMP  R6, R5
	BHS  next
	ADD  $4, R1
	B    run
next:
	ADD  $32, R2
	CMP  R9, R2
	BLE  block
done:
	VADDV V5.S4, V5
	VUADDLV V6.H8, V6
	VMOV V5.S[0], R3
	VMOV V6.S[0], R4
	ADD  R4, R3
	MOVD R3, n+48(FP)
	MOVD a_base+0(FP), R3
	SUB  R3, R1
	MOVD R1, i+56(FP)
	MOVD b_base+24(FP), R3
	SUB  R3, R2
	MOVD R2, j+64(FP)
	RET

// func runAndNEON(dst, a, b []byte) (values, runs, i, j int)
//
// What is in common is moved together, first values and distances by themselves. It ends before the
// eight runs that a step may write have no room.
TEXT ·runAndNEON(SB), NOSPLIT, $0-104
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	ADD  R0, R11
	SUB  $32, R11
	RUNS(24)
	MOVD $·laneWeights(SB), R7
	FMOVQ (R7), F24
	MOVD $·together(SB), R7
	CMP  R9, R2
	BGT  done
block:
	BLOCK
run:
	CMP  R8, R1
	BHS  done
	CMP  R11, R0
	BGT  done
	MEET
	VAND V24.B16, V4.B16, V16.B16
	VAND V4.B16, V3.B16, V4.B16
	VADDV V16.H8, V16
	UADALPH(4, 5)
	VMOV V16.H[0], R4
	AND  $255, R4, R3
	LSR  $8, R4
	LOADENTRY(3, 7, 6)
	VTBL V6.B16, [V2.B16], V2.B16
	VTBL V6.B16, [V3.B16], V3.B16
	VST2 [V2.H8, V3.H8], (R0)
	ADD  R4<<2, R0
	CMP  R6, R5
	BHS  next
	ADD  $4, R1
	B    run
next:
	ADD  $32, R2
	CMP  R9, R2
	BLE  block
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $2, R0
	MOVD R0, runs+80(FP)
	VADDV V5.S4, V5
	VMOV V5.S[0], R3
	ADD  R0, R3
	MOVD R3, values+72(FP)
	MOVD a_base+24(FP), R3
	SUB  R3, R1
	MOVD R1, i+88(FP)
	MOVD b_base+48(FP), R3
	SUB  R3, R2
	MOVD R2, j+96(FP)
	RET
