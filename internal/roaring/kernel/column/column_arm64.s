// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// COUNT counts the row in ROW, which has a counter.
#define COUNT(ROW) \
	MOVWU (R0)(ROW<<2), R20        \
	ADDW $1, R20                   \
	MOVW R20, (R0)(ROW<<2)

// FOUR jumps to beyond if one of the rows in R14, R15, R16 and R17 has no counter, by one branch,
// and else counts them.
#define FOUR(BEYOND) \
	CMP  R14, R1                   \
	CCMP HI, R1, R15, $0           \
	CCMP HI, R1, R16, $0           \
	CCMP HI, R1, R17, $0           \
	BLS  BEYOND                    \
	COUNT(R14)                     \
	COUNT(R15)                     \
	COUNT(R16)                     \
	COUNT(R17)

// func countRowsNEON(counts []uint32, spans [][]byte, width int) (beyond int)
//
// As in Go, four rows of a span at a time, and the rest one by one, of 2 bytes or, whatever else
// width is, of 3. R0 and R1 are the counters and how many they are, R2 the span, R3 the one that is
// asked for, R4 the end of all, R6 how many spans are asked
// for before the first one is counted, R10 the rows without a counter. Of a span, R7 is the place
// and R8 the bytes that are left, less four rows; R9 the bytes that go one by one, less a row.
TEXT ·countRowsNEON(SB), NOSPLIT, $0-64
	MOVD counts_base+0(FP), R0
	MOVD counts_len+8(FP), R1
	MOVD spans_base+24(FP), R2
	MOVD spans_len+32(FP), R4
	MOVD width+48(FP), R5
	MOVD ZR, R10
	ADD  R4<<1, R4
	ADD  R4<<3, R2, R4
	MOVD R2, R3
	MOVD $const_spansAhead, R6
	MOVD $const_bytesAhead, R19
next:
	CMP  R4, R3
	BHS  asked
	LDP  (R3), (R11, R12)
	ADD  $24, R3
	CMP  R19, R12
	CSEL LO, R12, R19, R12
	ADD  R11, R12
	AND  $~63, R11
	B    test
line:
	PRFM (R11), PLDL1KEEP
	ADD  $64, R11
test:
	CMP  R12, R11
	BLO  line
asked:
	CBZ  R6, span
	SUB  $1, R6
	B    next
span:
	CMP  R4, R2
	BHS  done
	LDP  (R2), (R7, R8)
	ADD  $24, R2
	CMP  $2, R5
	BEQ  twos

	SUBS $12, R8
	BLT  fewThrees
threes:
	MOVD (R7), R12
	MOVD 4(R7), R13
	ADD  $12, R7
	AND  $0xFFFFFF, R12, R14
	UBFX $24, R12, $24, R15
	UBFX $16, R13, $24, R16
	LSR  $40, R13, R17
	FOUR(beyondThrees)
	SUBS $12, R8
	BGE  threes
fewThrees:
	ADDS $9, R8, R9
	BMI  next
three:
	MOVHU (R7), R14
	MOVBU 2(R7), R15
	ADD  $3, R7
	ORR  R15<<16, R14
	CMP  R14, R1
	BLS  noThree
	COUNT(R14)
countedThree:
	SUBS $3, R9
	BPL  three
	TBNZ $63, R8, next
	SUBS $12, R8
	BGE  threes
	B    fewThrees
noThree:
	ADD  $1, R10
	B    countedThree
beyondThrees:
	SUB  $12, R7
	MOVD $9, R9
	B    three

twos:
	SUBS $8, R8
	BLT  fewTwos
four:
	MOVD.P 8(R7), R12
	AND  $0xFFFF, R12, R14
	UBFX $16, R12, $16, R15
	UBFX $32, R12, $16, R16
	LSR  $48, R12, R17
	FOUR(beyondTwos)
	SUBS $8, R8
	BGE  four
fewTwos:
	ADDS $6, R8, R9
	BMI  next
two:
	MOVHU.P 2(R7), R14
	CMP  R14, R1
	BLS  noTwo
	COUNT(R14)
countedTwo:
	SUBS $2, R9
	BPL  two
	TBNZ $63, R8, next
	SUBS $8, R8
	BGE  four
	B    fewTwos
noTwo:
	ADD  $1, R10
	B    countedTwo
beyondTwos:
	SUB  $8, R7
	MOVD $6, R9
	B    two
done:
	MOVD R10, beyond+56(FP)
	RET
