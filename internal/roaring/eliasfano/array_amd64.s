// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// An array meets a packed block a word of the upper part at a time, and up to 64 values of the
// array: their upper parts, less the zeros before the word, are the numbers of their buckets there.
// The zeros of the word say where each bucket ends among its values, as in packedSameAVX512,
// and VPERMB compares with the first value of all buckets at once, then the second, and so on.
// Values of a bucket that goes on in the next word meet that one, too.

DATA lanes64<>+0(SB)/8, $0x0706050403020100
DATA lanes64<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA lanes64<>+16(SB)/8, $0x1716151413121110
DATA lanes64<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA lanes64<>+32(SB)/8, $0x2726252423222120
DATA lanes64<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA lanes64<>+48(SB)/8, $0x3736353433323130
DATA lanes64<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL lanes64<>(SB), RODATA|NOPTR, $64

// NEXTOF moves on to the next value of each bucket, or stays at its last one, and leaves in Z15 the
// least difference of all so far.
#define NEXTOF \
	VPADDB Z26, Z8, Z8 \
	VPMINUB Z7, Z8, Z8 \
	VPERMB Z2, Z8, Z9 \
	VPXORQ Z14, Z9, Z9 \
	VPMINUB Z9, Z15, Z15

// func packedInArrayAVX512(dst, words []byte, word, last uint64, zeros int, block []byte, off int,
// low uint, lows []byte) (n, k, read, used int)
//
// AX is the word, and then the place in the array that is looked at. R10 is the number of zeros
// before the word and R13 before the next one. R12 is the bit of the next lower part in memory, R9
// the low width. R11 is the place in the array of the first value for the word, DX for the next
// one, and R8 its end. R15 is the upper part of the last of 64 values, R14 what was found. Z0 has
// the number of the first value of each bucket of the word, Z1 of the last one. Z2 has the lower
// parts, Z4 the zeros before the word, Z6 before the next one. Z10 and Z11 have values of the array
// where K5 is set, Z14 their lower parts, and Z12 their buckets. Z7 has the last values of these
// buckets. Z8 says which value of a bucket is compared, and K6 which buckets have one at all.
TEXT ·packedInArrayAVX512(SB), NOSPLIT, $32-168
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	LEAQ -8(SI)(CX*1), CX
	MOVQ CX, lastWord-8(SP)
	MOVQ word+48(FP), AX
	MOVQ zeros+64(FP), R10
	MOVQ block_base+72(FP), R12
	MOVQ block_len+80(FP), CX
	LEAQ -64(R12)(CX*1), CX
	MOVQ CX, lastLowers-16(SP)
	SHLQ $3, R12
	ADDQ off+96(FP), R12
	MOVQ low+104(FP), R9
	MOVQ lows_base+112(FP), R11
	MOVQ lows_len+120(FP), R8
	ANDQ $-2, R8
	ADDQ R11, R8
	MOVQ R11, DX
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	LEAQ -128(DI)(CX*1), CX
	MOVQ CX, roomEnd-24(SP)
	VMOVQ R9, X23
	VMOVDQU64 lanes64<>(SB), Z31
	MOVL $0x01010101, CX
	VPBROADCASTD CX, Z26
	VPADDB Z31, Z31, Z24     // the lower bytes of 64 lanes
	MOVL $64, CX
	VPBROADCASTB CX, Z30
	MOVL $255, CX
	VPBROADCASTW CX, Z25
	MOVL $7, CX
	VPBROADCASTB CX, Z28
	VPBROADCASTW R9, Z0
	VPANDQ Z31, Z28, Z28     // the number of a lane in its eight
	VPXORQ Z31, Z28, Z29
	VPSRLW $3, Z29, Z29      // that of the eight
	VPMULLW Z0, Z29, Z29
	VPADDB Z28, Z29, Z29
	VPMULLW Z0, Z28, Z28
	MOVL $-1, CX
	BZHIL R9, CX, CX
	VPBROADCASTB CX, Z27
	VPADDB Z26, Z31, Z22
	VPSUBB Z26, Z31, Z21
	KXNORQ K5, K5, K5
	KADDQ K5, K5, K4         // all lanes but the first
	VPBROADCASTW R10, Z6
	XORL R14, R14
	CMPQ R11, R8
	JAE  done
word:
	POPCNTQ AX, BX
	NOTQ AX
	KMOVQ AX, K1
	LEAQ 64(R10), R13
	SUBQ BX, R13
	VMOVDQA64 Z30, Z1
	VPCOMPRESSB Z31, K1, Z1
	VPSUBB Z31, Z1, Z0       // ones before each zero, and then all
	VPSUBB Z22, Z1, Z1
	VPERMB.Z Z0, Z21, K4, Z0
	MOVQ R12, CX
	MOVL R12, AX
	SHRQ $3, CX
	ANDL $7, AX
	VPBROADCASTB AX, Z3
	VPADDB Z28, Z3, Z3
	CMPQ CX, lastLowers-16(SP)
	JHI  near
	VPERMB (CX), Z29, Z2
loaded:
	VPMULTISHIFTQB Z2, Z3, Z2
	VPANDQ Z27, Z2, Z2
	MOVL R13, AX
	SUBL R10, AX
	VPBROADCASTW AX, Z5
	VMOVDQA64 Z6, Z4
	VPADDW Z5, Z6, Z6
	VPACKUSWB Z5, Z5, Z5
	MOVQ R11, AX
	MOVQ R11, DX
	KXNORQ K5, K5, K5
	KXNORQ K7, K7, K7
