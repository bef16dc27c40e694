// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Eight numbers, each less 1, are added up at a time as long as what is looked for lies behind
// them; of the last ones each is looked at. R4 is i without the numbers before R1.

// func selectCardNEON(cards []byte, i uint32) (at int, left uint32)
TEXT ·selectCardNEON(SB), NOSPLIT, $0-44
	MOVD cards_base+0(FP), R1
	MOVD cards_len+8(FP), R3
	MOVWU i+24(FP), R4
	SUBS $16, R3
	BLT  few
eight:
	FMOVQ (R1), F0
	VUADDLV V0.H8, V1
	VMOV V1.S[0], R5
	ADD  $8, R5
	CMP  R5, R4
	BLO  few
	SUB  R5, R4
	ADD  $16, R1
	SUBS $16, R3
	BGE  eight
few:
	ADD  $14, R3
one:
	TBNZ $63, R3, done
	MOVHU (R1), R5
	ADD  $1, R5
	CMP  R5, R4
	BLO  done
	SUB  R5, R4
	ADD  $2, R1
	SUB  $2, R3
	B    one
done:
	MOVD cards_base+0(FP), R5
	SUB  R5, R1
	LSR  $1, R1
	MOVD R1, at+32(FP)
	MOVW R4, left+40(FP)
	RET
