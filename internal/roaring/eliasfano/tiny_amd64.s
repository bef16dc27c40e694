// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// UPPER loads the upper part, of up to 64 bits, of the block at ptr, whose last eight bytes begin
// at last, to out. It changes tmp.
#define UPPER(ptr, last, bits, tmp, out) \
	MOVQ last, tmp \
	SARQ $63, tmp \
	ANDQ last, tmp \
	MOVQ (ptr)(tmp*1), out \
	SHLQ $3, tmp \
	NEGQ tmp \
	SHRXQ tmp, out, out \
	BZHIQ bits, out, out

// EIGHT loads the eight bytes in which bit off begins of the block at ptr, or its last eight, and
// shifts that bit to the lowest one. It changes tmp.
#define EIGHT(ptr, last, off, tmp, out) \
	MOVQ off, tmp \
	SHRQ $3, tmp \
	CMPQ tmp, last \
	CMOVQGT last, tmp \
	MOVQ (ptr)(tmp*1), out \
	SHLQ $3, tmp \
	NEGQ tmp \
	ADDQ off, tmp \
	SHRXQ tmp, out, out

// func packedTinyAVX2(few, many *Packed, fewUpper, manyUpper int) (n int)
//
// Both upper parts are one word. Of the shorter block: R11 is the block, DI what is left of its
// upper part, R12 how many values were looked at, R14 the bit of the next lower part, R15 the low
// width. Of the longer one: SI is the
// block, R8 where its last eight bytes begin, R10 the low width, R13 the zeros of the upper part as
// ones. BX is a value. The search is that of packedHasAVX2.
TEXT ·packedTinyAVX2(SB), NOSPLIT, $24-40
	MOVQ $0, n+32(FP)
	MOVQ many+8(FP), AX
	MOVQ Packed_Block(AX), SI
	MOVQ (Packed_Block+8)(AX), R8
	SUBQ $8, R8
	MOVQ Packed_Low(AX), R10
	MOVQ manyUpper+24(FP), R9
	UPPER(SI, R8, R9, CX, R13)
	NOTQ R13
	LEAQ 1(R13)(R13*1), AX
	MOVQ AX, begins-16(SP)
	MOVQ few+0(FP), AX
	MOVQ Packed_Block(AX), R11
	MOVQ (Packed_Block+8)(AX), DX
	SUBQ $8, DX
	MOVQ DX, last-8(SP)
	MOVQ Packed_Low(AX), R15
	MOVQ fewUpper+16(FP), R14
	UPPER(R11, DX, R14, CX, DI)
	MOVQ Packed_N(AX), CX
	MOVQ CX, left-24(SP)
	XORL R12, R12
	TESTQ DI, DI
	JEQ  done
next:
	DECQ left-24(SP)
	JLT  done
	EIGHT(R11, last-8(SP), R14, CX, BX)
	BZHIQ R15, BX, BX
	ADDQ R15, R14
	TZCNTQ DI, CX
	SUBQ R12, CX
	INCQ R12
	SHLXQ R15, CX, CX
	ORQ  CX, BX
	SHRXQ R10, BX, CX
	CMPQ CX, $63
	JHI  done
	MOVL $1, DX
	SHLXQ CX, DX, DX
	PDEPQ R13, DX, AX
	PDEPQ begins-16(SP), DX, DX
	SUBQ DX, AX // the ones of the bucket
	JEQ  none
	TZCNTQ DX, DX
	SUBQ CX, DX
	IMULQ R10, DX
	ADDQ manyUpper+24(FP), DX
compare:
	EIGHT(SI, R8, DX, CX, R9)
	XORQ BX, R9
	BZHIQ R10, R9, R9
	TESTQ R9, R9
	JEQ  common
	ADDQ R10, DX
	BLSRQ AX, AX
	JNE  compare
none:
	BLSRQ DI, DI
	JNE  next
done:
	RET
common:
	INCQ n+32(FP)
	JMP  none
