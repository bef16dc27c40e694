// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Values of 64 bits are decoded eight at a time. VPCOMPRESSB finds the places of the ones of a word
// of the upper part, which give the upper parts. Eight lower parts of up to 48 bits are within 64
// bytes: one load, from which VPERMB brings to each lane the eight bytes that its part begins in.
// For longer parts a gather loads the eight bytes of each, which is slower on AMD processors.

DATA lanes64<>+0(SB)/8, $0x0706050403020100
DATA lanes64<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA lanes64<>+16(SB)/8, $0x1716151413121110
DATA lanes64<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA lanes64<>+32(SB)/8, $0x2726252423222120
DATA lanes64<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA lanes64<>+48(SB)/8, $0x3736353433323130
DATA lanes64<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL lanes64<>(SB), RODATA|NOPTR, $64

// The first byte of each lane of 64 bits, eight times.
DATA firsts64<>+0(SB)/8, $0x0000000000000000
DATA firsts64<>+8(SB)/8, $0x0808080808080808
GLOBL firsts64<>(SB), RODATA|NOPTR, $16

DATA ones64<>+0(SB)/8, $-1
GLOBL ones64<>(SB), RODATA|NOPTR, $8

// permuteLow is the low width up to which eight lower parts, each with eight bytes from its first
// on, are within 64 bytes.
#define permuteLow 48

// func packedValuesAVX512(dst []uint64, words []byte, word uint64, zeros int, block []byte, off
// int, low uint, base uint64) (n, read int, left uint64)
//
// AX is the word, BX the number of its ones, R13 how many of these are done; R10 the number of
// zeros before it less what is done, R8 the bit at which the next lower part
// begins, R12 the last bit at which eight of them may begin, so that each has eight bytes from its
// first on, and R15 the bytes of the block.
TEXT ·packedValuesAVX512(SB), NOSPLIT, $64-136
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*8), R11
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	ADDQ SI, CX
	MOVQ word+48(FP), AX
	MOVQ zeros+56(FP), R10
	MOVQ block_base+64(FP), DX
	MOVQ block_len+72(FP), R12
	MOVQ off+88(FP), R8
	MOVQ low+96(FP), R9
	VPBROADCASTQ base+104(FP), Z27
	VMOVQ R9, X28
	MOVQ R12, R15
	VPBROADCASTQ lanes64<>(SB), Z23
	VBROADCASTI32X4 firsts64<>(SB), Z22
	SHLQ $3, R12
	LEAQ (R9)(R9*2), BX
	LEAQ (BX)(R9*4), BX
	SUBQ BX, R12
	SUBQ $57, R12
	VMOVDQU64 lanes64<>(SB), Z31
	VPMOVZXBQ X31, Z29
	VPBROADCASTQ R9, Z26
	VPMULLQ Z29, Z26, Z26
	VPXORQ Z0, Z0, Z0
	VPSUBQ Z29, Z0, Z29
	MOVL $7, BX
	VPBROADCASTQ BX, Z25
	MOVQ $-1, BX
	BZHIQ R9, BX, BX
	VPBROADCASTQ BX, Z24
word:
	POPCNTQ AX, BX
	KMOVQ AX, K1
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VMOVDQU64 Z0, places-64(SP)
	XORL R13, R13
eight:
	CMPQ R13, BX
	JGE  next
	CMPQ R8, R12
	JGT  stop
	LEAQ 64(DI), R9
	CMPQ R9, R11
	JHI  stop
	VPMOVZXBQ places-64(SP)(R13*1), Z1
	VPBROADCASTQ R10, Z2
	VPADDQ Z29, Z2, Z2
	VPADDQ Z2, Z1, Z1
	VPSLLQ X28, Z1, Z1
	CMPQ low+96(FP), $permuteLow
	JHI  gather
	MOVQ R8, R9
	SHRQ $3, R9
	MOVQ R15, R14
	SUBQ R9, R14
	CMPQ R14, $64
	JLT  part
	VMOVDQU64 (DX)(R9*1), Z5
permute:
	MOVQ R8, R9
	ANDL $7, R9
	VPBROADCASTQ R9, Z3
	VPADDQ Z26, Z3, Z3
	VPANDQ Z25, Z3, Z4
	VPSRLQ $3, Z3, Z3
	VPSHUFB Z22, Z3, Z3
	VPADDB Z23, Z3, Z3
	VPERMB Z5, Z3, Z5
lower:
	VPSRLVQ Z4, Z5, Z5
	VPANDQ Z24, Z5, Z5
	VPORQ Z5, Z1, Z1
	VPADDQ Z27, Z1, Z1
	VMOVDQU64 Z1, (DI)
	MOVL $8, R9
	SUBQ R13, BX
	CMPQ BX, R9
	CMOVQLT BX, R9
	ADDQ R13, BX
	LEAQ (DI)(R9*8), DI
	ADDQ R9, R13
	SUBQ R9, R10
	IMULQ low+96(FP), R9
	ADDQ R9, R8
	JMP  eight
part:
	BZHIQ R14, ones64<>(SB), R14
	KMOVQ R14, K2
	VMOVDQU8.Z (DX)(R9*1), K2, Z5
	JMP  permute
gather:
	VPBROADCASTQ R8, Z3
	VPADDQ Z26, Z3, Z3
	VPANDQ Z25, Z3, Z4
	VPSRLQ $3, Z3, Z3
	KXNORB K2, K2, K2
	VPXORQ Z5, Z5, Z5
	VPGATHERQQ (DX)(Z3*1), K2, Z5
	JMP  lower
next:
	ADDQ $64, R10
	XORL AX, AX
	CMPQ SI, CX
	JAE  done
	MOVQ (SI), AX
	ADDQ $8, SI
	JMP  word
stop:
	// The one number R13, from 0, and those behind it are left.
	XORL R9, R9
	BTSQ R13, R9
	PDEPQ AX, R9, R9
	NEGQ R9
	ANDQ R9, AX
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+112(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+120(FP)
	MOVQ AX, left+128(FP)
	RET
