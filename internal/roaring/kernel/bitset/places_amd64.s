// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The places of the ones of a word are those of the numbers 0 to 63, as bytes, that VPCOMPRESSB
// keeps under the word as a mask. They are widened to what is wanted.

DATA numbers<>+0(SB)/8, $0x0706050403020100
DATA numbers<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA numbers<>+16(SB)/8, $0x1716151413121110
DATA numbers<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA numbers<>+32(SB)/8, $0x2726252423222120
DATA numbers<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA numbers<>+48(SB)/8, $0x3736353433323130
DATA numbers<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL numbers<>(SB), RODATA|NOPTR, $64

// func bitsetLowsAVX512(dst []uint16, a *Words) int
TEXT ·bitsetLowsAVX512(SB), NOSPLIT, $0-40
	SHLQ $1, dst_len+8(FP)
	JMP  ·bitsetToArrayAVX512(SB)

// func bitsetToArrayAVX512(dst []byte, a *Words) int
//
// While there is room for the 64 places of a word they are written as two whole vectors; then as
// many as there is room for.
TEXT ·bitsetToArrayAVX512(SB), NOSPLIT, $0-40
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ANDQ $-2, R11
	ADDQ DI, R11
	MOVQ a+24(FP), SI
	VMOVDQU64 numbers<>(SB), Z31
	VPXORQ Z30, Z30, Z30
	MOVL $64, AX
	VPBROADCASTW AX, Z29
	XORL CX, CX
eight:
	// Eight words without a one are skipped.
	VMOVDQU64 (SI)(CX*8), Z0
	VPTESTMQ Z0, Z0, K1
	KORTESTB K1, K1
	JNE  some
	VPSLLW $3, Z29, Z0
	VPADDW Z0, Z30, Z30
	ADDQ $8, CX
	CMPQ CX, $1024
	JB   eight
	JMP  done
some:
	LEAQ 8(CX), R9
word:
	MOVQ (SI)(CX*8), AX
	LEAQ 128(DI), R12
	CMPQ R12, R11
	JHI  tail
	KMOVQ AX, K1
	POPCNTQ AX, BX
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VMOVDQU64 Z1, (DI)
	CMPL BX, $32
	JBE  next
	VEXTRACTI64X4 $1, Z0, Y0
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VMOVDQU64 Z1, 64(DI)
next:
	LEAQ (DI)(BX*2), DI
	VPADDW Z29, Z30, Z30
	INCQ CX
	CMPQ CX, R9
	JB   word
	CMPQ CX, $1024
	JB   eight
	JMP  done
tail:
	// Masks of up to 32 places: VMOVDQU16 touches nothing else.
	KMOVQ AX, K1
	POPCNTQ AX, BX
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	MOVQ R11, R12
	SUBQ DI, R12
	SHRQ $1, R12
	CMPQ BX, R12
	CMOVQHI R12, BX
	MOVQ $-1, R12
	BZHIQ BX, R12, R12
	KMOVD R12, K1
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VMOVDQU16 Z1, K1, (DI)
	SHRQ $32, R12
	JE   next
	KMOVD R12, K1
	VEXTRACTI64X4 $1, Z0, Y0
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VMOVDQU16 Z1, K1, 64(DI)
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+32(FP)
	RET

// func wordsValuesAVX512(dst []uint64, words []byte, base uint64) (n, read int)
//
// It ends with the words, or before one for whose 64 places there is no room.
TEXT ·wordsValuesAVX512(SB), NOSPLIT, $64-72
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*8), R11
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), R8
	SHRQ $3, R8
	MOVQ base+48(FP), R10
	VMOVDQU64 numbers<>(SB), Z31
	XORL CX, CX
	LEAQ buffer-64(SP), R9
word:
	CMPQ CX, R8
	JAE  done
	LEAQ 512(DI), R12
	CMPQ R12, R11
	JHI  done
	MOVQ (SI)(CX*8), AX
	KMOVQ AX, K1
	POPCNTQ AX, BX
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPBROADCASTQ R10, Z30
	VPMOVZXBQ X0, Z1
	VPADDQ Z30, Z1, Z1
	VMOVDQU64 Z1, (DI)
	CMPL BX, $8
	JBE  next
	VMOVDQU64 Z0, (R9)
	VPMOVZXBQ 8(R9), Z1
	VPADDQ Z30, Z1, Z1
	VMOVDQU64 Z1, 64(DI)
	CMPL BX, $16
	JBE  next
	VPMOVZXBQ 16(R9), Z1
	VPMOVZXBQ 24(R9), Z2
	VPADDQ Z30, Z1, Z1
	VPADDQ Z30, Z2, Z2
	VMOVDQU64 Z1, 128(DI)
	VMOVDQU64 Z2, 192(DI)
	CMPL BX, $32
	JBE  next
	VPMOVZXBQ 32(R9), Z1
	VPMOVZXBQ 40(R9), Z2
	VPMOVZXBQ 48(R9), Z3
	VPMOVZXBQ 56(R9), Z4
	VPADDQ Z30, Z1, Z1
	VPADDQ Z30, Z2, Z2
	VPADDQ Z30, Z3, Z3
	VPADDQ Z30, Z4, Z4
	VMOVDQU64 Z1, 256(DI)
	VMOVDQU64 Z2, 320(DI)
	VMOVDQU64 Z3, 384(DI)
	VMOVDQU64 Z4, 448(DI)
next:
	LEAQ (DI)(BX*8), DI
	ADDQ $64, R10
	INCQ CX
	JMP  word
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+56(FP)
	SHLQ $3, CX
	MOVQ CX, read+64(FP)
	RET
