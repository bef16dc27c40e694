// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

DATA runPlaces<>+0(SB)/8, $0
DATA runPlaces<>+8(SB)/8, $1
DATA runPlaces<>+16(SB)/8, $2
DATA runPlaces<>+24(SB)/8, $3
DATA runPlaces<>+32(SB)/8, $4
DATA runPlaces<>+40(SB)/8, $5
DATA runPlaces<>+48(SB)/8, $6
DATA runPlaces<>+56(SB)/8, $7
DATA runPlaces<>+64(SB)/8, $8
DATA runPlaces<>+72(SB)/8, $9
DATA runPlaces<>+80(SB)/8, $10
DATA runPlaces<>+88(SB)/8, $11
DATA runPlaces<>+96(SB)/8, $12
DATA runPlaces<>+104(SB)/8, $13
DATA runPlaces<>+112(SB)/8, $14
DATA runPlaces<>+120(SB)/8, $15
GLOBL runPlaces<>(SB), RODATA|NOPTR, $128

// BEGIN takes the arguments: DI is where the next value goes, CX how many have room there, BX the
// next of the DX runs at SI, R8 where the runs before it end, and R13 the base.
#define BEGIN \
	MOVQ dst_base+0(FP), DI \
	MOVQ dst_len+8(FP), CX \
	MOVQ runs_base+24(FP), SI \
	MOVQ runs_len+32(FP), DX \
	SHRQ $2, DX \
	MOVQ at+48(FP), BX \
	MOVQ next+56(FP), R8 \
	MOVQ base+64(FP), R13 \
	MOVL $65536, R12 \
	XORL R11, R11

// NEXT takes the next run: R9 is its first value that counts, AX how many there are, none if the
// runs before reach beyond it. R8 waits for R8 by two steps and for nothing else.
#define NEXT \
	MOVL    (SI)(BX*4), AX \
	MOVWLZX AX, R9 \
	SHRL    $16, AX \
	LEAL    1(R9)(AX*1), R10 \
	CMPL    R10, R12 \
	CMOVLHI R12, R10 \
	CMPL    R9, R8 \
	CMOVLCS R8, R9 \
	CMPL    R8, R10 \
	CMOVLCS R10, R8 \
	MOVL    R10, AX \
	SUBL    R9, AX \
	CMOVLCS R11, AX

// END returns how many values have been written, and from where to go on.
#define END \
	MOVQ DI, AX \
	SUBQ dst_base+0(FP), AX \
	SHRQ $3, AX \
	MOVQ AX, n+72(FP) \
	MOVQ BX, run+80(FP) \
	MOVQ R8, value+88(FP) \
	VZEROUPPER \
	RET

// func runValuesAVX512(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)
//
// Most runs are short. So sixteen values are written, even if a run has fewer, and the values of
// the next run overwrite the excess. The length of a run then decides on no jump.
TEXT ·runValuesAVX512(SB), NOSPLIT, $0-96
	BEGIN
	VMOVDQU64 runPlaces<>(SB), Z0
	VMOVDQU64 runPlaces<>+64(SB), Z1
	MOVL $8, AX
	VPBROADCASTQ AX, Z5
loop:
	CMPQ BX, DX
	JCC  done
	NEXT
	LEAQ (R13)(R9*1), R10
	VPBROADCASTQ R10, Z2
	VPADDQ Z0, Z2, Z3
	CMPQ AX, $16
	JHI  long
	CMPQ CX, $16
	JCS  long
	VPADDQ Z1, Z2, Z4
	VMOVDQU64 Z3, (DI)
	VMOVDQU64 Z4, 64(DI)
	LEAQ (DI)(AX*8), DI
	SUBQ AX, CX
	INCQ BX
	JMP  loop
long:
	// The values that have room: R10 of the AX.
	MOVQ AX, R10
	CMPQ CX, R10
	CMOVQCS CX, R10
	SUBQ R10, CX
	SUBQ R10, AX
	ADDQ R10, R9
	JMP  some
whole:
	VMOVDQU64 Z3, (DI)
	VPADDQ Z5, Z3, Z3
	ADDQ $64, DI
	SUBQ $8, R10
some:
	CMPQ R10, $8
	JCC  whole
	MOVL $-1, R14
	BZHIL R10, R14, R14
	KMOVB R14, K1
	VMOVDQU64 Z3, K1, (DI)
	LEAQ (DI)(R10*8), DI
	TESTQ AX, AX
	JNE  full
	INCQ BX
	JMP  loop
full:
	MOVQ R9, R8
done:
	END

// func runValuesAVX2(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)
TEXT ·runValuesAVX2(SB), NOSPLIT, $0-96
	BEGIN
	VMOVDQU runPlaces<>(SB), Y0
	VMOVDQU runPlaces<>+32(SB), Y1
	VMOVDQU runPlaces<>+64(SB), Y6
	VMOVDQU runPlaces<>+96(SB), Y7
	VPBROADCASTQ runPlaces<>+32(SB), Y5
loop:
	CMPQ BX, DX
	JCC  done
	NEXT
	LEAQ (R13)(R9*1), R10
	VMOVQ R10, X2
	VPBROADCASTQ X2, Y2
	VPADDQ Y0, Y2, Y3
	CMPQ AX, $16
	JHI  long
	CMPQ CX, $16
	JCS  long
	VPADDQ Y1, Y2, Y4
	VMOVDQU Y3, (DI)
	VMOVDQU Y4, 32(DI)
	VPADDQ Y6, Y2, Y3
	VPADDQ Y7, Y2, Y4
	VMOVDQU Y3, 64(DI)
	VMOVDQU Y4, 96(DI)
	LEAQ (DI)(AX*8), DI
	SUBQ AX, CX
	INCQ BX
	JMP  loop
long:
	// The values that have room: R10 of the AX.
	MOVQ AX, R10
	CMPQ CX, R10
	CMOVQCS CX, R10
	SUBQ R10, CX
	SUBQ R10, AX
	ADDQ R10, R9
	JMP  some
whole:
	VMOVDQU Y3, (DI)
	VPADDQ Y5, Y3, Y3
	ADDQ $32, DI
	SUBQ $4, R10
some:
	CMPQ R10, $4
	JCC  whole
	VMOVQ R10, X4
	VPBROADCASTQ X4, Y4
	VPCMPGTQ Y0, Y4, Y4
	VPMASKMOVQ Y3, Y4, (DI)
	LEAQ (DI)(R10*8), DI
	TESTQ AX, AX
	JNE  full
	INCQ BX
	JMP  loop
full:
	MOVQ R9, R8
done:
	END
