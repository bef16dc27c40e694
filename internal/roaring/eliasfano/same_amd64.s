// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Of blocks of the same low width, the same number of buckets of both is taken at a time: as many
// as have 57 bits of upper part in each. A value of the one has as many zeros before it in these
// bits as its bucket has before it, and the zero
// of that number in the other has as many ones before it as end its bucket there. All of it is
// bytes, up to 57 values of each: VPCOMPRESSB gives the places of ones and zeros, and VPERMB the
// values of a bucket, the first of all buckets at
// once, then the second, and so on.

// sames has 0 to 63; sameEnds too, but with 0 for the last.
DATA sames<>+0(SB)/8, $0x0706050403020100
DATA sames<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA sames<>+16(SB)/8, $0x1716151413121110
DATA sames<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA sames<>+32(SB)/8, $0x2726252423222120
DATA sames<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA sames<>+48(SB)/8, $0x3736353433323130
DATA sames<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL sames<>(SB), RODATA|NOPTR, $64

DATA sameEnds<>+0(SB)/8, $0x0706050403020100
DATA sameEnds<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA sameEnds<>+16(SB)/8, $0x1716151413121110
DATA sameEnds<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA sameEnds<>+32(SB)/8, $0x2726252423222120
DATA sameEnds<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA sameEnds<>+48(SB)/8, $0x3736353433323130
DATA sameEnds<>+56(SB)/8, $0x003E3D3C3B3A3938
GLOBL sameEnds<>(SB), RODATA|NOPTR, $64

// sames57 has 57 ones.
DATA sames57<>+0(SB)/8, $0x01FFFFFFFFFFFFFF
GLOBL sames57<>(SB), RODATA|NOPTR, $8

// BITS makes word the ones of the next 57 bits of an upper part, from bit at of block on, which
// lies before bit upper. What is beyond is zeros. It changes CX, and leaves 57 in DX.
#define BITS(block, at, upper, word) \
	MOVQ upper, CX \
	SUBQ at, CX \
	JLE  done \
	MOVL $57, DX \
	CMPQ CX, DX \
	CMOVQHI DX, CX \
	MOVQ at, R14 \
	SHRQ $3, R14 \
	MOVQ (block)(R14*1), word \
	MOVQ at, R14 \
	ANDL $7, R14 \
	SHRXQ R14, word, word \
	BZHIQ CX, word, word

// LOWERS leaves 64 lower parts in out; the first begins at bit at of block. If less than 64 bytes
// are left, it reads only the bytes before end. It changes AX, BX, CX, Z3 and K5.
#define LOWERS(block, at, end, out, near, loaded) \
	MOVQ at, CX \
	MOVQ at, AX \
	SHRQ $3, CX \
	ANDL $7, AX \
	VPBROADCASTB AX, Z3 \
	VPADDB Z28, Z3, Z3 \
	MOVQ end, BX \
	LEAQ 64(block)(CX*1), AX \
	SUBQ AX, BX \
	JLT  near \
	VPERMB (block)(CX*1), Z29, out \
loaded: \
	VPMULTISHIFTQB out, Z3, out \
	VPANDQ Z27, out, out

// NEAR loads what is left for LOWERS: BX is less than zero.
#define NEAR(block, out, loaded) \
	ADDQ $64, BX \
	MOVL $0, AX \
	CMOVQLT AX, BX \
	MOVQ $-1, AX \
	BZHIQ BX, AX, AX \
	KMOVQ AX, K5 \
	VMOVDQU8.Z (block)(CX*1), K5, out \
	VPERMB out, Z29, out \
	JMP  loaded

// CANDIDATE moves on to the next value of the bucket of each value of a in b, or stays at its last
// one, and leaves in Z10 the least difference of all so far.
#define CANDIDATE \
	VPADDB Z26, Z6, Z6 \
	VPMINUB Z5, Z6, Z6 \
	VPERMB Z4, Z6, Z7 \
	VPXORQ Z2, Z7, Z7 \
	VPMINUB Z7, Z10, Z10

