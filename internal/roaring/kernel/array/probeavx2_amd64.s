// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The values of an array are looked up in a bitset one by one, four in a turn, without a jump.
// Gathers are no faster where the bitset is in the cache. Where it is not, they have fewer loads
// under way and are much slower.

// ASK adds to count, by way of the carry, whether the value at a distance from (SI) is in the
// bitset in DX.
#define ASK(at, count) \
	MOVWLZX at(SI), AX             \
	MOVL AX, BX                    \
	SHRL $6, BX                    \
	MOVQ (DX)(BX*8), BX            \
	BTQ  AX, BX                    \
	ADCQ $0, count

// NOTE shifts bits, and lets in the bit of the value at a distance from (SI).
#define NOTE(at, bits) \
	MOVWLZX at(SI), AX             \
	MOVL AX, BX                    \
	SHRL $6, BX                    \
	MOVQ (DX)(BX*8), BX            \
	BTQ  AX, BX                    \
	ADCL bits, bits

// func arrayBitsetAndLenAVX2(lows []byte, a *bitset.Words) int
TEXT ·arrayBitsetAndLenAVX2(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	MOVQ a+24(FP), DX
	XORL R10, R10
	XORL R11, R11
	SUBQ $8, CX
	JLT  few
four:
	ASK(0, R10)
	ASK(2, R11)
	ASK(4, R10)
	ASK(6, R11)
	ADDQ $8, SI
	SUBQ $8, CX
	JGE  four
few:
	ADDQ $6, CX
	JLT  done
one:
	ASK(0, R10)
	ADDQ $2, SI
	SUBQ $2, CX
	JGE  one
done:
	ADDQ R11, R10
	MOVQ R10, ret+32(FP)
	RET

// func filterBitsAVX2(dst, lows []byte, a *bitset.Words, flip int) int
//
// Of eight values, the last one first, the bits become a byte, by which a table has the shuffle
// that brings those together that are kept. dst may be lows: what is written lies where values have
// been read.
TEXT ·filterBitsAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ a+48(FP), DX
	MOVQ flip+56(FP), R8
	MOVQ R8, R9
	NEGQ R9
	ANDL $255, R9
	LEAQ ·together(SB), R10
	SUBQ $16, CX
	JLT  few
eight:
	XORL R11, R11
	XORL R12, R12
	NOTE(14, R11)
	NOTE(6, R12)
	NOTE(12, R11)
	NOTE(4, R12)
	NOTE(10, R11)
	NOTE(2, R12)
	NOTE(8, R11)
	NOTE(0, R12)
	VMOVDQU (SI), X0
	SHLL $4, R11
	ORL  R12, R11
	XORL R9, R11
	POPCNTL R11, AX
	SHLL $4, R11
	VPSHUFB (R10)(R11*1), X0, X0
	VMOVDQU X0, (DI)
	LEAQ (DI)(AX*2), DI
	ADDQ $16, SI
	SUBQ $16, CX
	JGE  eight
	VZEROUPPER
few:
	ADDQ $14, CX
	JLT  done
one:
	MOVWLZX (SI), AX
	MOVL AX, BX
	SHRL $6, BX
	MOVQ (DX)(BX*8), BX
	MOVW AX, (DI)
	SHRXQ AX, BX, BX
	XORL R8, BX
	ANDL $1, BX
	LEAQ (DI)(BX*2), DI
	ADDQ $2, SI
	SUBQ $2, CX
	JGE  one
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+64(FP)
	RET
