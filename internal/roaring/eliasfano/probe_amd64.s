// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// BYTE makes at the byte in which a bit of the block stands or, if less than eight bytes are there
// from it on, the last one from which eight are.
#define BYTE(bit, at) \
	MOVQ bit, at \
	SHRQ $3, at \
	CMPQ at, last-8(SP) \
	CMOVQHI last-8(SP), at

// LOWER loads the lower part at a bit to sum, XOR AX: a bit of sum is zero where AX has the same.
// It changes bit and at.
#define LOWER(bit, at, sum) \
	BYTE(bit, at) \
	MOVQ (R8)(at*1), sum \
	SHLQ $3, at \
	SUBQ at, bit \
	SHRXQ bit, sum, sum \
	XORQ AX, sum \
	ANDQ mask-16(SP), sum

// func packedKeepAVX2(dst, values []uint64, base uint64, p *Probe) (n, read int)
//
// SI and DI are in values and dst. R8 is the block, R10 a word of the upper part, with R9 zeros
// before it, R13 its zeros as ones. AX is a value less base, BX its upper part, CX how
// many zeros it has more than R9. R15 is the low width. It ends at a value that is far away, or in
// a bucket of more than sixteen.
TEXT ·packedKeepAVX2(SB), NOSPLIT, $64-80
	MOVQ p+56(FP), AX
	MOVQ (Probe_Packed+Packed_Block)(AX), R8
	MOVQ (Probe_Packed+Packed_Block+8)(AX), BX
	SUBQ $8, BX
	MOVQ BX, last-8(SP)
	MOVQ (Probe_Packed+Packed_N)(AX), BX
	MOVQ BX, count-24(SP)
	MOVQ (Probe_Packed+Packed_Low)(AX), R15
	MOVQ $-1, BX
	BZHIQ R15, BX, BX
	MOVQ BX, mask-16(SP)
	MOVQ Probe_upper(AX), BX
	SUBQ R15, BX
	MOVQ BX, lower-32(SP)
	ADDQ R15, BX
	SHRQ $6, BX
	LEAQ (R8)(BX*8), BX
	MOVQ BX, whole-40(SP)
	MOVQ Probe_tail(AX), R13
	NOTQ R13
	MOVQ R13, tail-48(SP)
	MOVQ Probe_zeros(AX), R9
	MOVQ Probe_w(AX), R10
	LEAQ (R8)(R10*8), R10
	MOVQ dst_base+0(FP), DI
	MOVQ values_base+24(FP), SI
	MOVQ values_len+32(FP), CX
	LEAQ (SI)(CX*8), CX
	MOVQ CX, end-56(SP)
	CMPQ R10, BX
	JAE  loop
	MOVQ (R10), R13
	NOTQ R13
loop:
	CMPQ SI, end-56(SP)
	JAE  done
	MOVQ (SI), AX
	SUBQ base+48(FP), AX
	SHRXQ R15, AX, BX
	MOVQ BX, CX
	SUBQ R9, CX
	CMPQ CX, $const_passFrom
	JHI  done
word:
	POPCNTQ R13, DX
	CMPQ CX, DX
	JLT  found
	CMPQ R10, whole-40(SP)
	JAE  behind
	SUBQ DX, CX
	ADDQ DX, R9
	ADDQ $8, R10
	MOVQ tail-48(SP), R13
	CMPQ R10, whole-40(SP)
	JAE  word
	MOVQ (R10), R13
	NOTQ R13
	JMP  word
found:
	// DX becomes the place of zero number CX, from 0, and CX what precedes it, inverted, the
	// nearest in the highest bits.
	XORL DX, DX
	BTSQ CX, DX
	PDEPQ R13, DX, DX
	TZCNTQ DX, DX
	MOVQ R13, CX
	NOTQ CX
	ADDQ CX, CX
	MOVQ DX, R11
	NOTQ R11
	SHLXQ R11, CX, CX
	XORL R11, R11
	CMPQ R10, R8
	JEQ  first
	SHRXQ DX, -8(R10), R11
first:
	ORQ  R11, CX
	NOTQ CX
	BSRQ CX, CX              // 63 less the size of the bucket
	JEQ  done
	CMPQ CX, $(63-const_halveFrom)
	JLT  done
	MOVQ R10, R11
	SUBQ R8, R11
	LEAQ (DX)(R11*8), R11
	SUBQ BX, R11             // index behind the bucket
	CMPQ R11, count-24(SP)
	JHI  done
	LEAQ -63(R11)(CX*1), DX
	TESTQ DX, DX
	JLT  done
	IMULQ R15, R11
	// The last lower part of the bucket, and the one before it, whether there are as many or not.
	ADDQ lower-32(SP), R11
	MOVQ R11, BX
	SUBQ R15, BX
	MOVQ BX, second-64(SP)
	LOWER(R11, DX, R12)
	LOWER(BX, DX, R11)
	XORL DX, DX
	XORL BX, BX
	CMPQ CX, $63
	SETEQ DX
	CMPQ CX, $62
	SETGE BX
	ORQ  DX, R12
	SETEQ DX
	ORQ  BX, R11
	SETEQ BX
	ORL  BX, DX
	CMPQ CX, $61
	JLT  more
store:
	MOVQ (SI), AX
	MOVQ AX, (DI)
	LEAQ (DI)(DX*8), DI
	ADDQ $8, SI
	JMP  loop
more:
	// The others of the bucket, one by one.
	MOVQ second-64(SP), R11
another:
	TESTL DX, DX
	JNE  store
	SUBQ R15, R11
	MOVQ R11, BX
	LOWER(BX, DX, R12)
	XORL DX, DX
	TESTQ R12, R12
	SETEQ DX
	INCQ CX
	CMPQ CX, $61
	JLT  another
	JMP  store
behind:
	MOVQ end-56(SP), SI
done:
	MOVQ p+56(FP), AX
	MOVQ R9, Probe_zeros(AX)
	SUBQ R8, R10
	SHRQ $3, R10
	MOVQ R10, Probe_w(AX)
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+64(FP)
	SUBQ values_base+24(FP), SI
	SHRQ $3, SI
	MOVQ SI, read+72(FP)
	RET
