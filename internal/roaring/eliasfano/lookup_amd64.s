// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// What VPSHUFB makes eight times the last word of eight by.
DATA lastWord<>+0(SB)/8, $0x0F0E0F0E0F0E0F0E
DATA lastWord<>+8(SB)/8, $0x0F0E0F0E0F0E0F0E
GLOBL lastWord<>(SB), RODATA|NOPTR, $16

// func packedKeepOffsetsAVX512(offsets []uint32, p *Packed, upper int, scale uint64, f *fields) (n,
// read int)
//
// What is done for one value waits for the step before it, and a processor has no room for what
// waits of many values: so 64 values go through each step before the next one begins. The numbers
// that belong to them are kept in memory in between: guessed words, in their place real ones and
// then places of zeros, and upper parts.
//
// The table has the zeros before each word of the upper part, behind sixteen that are zero and
// before 32 that are larger than all. scale is the words, the one that is not whole included, for
// each zero, times 2^16.
// SI and DI are the places in the offsets, R8 is the block, R9 the low width, R11 the table from
// its second number on, R12 the number of whole words, R10 of values that go through the steps, R13
// is the next of them, R14 and R15 are the upper parts and the words. In the last step, eight
// values at a time, Z1 is the place of the zero that ends the bucket,
// then how many values there are up to its end, Z3 the value, and Z6 the size of the bucket; K2
// says which are none.
TEXT ·packedKeepOffsetsAVX512(SB), 0, $2880-72
	MOVQ p+24(FP), AX
	MOVQ Packed_Block(AX), R8
	MOVQ Packed_Low(AX), R9
	MOVQ Packed_N(AX), BX
	VPBROADCASTQ BX, Z16     // values
	MOVQ upper+32(FP), CX
	VPBROADCASTQ CX, Z17
	MOVQ CX, R12
	SHRQ $6, R12
	MOVQ $-1, DX
	MOVL CX, AX
	ANDL $63, AX
	BZHIQ AX, DX, AX
	MOVQ AX, tail-8(SP)
	MOVQ $1, one-16(SP)
	SUBQ BX, CX
	VPBROADCASTQ CX, Z18     // the largest upper part
	VPBROADCASTD CX, Z27
	BZHIQ R9, DX, AX
	VPBROADCASTQ AX, Z19
	VPBROADCASTQ R9, Z20
	VMOVQ R9, X28
	MOVL $7, AX
	VPBROADCASTQ AX, Z21
	MOVL $64, AX
	VPBROADCASTQ AX, Z22
	VPBROADCASTW AX, X30
	MOVQ f+48(FP), AX
	VPBROADCASTQ fields_ones(AX), Z23
	VPBROADCASTQ fields_rest(AX), Z24
	VPBROADCASTQ fields_tops(AX), Z25
	VPBROADCASTQ fields_n(AX), Z26
	VPBROADCASTD scale+40(FP), Z29
	LEAQ table-2880(SP), R11
	LEAQ uppers-640(SP), R14
	LEAQ words-320(SP), R15
	VPXORQ Z15, Z15, Z15
	VMOVDQU64 Y15, (R11)
	VMOVDQU64 lastWord<>(SB), X31
	VPXORD X14, X14, X14
	LEAQ 32(R11), DX
	MOVQ R8, SI
	MOVQ R12, CX
table:
	CMPQ CX, $8
	JLT  few
	VPOPCNTQ (SI), Z0
counted:
	VPMOVQW Z0, X0
	VPSUBW X0, X30, X0
	VPSLLDQ $2, X0, X1
	VPADDW X0, X1, X1
	VPSLLDQ $4, X1, X2
	VPADDW X2, X1, X1
	VPSLLDQ $8, X1, X2
	VPADDW X2, X1, X1
	VPADDW X14, X1, X1
	VPSUBW X0, X1, X2
	VMOVDQU X2, (DX)
	VPSHUFB X31, X1, X14
	ADDQ $64, SI
	ADDQ $16, DX
	SUBQ $8, CX
	JGE  table
	VPTERNLOGD $0xFF, Z0, Z0, Z0
	VMOVDQU64 Z0, 34(R11)(R12*2)
	ADDQ $2, R11
	MOVQ offsets_base+0(FP), SI
	MOVQ offsets_len+8(FP), CX
	MOVQ SI, DI
	LEAQ (SI)(CX*4), CX
	MOVQ CX, end-24(SP)
batch:
	MOVQ end-24(SP), R10
	SUBQ SI, R10
	JLE  done
	SHRQ $2, R10
	MOVL $64, AX
	CMPQ R10, AX
	CMOVQHI AX, R10
	MOVQ R10, count-32(SP)
	// Upper parts, and the words where they may be.
	XORL R13, R13
guess:
	MOVQ R10, CX
	SUBQ R13, CX
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVW AX, K1
	VMOVDQU32.Z (SI)(R13*4), K1, Z0
	VPSRLD X28, Z0, Z0
	VPMINUD Z27, Z0, Z0
	VMOVDQU32 Z0, (R14)(R13*4)
	VPMULHUW Z29, Z0, Z0
	VMOVDQU32 Z0, (R15)(R13*4)
	ADDQ $16, R13
	CMPQ R13, R10
	JB   guess
	ADDQ $7, R10             // what fills eight up is the value 0
	ANDQ $-8, R10
	// The words.
	XORL R13, R13
