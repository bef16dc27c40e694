// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The values of an array are looked up in a bitset one by one, as NEON has no gathers: but in words
// of 64 bits, whose bit is found by a shift that takes a value as it is,
// modulo 64. Four values are loaded at a time.

// PROBE leaves in R6 the word shifted right by the value at bit AT of the four in R4. R2 is the
// bitset.
#define PROBE(AT) \
	LSR  $(AT), R4, R7             \
	UBFX $(AT+6), R4, $10, R5      \
	MOVD (R2)(R5<<3), R6           \
	LSR  R7, R6, R6

// func arrayBitsetAndLenNEON(lows []byte, a *bitset.Words) int
TEXT ·arrayBitsetAndLenNEON(SB), NOSPLIT, $0-40
	MOVD lows_base+0(FP), R1
	MOVD lows_len+8(FP), R3
	MOVD a+24(FP), R2
	MOVD ZR, R10
	MOVD ZR, R11
	SUBS $8, R3
	BLO  few
loop:
	MOVD.P 8(R1), R4
	UBFX $6, R4, $10, R5
	MOVD (R2)(R5<<3), R6
	LSR  R4, R6, R6
	AND  $1, R6
	ADD  R6, R10
	PROBE(16)
	AND  $1, R6
	ADD  R6, R11
	PROBE(32)
	AND  $1, R6
	ADD  R6, R10
	PROBE(48)
	AND  $1, R6
	ADD  R6, R11
	SUBS $8, R3
	BHS  loop
few:
	ADDS $6, R3
	BMI  done
one:
	MOVHU.P 2(R1), R4
	LSR  $6, R4, R5
	MOVD (R2)(R5<<3), R6
	LSR  R4, R6, R6
	AND  $1, R6
	ADD  R6, R10
	SUBS $2, R3
	BPL  one
done:
	ADD  R11, R10
	MOVD R10, ret+32(FP)
	RET

// func filterBitsNEON(dst, lows []byte, a *bitset.Words, flip int) int
//
// The bits of eight values are put together in R12, which chooses the shuffle that moves these
// values together. dst may be lows: what is written lies where values have been
// read.
TEXT ·filterBitsNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD lows_base+24(FP), R1
	MOVD lows_len+32(FP), R3
	MOVD a+48(FP), R2
	MOVD flip+56(FP), R8
	NEG  R8, R9
	AND  $255, R9
	MOVD $·together(SB), R13
	SUBS $16, R3
	BLO  few
loop:
	FMOVQ (R1), F0
	LDP.P 16(R1), (R4, R14)
	UBFX $6, R4, $10, R5
	MOVD (R2)(R5<<3), R6
	LSR  R4, R6, R12
	PROBE(16)
	BFI  $1, R6, $1, R12
	PROBE(32)
	BFI  $2, R6, $1, R12
	PROBE(48)
	BFI  $3, R6, $1, R12
	MOVD R14, R4
	UBFX $6, R4, $10, R5
	MOVD (R2)(R5<<3), R6
	LSR  R4, R6, R6
	BFI  $4, R6, $1, R12
	PROBE(16)
	BFI  $5, R6, $1, R12
	PROBE(32)
	BFI  $6, R6, $1, R12
	PROBE(48)
	BFI  $7, R6, $1, R12
	AND  $255, R12
	EOR  R9, R12
	LOADENTRY(12, 13, 1)
	FMOVS R12, F2
	VCNT V2.B8, V2.B8
	VTBL V1.B16, [V0.B16], V0.B16
	FMOVS F2, R5
	FMOVQ F0, (R0)
	ADD  R5<<1, R0
	SUBS $16, R3
	BHS  loop
few:
	ADDS $14, R3
	BMI  done
one:
	MOVHU.P 2(R1), R4
	LSR  $6, R4, R5
	MOVD (R2)(R5<<3), R6
	LSR  R4, R6, R6
	MOVH R4, (R0)
	EOR  R8, R6
	AND  $1, R6
	ADD  R6<<1, R0
	SUBS $2, R3
	BPL  one
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $1, R0
	MOVD R0, ret+64(FP)
	RET
