// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Packed blocks whose values fit in 32 bits are decoded in two passes, as lows are
// (packed_amd64.s), but across chunks: upper parts a word at a time, then the lower parts of
// sixteen values, which take whole bytes.

DATA offsets64<>+0(SB)/8, $0x0706050403020100
DATA offsets64<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA offsets64<>+16(SB)/8, $0x1716151413121110
DATA offsets64<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA offsets64<>+32(SB)/8, $0x2726252423222120
DATA offsets64<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA offsets64<>+48(SB)/8, $0x3736353433323130
DATA offsets64<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL offsets64<>(SB), RODATA|NOPTR, $64

// SIXTEEN leaves in Z1 the upper parts of the sixteen bytes that the lanes of INDEX name: less the
// ones before them in the word, plus the zeros before the word.
#define SIXTEEN(INDEX) \
	VPERMB.Z Z0, INDEX, K2, Z1 \
	VPADDD Z30, Z1, Z1 \
	VPSLLD X28, Z1, Z1

// func upperOffsetsAVX512(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read
// int, left uint64)
//
// AX is the word, BX the number of its ones that are taken, R10 the number of zeros before it. Z24
// to Z27 name the bytes of sixteen values each. K2 keeps the lowest byte of each lane. R13 is the
// rest of the word when not all of it has room. Most words have fewer than 48 ones, so the places
// of 48 are written without a test.
TEXT ·upperOffsetsAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*4), R11
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	ADDQ SI, CX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ low+64(FP), R9
	VMOVQ R9, X28
	VMOVDQU64 offsets64<>(SB), Z31
	VPMOVZXBD X31, Z24
	MOVL $16, R9
	VPBROADCASTD R9, Z1
	VPADDD Z1, Z24, Z25
	VPADDD Z1, Z25, Z26
	VPADDD Z1, Z26, Z27
	MOVQ $0x1111111111111111, R9
	KMOVQ R9, K2
	XORL R13, R13
word:
	POPCNTQ AX, BX
	MOVQ R11, DX
	SUBQ DI, DX
	KMOVQ AX, K1
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPBROADCASTD R10, Z30
	CMPQ DX, $256
	JB   tail
	VPSUBB Z31, Z0, Z0
	SIXTEEN(Z24)
	VMOVDQU64 Z1, (DI)
	SIXTEEN(Z25)
	VMOVDQU64 Z1, 64(DI)
	SIXTEEN(Z26)
	VMOVDQU64 Z1, 128(DI)
	CMPL BX, $48
	JBE  next
	SIXTEEN(Z27)
	VMOVDQU64 Z1, 192(DI)
next:
	LEAQ (DI)(BX*4), DI
	ADDQ $64, R10
	SUBQ BX, R10
	TESTQ R13, R13
	JNE  done
	CMPQ SI, CX
	JAE  done
	CMPQ DI, R11
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
tail:
	// DX bytes of room are left.
	SHRQ $2, DX
	CMPQ BX, DX
	JLS  fits
	// The one number DX, from 0, and those behind it are left.
	XORL R9, R9
	BTSQ DX, R9
	PDEPQ AX, R9, R9
	NEGQ R9
	MOVQ AX, R13
	ANDQ R9, R13
	MOVQ DX, BX
fits:
	VPSUBB Z31, Z0, Z0
	MOVQ $-1, R9
	BZHIQ BX, R9, R9
	SIXTEEN(Z24)
	KMOVW R9, K1
	VMOVDQU32 Z1, K1, (DI)
	SHRQ $16, R9
	JE   next
	SIXTEEN(Z25)
	KMOVW R9, K1
	VMOVDQU32 Z1, K1, 64(DI)
	SHRQ $16, R9
	JE   next
	SIXTEEN(Z26)
	KMOVW R9, K1
	VMOVDQU32 Z1, K1, 128(DI)
	SHRQ $16, R9
	JE   next
	SIXTEEN(Z27)
	KMOVW R9, K1
	VMOVDQU32 Z1, K1, 192(DI)
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+72(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+80(FP)
	MOVQ R13, left+88(FP)
	RET

// func addLowersAVX512(offsets []uint32, block []byte, off int, low uint)
//
// Z26 has the bytes that each lane is fetched from, Z28 its distance in bits, Z29 which bits count.
TEXT ·addLowersAVX512(SB), NOSPLIT, $0-64
	MOVQ offsets_base+0(FP), DI
	MOVQ offsets_len+8(FP), CX
	TESTQ CX, CX
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
	VMOVDQU64 offsets64<>(SB), X31
	VPMOVZXBD X31, Z31
	VPBROADCASTD R9, Z30
	VPMULLD Z30, Z31, Z31
	VPBROADCASTD BX, Z30
	VPADDD Z30, Z31, Z31
	MOVL $7, BX
	VPBROADCASTD BX, Z28
	VPANDQ Z31, Z28, Z28
	VPSRLD $3, Z31, Z31
	MOVL $0x01010101, BX
	VPBROADCASTD BX, Z30
	VPMULLD Z30, Z31, Z31
	MOVL $0x03020100, BX
	VPBROADCASTD BX, Z30
	VPADDD Z30, Z31, Z26
	MOVL $-1, BX
	BZHIL R9, BX, BX
	VPBROADCASTD BX, Z29
	SHLQ $1, R9
loop:
	LEAQ 64(SI), AX
	CMPQ AX, R8
	JHI  near
	VPERMB (SI), Z26, Z1
loaded:
	VPSRLVD Z28, Z1, Z1
	CMPQ CX, $16
	JB   last
	VPTERNLOGD $0xEA, (DI), Z29, Z1
	VMOVDQU64 Z1, (DI)
	ADDQ R9, SI
	ADDQ $64, DI
	SUBQ $16, CX
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
	VPERMB Z0, Z26, Z1
	JMP  loaded
last:
	MOVL $-1, BX
	BZHIL CX, BX, BX
	KMOVW BX, K1
	VMOVDQU32.Z (DI), K1, Z2
	VPTERNLOGD $0xEA, Z2, Z29, Z1
	VMOVDQU32 Z1, K1, (DI)
	VZEROUPPER
	RET
