// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Packed blocks are decoded in two passes. The first takes a word of the upper part at a time:
// VPCOMPRESSB gives the places of its ones, and a place less the ones before
// it is the upper part of a value. The second takes 32 lower parts at a time: as they stand at a
// fixed stride, and 32 of them take whole bytes, two VPERMB with the
// same indexes fetch the three bytes that each may touch, and VPSHRDVW shifts each by its own
// distance.

// numbers and counted have 0 to 63 and 0 to 31.
DATA bytes64<>+0(SB)/8, $0x0706050403020100
DATA bytes64<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA bytes64<>+16(SB)/8, $0x1716151413121110
DATA bytes64<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA bytes64<>+32(SB)/8, $0x2726252423222120
DATA bytes64<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA bytes64<>+48(SB)/8, $0x3736353433323130
DATA bytes64<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL bytes64<>(SB), RODATA|NOPTR, $64

// func upperLowsAVX512(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left
// uint64)
//
// AX is the word, BX the number of its ones that are taken; R10 the number of zeros before it, R8
// the end, Z29 less the number of each lane. R13 is the rest of the
// word when not all of it is taken.
TEXT ·upperLowsAVX512(SB), NOSPLIT, $0-104
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	ANDQ $-2, R11
	ADDQ DI, R11
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	ADDQ SI, CX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ end+64(FP), R8
	MOVQ low+72(FP), R9
	VMOVQ R9, X28
	VMOVDQU64 bytes64<>(SB), Z31
	VPMOVZXBW Y31, Z29
	VPXORQ Z30, Z30, Z30
	VPSUBW Z29, Z30, Z29
	XORL R13, R13
	MOVL $-32, R9
	VPBROADCASTW R9, Z27
word:
	POPCNTQ AX, BX
	MOVQ R10, R12
	ADDQ $64, R12
	SUBQ BX, R12
	CMPQ R12, R8
	JGE  cut
taken:
	MOVQ R11, DX
	SUBQ DI, DX
	CMPQ DX, $128
	JB   tail
	KMOVQ AX, K1
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPBROADCASTW R10, Z30
	VPADDW Z29, Z30, Z30
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VPSLLW X28, Z1, Z1
	VMOVDQU64 Z1, (DI)
	CMPL BX, $32
	JBE  next
	VEXTRACTI64X4 $1, Z0, Y0
	VPADDW Z27, Z30, Z30
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VPSLLW X28, Z1, Z1
	VMOVDQU64 Z1, 64(DI)
next:
	LEAQ (DI)(BX*2), DI
	MOVQ R12, R10
	TESTQ R13, R13
	JNE  done
	CMPQ R10, R8
	JGE  done
	CMPQ SI, CX
	JAE  done
	CMPQ DI, R11
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
cut:
	// The end lies in this word: only what stands before zero number end, counted from 1, is taken.
	MOVQ R8, DX
	SUBQ R10, DX
	DECQ DX
	JLT  none
	MOVQ AX, R9
	NOTQ R9
	XORL BX, BX
	BTSQ DX, BX
	PDEPQ R9, BX, BX
	MOVQ AX, R13
	DECQ BX
	ANDQ BX, AX
	NOTQ BX
	ANDQ BX, R13
	POPCNTQ AX, BX
	JMP  taken
none:
	MOVQ AX, R13
	JMP  done
tail:
	// DX bytes of room are left.
	SHRQ $1, DX
	CMPQ BX, DX
	JLS  fits
	// The one number DX, from 0, and those behind it are left.
	XORL R9, R9
	BTSQ DX, R9
	PDEPQ AX, R9, R9
	NEGQ R9
	MOVQ R9, BX
	ANDQ AX, BX
	ORQ  BX, R13
	NOTQ R9
	ANDQ R9, AX
	MOVQ DX, BX
fits:
	KMOVQ AX, K1
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPBROADCASTW R10, Z30
	VPADDW Z29, Z30, Z30
	MOVQ $-1, R9
	BZHIQ BX, R9, R9
	KMOVD R9, K1
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VPSLLW X28, Z1, Z1
	VMOVDQU16 Z1, K1, (DI)
	SHRQ $32, R9
	JE   next
	KMOVD R9, K1
	VEXTRACTI64X4 $1, Z0, Y0
	VPADDW Z27, Z30, Z30
	VPMOVZXBW Y0, Z1
	VPADDW Z30, Z1, Z1
	VPSLLW X28, Z1, Z1
	VMOVDQU16 Z1, K1, 64(DI)
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, n+80(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+88(FP)
	MOVQ R13, left+96(FP)
	RET

// func orLowersAVX512(lows, block []byte, off int, low uint)
//
// Z26 and Z27 have the bytes that a lane is fetched from, Z28 its distance in bits, Z29 which bits
// count.
TEXT ·orLowersAVX512(SB), NOSPLIT, $0-64
	MOVQ lows_base+0(FP), DI
	MOVQ lows_len+8(FP), CX
	SHRQ $1, CX
	JE   done
	MOVQ block_base+24(FP), SI
	MOVQ block_len+32(FP), R8
	ADDQ SI, R8
	MOVQ off+48(FP), AX
	MOVQ low+56(FP), R9
	MOVL AX, BX
	SHRQ $3, AX
	ADDQ AX, SI
	ANDL $7, BX
	VMOVDQU64 bytes64<>(SB), Y31
	VPMOVZXBW Y31, Z31
	VPBROADCASTW R9, Z30
	VPMULLW Z30, Z31, Z31
	VPBROADCASTW BX, Z30
	VPADDW Z30, Z31, Z31
	MOVL $7, BX
	VPBROADCASTW BX, Z28
	VPANDQ Z31, Z28, Z28
	VPSRLW $3, Z31, Z31
	VPSLLW $8, Z31, Z26
	VPORQ Z31, Z26, Z26
	MOVL $0x0100, BX
	VPBROADCASTW BX, Z30
	VPADDW Z30, Z26, Z26
	MOVL $0x0202, BX
	VPBROADCASTW BX, Z30
	VPADDB Z30, Z26, Z27
	MOVL $-1, BX
	BZHIL R9, BX, BX
	VPBROADCASTW BX, Z29
	SHLQ $2, R9
loop:
	LEAQ 64(SI), AX
	CMPQ AX, R8
	JHI  near
	VMOVDQU64 (SI), Z0
loaded:
	VPERMB Z0, Z26, Z1
	VPERMB Z0, Z27, Z2
	VPSHRDVW Z28, Z2, Z1
	VPANDQ Z29, Z1, Z1
	CMPQ CX, $32
	JB   last
	VPORQ (DI), Z1, Z1
	VMOVDQU64 Z1, (DI)
	ADDQ R9, SI
	ADDQ $64, DI
	SUBQ $32, CX
	JNE  loop
	VZEROUPPER
done:
	RET
near:
	// Less than 64 bytes of the block are left, or none.
	MOVQ R8, AX
	SUBQ SI, AX
	XORL BX, BX
	TESTQ AX, AX
	CMOVQLT BX, AX
	MOVQ $-1, BX
	BZHIQ AX, BX, BX
	KMOVQ BX, K1
	VMOVDQU8.Z (SI), K1, Z0
	JMP  loaded
last:
	MOVL $-1, BX
	BZHIL CX, BX, BX
	KMOVD BX, K1
	VMOVDQU16.Z (DI), K1, Z2
	VPORQ Z2, Z1, Z1
	VMOVDQU16 Z1, K1, (DI)
	VZEROUPPER
	RET