word:
	MOVL (R15)(R13*4), CX
	VPBROADCASTW (R14)(R13*4), Z0
window:
	VPCMPUW $5, (R11)(CX*2), Z0, K1
	KMOVD K1, DX
	POPCNTL DX, DX
	DECL DX
	CMPL DX, $31
	JCC  aside
	LEAQ -15(CX)(DX*1), CX
	MOVL CX, (R15)(R13*4)
	INCQ R13
	CMPQ R13, R10
	JB   word
	// The places of the zeros.
	XORL R13, R13
zero:
	MOVL (R15)(R13*4), CX
	MOVL (R14)(R13*4), BX
	MOVWLZX 30(R11)(CX*2), DX
	SUBL DX, BX
	MOVQ (R8)(CX*8), AX
	CMPQ CX, R12
	JEQ  last
inside:
	NOTQ AX
	SHLXQ BX, one-16(SP), BX
	PDEPQ AX, BX, BX
	TZCNTQ BX, BX
	SHLL $6, CX
	ADDL BX, CX
	MOVL CX, (R15)(R13*4)
	INCQ R13
	CMPQ R13, R10
	JB   zero
	// The buckets, whose values precede the zero: 57 bits of these at least, or all, stand in the
	// highest ones.
	XORL R13, R13
bucket:
	MOVQ count-32(SP), CX
	SUBQ R13, CX
	MOVL $255, AX
	BZHIL CX, AX, AX
	KMOVW AX, K3
	VMOVDQU32.Z (SI)(R13*4), K3, Y0
	VPMOVZXDQ Y0, Z3
	VPMOVZXDQ (R15)(R13*4), Z1
	VPMOVZXDQ (R14)(R13*4), Z2
	VPSRLQ X28, Z3, Z4
	VPCMPUQ $2, Z18, Z4, K3, K2
	VPSRLQ $3, Z1, Z5
	VPSUBQ Z21, Z5, Z5
	VPMAXSQ Z15, Z5, Z5
	KXNORW K1, K1, K1
	VPXORQ Z6, Z6, Z6
	VPGATHERQQ (R8)(Z5*1), K1, Z6
	VPSLLQ $3, Z5, Z5
	VPADDQ Z22, Z5, Z5
	VPSUBQ Z1, Z5, Z5
	VPSLLVQ Z5, Z6, Z6
	VPTERNLOGQ $0x55, Z6, Z6, Z6
	VPLZCNTQ Z6, Z6
	VPSUBQ Z2, Z1, Z1
	VPCMPUQ $2, Z16, Z1, K2, K2
	VPCMPUQ $6, Z26, Z6, K2, K1
	KORTESTW K1, K1
	JNE  many
	// The lower parts up to the end of the bucket, the last one in the highest bits, compared with
	// that of the value: a field that is the same is zero in Z9, and its highest bit in Z3 then.
	VPMULUDQ Z20, Z1, Z7
	VPADDQ Z17, Z7, Z7
	VPADDQ Z21, Z7, Z8
	VPSRLQ $3, Z8, Z8
	KMOVW K2, K1
	VPXORQ Z9, Z9, Z9
	VPGATHERQQ -8(R8)(Z8*1), K1, Z9
	VPSLLQ $3, Z8, Z8
	VPSUBQ Z7, Z8, Z8
	VPSLLVQ Z8, Z9, Z9
	VPANDQ Z19, Z3, Z3
	VPMULLQ Z23, Z3, Z3
	VPXORQ Z3, Z9, Z9
	VPANDQ Z24, Z9, Z3
	VPADDQ Z24, Z3, Z3
	VPORQ Z9, Z3, Z3
	VPANDNQ Z25, Z3, Z3
	VPMULUDQ Z20, Z6, Z6
	VPSUBQ Z6, Z22, Z6
	VPSRLVQ Z6, Z3, Z3
	VPTESTMQ Z3, Z3, K2, K2
	VPXOR Y4, Y4, Y4
	VPCOMPRESSD.Z Y0, K2, Y4
	VMOVDQU32 Y4, K3, (DI)
	KMOVW K2, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $8, R13
	CMPQ R13, R10
	JB   bucket
	MOVQ count-32(SP), CX
	LEAQ (SI)(CX*4), SI
	JMP  batch
many:
	LEAQ (SI)(R13*4), SI
done:
	VZEROUPPER
	MOVQ offsets_base+0(FP), AX
	SUBQ AX, DI
	SHRQ $2, DI
	MOVQ DI, n+56(FP)
	SUBQ AX, SI
	SHRQ $2, SI
	MOVQ SI, read+64(FP)
	RET
few:
	MOVQ $-1, AX
	BZHIQ CX, AX, AX
	KMOVW AX, K1
	VMOVDQU64.Z (SI), K1, Z0
	VPOPCNTQ Z0, Z0
	JMP  counted
aside:
	JEQ  behind
	SUBQ $31, CX
	JGE  window
	XORL CX, CX
	JMP  window
behind:
	ADDQ $31, CX
	JMP  window
last:
	ANDQ tail-8(SP), AX
	JMP  inside
