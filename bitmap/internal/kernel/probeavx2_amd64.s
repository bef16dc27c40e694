// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The values of an array are looked up in a bitset eight at a time: a gather loads the 32 bits in which the bit of each stands, shifts by what the value lacks to 31 move it to the highest place, and
// VMOVMSKPS collects it.

// PROBE leaves in AX which bits of the eight values in X0 are ones. It needs the bitset in DX and 31 in each lane of Y15.
#define PROBE \
	VPMOVZXWD X0, Y1               \
	VPSRLD $5, Y1, Y2              \
	VPCMPEQD Y3, Y3, Y3            \
	VPANDN Y15, Y1, Y1             \
	VPGATHERDD Y3, (DX)(Y2*4), Y4  \
	VPSLLVD Y1, Y4, Y4             \
	VMOVMSKPS Y4, AX

#define THIRTYONE \
	VPCMPEQD Y15, Y15, Y15         \
	VPSRLD $27, Y15, Y15

// func arrayBitsetAndLenAVX2(lows []byte, a *Words) int
TEXT ·arrayBitsetAndLenAVX2(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	MOVQ a+24(FP), DX
	XORL R10, R10
	THIRTYONE
	SUBQ $16, CX
	JB   few
loop:
	VMOVDQU (SI), X0
	PROBE
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $16, SI
	SUBQ $16, CX
	JAE  loop
few:
	VZEROUPPER
	ADDQ $14, CX
	JLT  done
one:
	MOVWLZX (SI), AX
	MOVL AX, BX
	SHRL $5, BX
	MOVL (DX)(BX*4), BX
	BTL  AX, BX
	ADCQ $0, R10
	ADDQ $2, SI
	SUBQ $2, CX
	JGE  one
done:
	MOVQ R10, ret+32(FP)
	RET

// func filterBitsAVX2(dst, lows []byte, a *Words, flip int) int
//
// dst may be lows: what is written lies where values have been read.
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
	THIRTYONE
	SUBQ $16, CX
	JB   few
loop:
	VMOVDQU (SI), X0
	PROBE
	XORL R9, AX
	MOVL AX, BX
	SHLL $4, BX
	VPSHUFB (R10)(BX*1), X0, X0
	POPCNTL AX, AX
	VMOVDQU X0, (DI)
	LEAQ (DI)(AX*2), DI
	ADDQ $16, SI
	SUBQ $16, CX
	JAE  loop
few:
	VZEROUPPER
	ADDQ $14, CX
	JLT  done
one:
	MOVWLZX (SI), AX
	MOVL AX, BX
	SHRL $5, BX
	MOVL (DX)(BX*4), BX
	MOVW AX, (DI)
	SHRXL AX, BX, BX
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
