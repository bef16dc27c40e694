// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func arrayValuesAVX512(dst []uint64, lows []byte, base uint64)
TEXT ·arrayValuesAVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), AX
	SHRQ $1, AX
	CMPQ CX, AX
	CMOVQHI AX, CX
	MOVQ base+48(FP), R10
	VPBROADCASTQ R10, Z30
	SUBQ $16, CX
	JB   few
loop:
	VPMOVZXWQ (SI), Z0
	VPMOVZXWQ 16(SI), Z1
	VPADDQ Z30, Z0, Z0
	VPADDQ Z30, Z1, Z1
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	ADDQ $32, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JAE  loop
few:
	ADDQ $16, CX
part:
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVB AX, K1
	VMOVDQU16.Z (SI), K1, X0
	VPMOVZXWQ X0, Z0
	VPADDQ Z30, Z0, Z0
	VMOVDQU64 Z0, K1, (DI)
	ADDQ $16, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JHI  part
	VZEROUPPER
	RET

// func arrayValuesAVX2(dst []uint64, lows []byte, base uint64)
TEXT ·arrayValuesAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), AX
	SHRQ $1, AX
	CMPQ CX, AX
	CMOVQHI AX, CX
	MOVQ base+48(FP), R10
	VPBROADCASTQ base+48(FP), Y15
	SUBQ $8, CX
	JB   few
loop:
	VPMOVZXWQ (SI), Y0
	VPMOVZXWQ 8(SI), Y1
	VPADDQ Y15, Y0, Y0
	VPADDQ Y15, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $16, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JAE  loop
few:
	ADDQ $8, CX
	JE   done
one:
	MOVWLZX (SI), AX
	ADDQ R10, AX
	MOVQ AX, (DI)
	ADDQ $2, SI
	ADDQ $8, DI
	DECQ CX
	JNE  one
done:
	VZEROUPPER
	RET
