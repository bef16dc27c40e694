// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// SET sets the bit of the value at an offset of SI in the words at DI. A store that the next load
// needs is forwarded to it, as both are of the same word.
#define SET(AT, value, word) \
	MOVWLZX AT(SI), value \
	MOVL value, word \
	SHRL $6, word \
	MOVQ (DI)(word*8), R12 \
	BTSQ value, R12 \
	MOVQ R12, (DI)(word*8)

// func scatterAVX2(bits *Words, lows []byte)
//
// Values are read one by one, by loads that are free, where in Go taking them out of a word and
// forming the address take as many steps as setting the bit.
TEXT ·scatterAVX2(SB), NOSPLIT, $0-32
	MOVQ bits+0(FP), DI
	MOVQ lows_base+8(FP), SI
	MOVQ lows_len+16(FP), CX
	MOVQ CX, DX
	SHRQ $4, CX
	JEQ  few
eight:
	SET(0, AX, BX)
	SET(2, R8, R9)
	SET(4, R10, R11)
	SET(6, AX, BX)
	SET(8, R8, R9)
	SET(10, R10, R11)
	SET(12, AX, BX)
	SET(14, R8, R9)
	ADDQ $16, SI
	DECQ CX
	JNE  eight
few:
	ANDL $15, DX
	SHRL $1, DX
	JEQ  done
one:
	SET(0, AX, BX)
	ADDQ $2, SI
	DECL DX
	JNE  one
done:
	RET
