// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Eight numbers, each less 1, are added up at a time as long as what is looked for lies behind
// them; of the last ones each is looked at. R4 is i without the numbers before R1.

// func runSelectNEON(runs []byte, i uint32) (x uint16, ok bool)
TEXT ·runSelectNEON(SB), NOSPLIT, $0-35
	MOVD runs_base+0(FP), R1
	MOVD runs_len+8(FP), R3
	MOVWU i+24(FP), R4
	SUBS $32, R3
	BLT  few
eight:
	VLD2 (R1), [V0.H8, V1.H8]
	VUADDLV V1.H8, V1
	VMOV V1.S[0], R5
	ADD  $8, R5
	CMP  R5, R4
	BLO  few
	SUB  R5, R4
	ADD  $32, R1
	SUBS $32, R3
	BGE  eight
few:
	ADD  $28, R3
one:
	TBNZ $63, R3, none
	MOVHU 2(R1), R5
	ADD  $1, R5
	CMP  R5, R4
	BLO  found
	SUB  R5, R4
	ADD  $4, R1
	SUB  $4, R3
	B    one
found:
	MOVHU (R1), R5
	ADD  R4, R5
	MOVH R5, x+32(FP)
	MOVD $1, R5
	MOVB R5, ok+34(FP)
	RET
none:
	MOVH ZR, x+32(FP)
	MOVB ZR, ok+34(FP)
	RET