values:
	LEAQ 128(AX), CX
	CMPQ CX, R8
	JHI  few
	MOVWLZX 126(AX), R15
	SHRXQ R9, R15, R15
	VMOVDQU64 (AX), Z10
	VMOVDQU64 64(AX), Z11
some:
	VPSRLW X23, Z10, Z12
	VPSRLW X23, Z11, Z13
	VPCMPW $1, Z6, Z12, K5, K1
	VPCMPW $1, Z6, Z13, K7, K2
	KMOVD K1, CX
	KMOVD K2, BX
	POPCNTL CX, CX
	POPCNTL BX, BX
	ADDL BX, CX
	LEAQ (DX)(CX*2), DX
	VPSUBW Z4, Z12, Z12
	VPSUBW Z4, Z13, Z13
	VPMINUW Z25, Z12, Z12
	VPMINUW Z25, Z13, Z13
	VPERMT2B Z13, Z24, Z12
	VMOVDQA64 Z10, Z14
	VPERMT2B Z11, Z24, Z14
	VPANDQ Z27, Z14, Z14
	VPCMPUB $2, Z5, Z12, K5, K6
	VPERMB Z1, Z12, Z7
	VPERMB Z0, Z12, Z8
	VPCMPB $2, Z7, Z8, K6, K6
	VPERMB Z2, Z8, Z15
	VPXORQ Z14, Z15, Z15
	NEXTOF
	NEXTOF
	NEXTOF
	VPCMPB $1, Z7, Z8, K6, K2
	KORTESTQ K2, K2
	JNE  more
all:
	VPTESTNMB Z15, Z15, K6, K3
	CMPQ dst_len+8(FP), $0
	JNE  write
	KMOVQ K3, BX
	POPCNTQ BX, BX
	ADDQ BX, R14
written:
	CMPQ R15, R13
	JLE  again
next:
	MOVQ DX, R11
	CMPQ DX, R8
	JAE  done
	LEAQ 64(R10), BX
	SUBQ R13, BX
	IMULQ R9, BX
	ADDQ BX, R12
	MOVQ R13, R10
	CMPQ SI, lastWord-8(SP)
	JGT  passed
	MOVQ (SI), AX
	LEAQ 8(SI), SI
	JNE  word
	ANDQ last+56(FP), AX
	JMP  word
again:
	// The last of the values is of a bucket of the word, or before them, and others may be of one.
	// Those that are not passed are of the bucket that goes on in the next word, which has 128
	// values at most: of an
	// array that has more of them, which is none, each word would meet all.
	ADDQ $128, AX
	CMPQ AX, R8
	JAE  next
	LEAQ 256(DX), CX
	CMPQ AX, CX
	JLS  values
	JMP  next
more:
	NEXTOF
	VPCMPB $1, Z7, Z8, K6, K2
	KORTESTQ K2, K2
	JNE  more
	JMP  all
few:
	MOVL $1<<30, R15
	MOVQ R8, CX
	SUBQ AX, CX
	SHRQ $1, CX
	MOVQ $-1, BX
	BZHIQ CX, BX, BX
	KMOVQ BX, K5
	KSHIFTRQ $32, K5, K7
	VMOVDQU16.Z (AX), K5, Z10
	VMOVDQU16.Z 64(AX), K7, Z11
	JMP  some
near:
	// Less than 64 bytes of the block are left, or none.
	MOVQ lastLowers-16(SP), AX
	SUBQ CX, AX
	MOVL $0, BX
	ADDQ $64, AX
	CMOVQLT BX, AX
	MOVQ $-1, BX
	BZHIQ AX, BX, BX
	KMOVQ BX, K2
	VMOVDQU8.Z (CX), K2, Z2
	VPERMB Z2, Z29, Z2
	JMP  loaded
write:
	CMPQ DI, roomEnd-24(SP)
	JGT  written
	KMOVQ K3, BX
	KSHIFTRQ $32, K3, K2
	VPXOR X8, X8, X8 // as VPCOMPRESSW may wait for it
	VPXOR X9, X9, X9
	VPCOMPRESSW.Z Z10, K3, Z8
	VPCOMPRESSW.Z Z11, K2, Z9
	VMOVDQU64 Z8, (DI)
	POPCNTQ BX, BX
	ADDQ BX, R14
	LEAQ (DI)(BX*2), BX
	MOVQ BX, written-32(SP)
	KMOVD K3, BX
	POPCNTL BX, BX
	VMOVDQU64 Z9, (DI)(BX*2)
	MOVQ written-32(SP), DI
	JMP  written
passed:
	ADDQ $8, SI
done:
	// What has been passed are ones and zeros.
	VZEROUPPER
	MOVQ R14, n+136(FP)
	SUBQ words_base+24(FP), SI
	LEAQ (SI*8), BX
	SUBQ R10, BX
	ADDQ zeros+64(FP), BX
	MOVQ BX, k+144(FP)
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	CMPQ SI, CX
	CMOVQHI CX, SI
	MOVQ SI, read+152(FP)
	SUBQ lows_base+112(FP), DX
	SHRQ $1, DX
	MOVQ DX, used+160(FP)
	RET
