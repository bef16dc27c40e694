// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func fillRunsNEON(bits *Words, runs []byte)
//
// A short run is one OR of eight bytes in memory; longer ones are words. No vector is of use but to
// fill words: what counts is the number of steps, as a shift takes its distance modulo 64 and as
// both tests are one branch.
//
// R1 is the next run and R12 the last place at which one stands, R2 the bitset, R3 where the long
// runs before end, R15 ones.
TEXT ·fillRunsNEON(SB), NOSPLIT, $0-32
	MOVD bits+0(FP), R2
	MOVD runs_base+8(FP), R1
	MOVD runs_len+16(FP), R12
	ADD  R1, R12
	SUB  $4, R12
	MOVD ZR, R3
	MOVD $8184, R14
	MOVD $65536, R13
	MOVD $-1, R15
	B    test
run:
	MOVWU.P 4(R1), R4
	UBFX $3, R4, $13, R5     // the byte in which it begins
	LSR  $16, R4, R6         // values behind the first
	CMP  $56, R6
	CCMP LS, R5, R14, $2     // $2 is higher
	BHI  long
	MVN  R6, R7
	LSR  R7, R15, R7
	AND  $7, R4, R8
	LSL  R8, R7, R7
	MOVD (R2)(R5), R9
	ORR  R7, R9
	MOVD R9, (R2)(R5)
test:
	CMP  R12, R1
	BLE  run                 // signed, as a place before the memory may be meant
	RET
long:
	// From R4 on and before R5.
	AND  $0xFFFF, R4
	ADD  R4, R6, R5
	ADD  $1, R5
	CMP  R13, R5
	CSEL LO, R5, R13, R5
	CMP  R3, R4
	CSEL LO, R3, R4, R4
	CMP  R5, R4
	BHS  test
	MOVD R5, R3
	LSL  R4, R15, R6         // ones of the first word
	NEG  R5, R7
	LSR  R7, R15, R7         // and of the last
	LSR  $6, R4
	SUB  $1, R5
	LSR  $6, R5
	ADD  R4<<3, R2, R8
	ADD  R5<<3, R2, R9
	CMP  R9, R8
	BEQ  one
	MOVD (R8), R10
	ORR  R6, R10
	MOVD.P R10, 8(R8)
	MOVD (R9), R10
	ORR  R7, R10
	MOVD R10, (R9)
	SUBS R8, R9, R9          // bytes between
	BEQ  test
	TBZ  $3, R9, pairs
	MOVD.P R15, 8(R8)
	SUBS $8, R9
	BEQ  test
pairs:
	STP.P (R15, R15), 16(R8)
	SUBS $16, R9
	BNE  pairs
	B    test
one:
	AND  R7, R6
	MOVD (R8), R10
	ORR  R6, R10
	MOVD R10, (R8)
	B    test