// func packedSameAVX512(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext,
// done int)
//
// Of a and b: SI and R8 are the blocks, R9 and R10 the bits of the upper part at which the next
// bucket begins, R11 and R12 those of the next lower parts. R13 is the low width, R15 the number of
// buckets that are taken. Z0 has the buckets of the
// values of a, Z2 and Z4 the lower parts of both, Z5 the ends of the buckets in b, Z6 which value
// of these is the next.
TEXT ·packedSameAVX512(SB), NOSPLIT, $48-96
	MOVQ a+24(FP), AX
	MOVQ Iter_block(AX), SI
	MOVQ (Iter_block+8)(AX), BX
	ADDQ SI, BX
	MOVQ BX, aEnd-8(SP)
	MOVQ Iter_low(AX), R13
	MOVQ aAt+40(FP), R9
	MOVQ Iter_i(AX), R11
	MOVQ R9, BX
	SUBQ R11, BX
	MOVQ BX, zeros-24(SP)
	IMULQ R13, R11
	MOVQ Iter_upper(AX), BX
	ADDQ BX, R11
	MOVQ BX, aUpper-40(SP)
	MOVQ b+32(FP), AX
	MOVQ Iter_block(AX), R8
	MOVQ (Iter_block+8)(AX), BX
	ADDQ R8, BX
	MOVQ BX, bEnd-16(SP)
	MOVQ bAt+48(FP), R10
	MOVQ Iter_i(AX), R12
	IMULQ R13, R12
	MOVQ Iter_upper(AX), BX
	ADDQ BX, R12
	MOVQ BX, bUpper-48(SP)
	MOVQ $0, n+64(FP)
	MOVQ buckets+56(FP), AX
	MOVQ AX, done+88(FP)
	MOVQ dst_base+0(FP), AX
	MOVQ dst_len+8(FP), BX
	LEAQ (AX)(BX*4), BX
	MOVQ BX, dstEnd-32(SP)
	VMOVQ R13, X25
	VMOVDQU64 sames<>(SB), Z31
	VMOVDQU64 sameEnds<>(SB), Z30
	MOVL $0x01010101, AX
	VPBROADCASTD AX, Z26
	VPBROADCASTW R13, Z24
	MOVL $0x07070707, AX
	VPBROADCASTD AX, Z0
	VPANDQ Z31, Z0, Z28      // the number of a lane in its eight
	VPXORQ Z31, Z28, Z29
	VPSRLW $3, Z29, Z29      // that of the eight
	VPMULLW Z24, Z29, Z29
	VPADDB Z28, Z29, Z29
	VPMULLW Z24, Z28, Z28
	MOVL $-1, AX
	BZHIL R13, AX, AX
	VPBROADCASTB AX, Z27
loop:
	// Where both have 57 bits left, and as many buckets are wanted, what a step waits for is
	// little.
	LEAQ 57(R9), CX
	LEAQ 57(R10), DX
	CMPQ CX, aUpper-40(SP)
	JGT  careful
	CMPQ DX, bUpper-48(SP)
	JGT  careful
	CMPQ buckets+56(FP), $57
	JLT  careful
	MOVQ R9, CX
	MOVL R9, AX
	SHRQ $3, CX
	ANDL $7, AX
	MOVQ R10, DX
	MOVL R10, BX
	SHRQ $3, DX
	ANDL $7, BX
	SHRXQ AX, (SI)(CX*1), AX
	SHRXQ BX, (R8)(DX*1), BX
	ANDNQ sames57<>(SB), AX, CX
	ANDNQ sames57<>(SB), BX, DX
	POPCNTQ CX, R15
	POPCNTQ DX, DI
	CMPQ DI, R15
	CMOVQCS DI, R15
	MOVL $1, R14
	LEAQ -1(R15), DI
	TESTQ R15, R15
	JE   many
	SHLXQ DI, R14, R14
