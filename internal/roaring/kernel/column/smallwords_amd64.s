// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func smallWordsAVX512(dst, lows []uint16, words []byte, offset, bits int) (n, most int)
//
// Four bytes are gathered for each word, shifted by its own distance and masked, sixteen words at a
// time, as long as there are four bytes for each of them.
TEXT ·smallWordsAVX512(SB), NOSPLIT, $0-104
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ words_base+48(FP), BX
	MOVQ words_len+56(FP), R8
	XORL AX, AX
	VPXORD Z5, Z5, Z5
	SUBQ $4, R8
	JB   done
	MOVL $0x0FFFFFFF, R9 // above all places; those before the column, of 32 bits without a sign, are above it
	CMPQ R8, R9
	CMOVQHI R9, R8
	VPBROADCASTD R8, Z28 // the last place of four bytes
	MOVQ offset+72(FP), R9
	VPBROADCASTD R9, Z29
	MOVQ bits+80(FP), R9
	VPBROADCASTD R9, Z30
	MOVQ $-1, R10
	BZHIQ R9, R10, R10
	VPBROADCASTD R10, Z31
	MOVL $7, R10
	VPBROADCASTD R10, Z27
	SUBQ $16, CX
	JL   done
loop:
	VPMOVZXWD (SI)(AX*2), Z0
	VPADDD Z29, Z0, Z0
	VPMULLD Z30, Z0, Z0
	VPSRLD $3, Z0, Z1
	VPCMPUD $6, Z28, Z1, K1
	KORTESTW K1, K1
	JNE  done
	VPANDD Z27, Z0, Z2
	KXNORW K0, K0, K2
	VPXORD Z3, Z3, Z3
	VPGATHERDD (BX)(Z1*1), K2, Z3
	VPSRLVD Z2, Z3, Z3
	VPANDD Z31, Z3, Z3
	VPMAXUD Z3, Z5, Z5
	VPMOVDW Z3, (DI)(AX*2)
	ADDQ $16, AX
	CMPQ AX, CX
	JLE  loop
done:
	VEXTRACTI64X4 $1, Z5, Y0
	VPMAXUD Y0, Y5, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD X0, BX
	VZEROUPPER
	MOVQ AX, n+88(FP)
	MOVQ BX, most+96(FP)
	RET