taken:
	PDEPQ CX, R14, CX
	PDEPQ DX, R14, DX
	// CX and DX are the zero that ends the last bucket. DI and R14 become the values before it.
	TZCNTQ CX, DI
	TZCNTQ DX, R14
	LEAQ 1(R9)(DI*1), R9
	LEAQ 1(R10)(R14*1), R10
	SUBQ R15, DI
	SUBQ R15, R14
	INCQ DI
	INCQ R14
	DECQ CX
	ANDQ CX, AX
	KMOVQ AX, K1
	KMOVQ BX, K2
	KNOTQ K2, K2
	MOVQ $-1, AX
	BZHIQ DI, AX, AX
	KMOVQ AX, K6
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPXOR X1, X1, X1 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPSUBB Z31, Z0, Z0
	VPCOMPRESSB.Z Z31, K2, Z1
	VPSUBB Z30, Z1, Z1       // ones before each zero of b
	LOWERS(SI, R11, aEnd-8(SP), Z2, nearA, loadedA)
	LOWERS(R8, R12, bEnd-16(SP), Z4, nearB, loadedB)
	IMULQ R13, DI
	IMULQ R13, R14
	ADDQ DI, R11
	ADDQ R14, R12
	VPSUBB Z26, Z0, Z6
	VPERMB Z1, Z6, Z6
	VPSUBB Z26, Z1, Z1
	VPERMB Z1, Z0, Z5
	VPCMPB $2, Z5, Z6, K6, K6
	VPERMB Z4, Z6, Z10
	VPXORQ Z2, Z10, Z10
	CANDIDATE
	CANDIDATE
	CANDIDATE
	VPCMPB $1, Z5, Z6, K6, K2
	KORTESTQ K2, K2
	JNE  more
all:
	VPTESTNMB Z10, Z10, K6, K4
	KMOVQ K4, AX
	POPCNTQ AX, AX
	ADDQ AX, n+64(FP)
	CMPQ dst_len+8(FP), $0
	JNE  write
next:
	ADDQ R15, zeros-24(SP)
	SUBQ R15, buckets+56(FP)
	JMP  loop
more:
	CANDIDATE
	VPCMPB $1, Z5, Z6, K6, K2
	KORTESTQ K2, K2
	JNE  more
	JMP  all
careful:
	CMPQ buckets+56(FP), $0
	JLE  done
	BITS(SI, R9, aUpper-40(SP), AX)
	BITS(R8, R10, bUpper-48(SP), BX)
	MOVQ AX, CX
	NOTQ CX
	BZHIQ DX, CX, CX
	MOVQ BX, DI
	NOTQ DI
	BZHIQ DX, DI, DX
	POPCNTQ CX, R15
	POPCNTQ DX, DI
	CMPQ DI, R15
	CMOVQCS DI, R15
	MOVQ buckets+56(FP), DI
	CMPQ DI, R15
	CMOVQCS DI, R15
	LEAQ -1(R15), DI
	TESTQ R15, R15
	JE   many
	MOVL $1, R14
	SHLXQ DI, R14, R14
	JMP  taken
nearA:
	NEAR(SI, Z2, loadedA)
nearB:
	NEAR(R8, Z4, loadedB)
write:
	// AX values, sixteen at a time: mostly there is room for sixteen, even if fewer are left.
	MOVQ dst_base+0(FP), DI
	LEAQ (DI)(AX*4), BX
	CMPQ BX, dstEnd-32(SP)
	JHI  many
	MOVQ BX, dst_base+0(FP)
	VPXOR X8, X8, X8 // as VPCOMPRESSB may wait for it
	VPXOR X9, X9, X9
	VPCOMPRESSB.Z Z0, K4, Z8
	VPCOMPRESSB.Z Z2, K4, Z9
	VPBROADCASTD zeros-24(SP), Z1
	CMPQ AX, $16
	JHI  sixteen
	LEAQ 64(DI), BX
	CMPQ BX, dstEnd-32(SP)
	JHI  sixteen
	VPMOVZXBD X8, Z4
	VPMOVZXBD X9, Z5
	VPADDD Z1, Z4, Z4
	VPSLLD X25, Z4, Z4
	VPORD Z5, Z4, Z4
	VMOVDQU32 Z4, (DI)
	JMP  next
sixteen:
	MOVL $-1, CX
	BZHIL AX, CX, CX
	KMOVW CX, K1
	VPMOVZXBD X8, Z4
	VPMOVZXBD X9, Z5
	VPADDD Z1, Z4, Z4
	VPSLLD X25, Z4, Z4
	VPORD Z5, Z4, Z4
	VMOVDQU32 Z4, K1, (DI)
	VALIGNQ $2, Z8, Z8, Z8
	VALIGNQ $2, Z9, Z9, Z9
	ADDQ $64, DI
	SUBQ $16, AX
	JHI  sixteen
	JMP  next
many:
	MOVQ $-1, n+64(FP)
done:
	VZEROUPPER
	MOVQ R9, aNext+72(FP)
	MOVQ R10, bNext+80(FP)
	MOVQ buckets+56(FP), AX
	SUBQ AX, done+88(FP)
	RET
