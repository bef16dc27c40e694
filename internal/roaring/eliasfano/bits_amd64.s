// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Values are looked up a word of the upper part at a time, as bytes. The place of a one less the
// ones before it is the number of its bucket from the first on. Lower parts are fetched as by
// packedSameAVX512. Both together are a place in the bits of these buckets, two to eight vectors.
// VPERMT2B takes the bytes of the values from two of them at a time.

DATA bits64<>+0(SB)/8, $0x0706050403020100
DATA bits64<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA bits64<>+16(SB)/8, $0x1716151413121110
DATA bits64<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA bits64<>+32(SB)/8, $0x2726252423222120
DATA bits64<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA bits64<>+48(SB)/8, $0x3736353433323130
DATA bits64<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL bits64<>(SB), RODATA|NOPTR, $64

// VECTORS looks values up in the two vectors of bits at CX whose first bucket is FIRST.
#define VECTORS(at, FIRST) \
	VPCMPUB $5, FIRST, Z0, K2 \
	VMOVDQU64 at(CX), Z7 \
	VPERMT2B (at+64)(CX), Z3, Z7 \
	VMOVDQU8 Z7, K2, Z6

// func packedInBitsAVX512(dst, words []byte, word, last uint64, zeros int, block []byte, off int,
// low uint, bits []byte) (n, k, read int, left uint64)
//
// AX is the word, BX the number of its ones that are taken; R10 the number of buckets before it, R8
// that of all, R12 the bit of the next lower part, R9 the low width. R13 is the rest of the word
// when not all of it is taken, R14 what was found. Z0 has the buckets of the values from DX on, Z2
// their lower parts, Z3 the places of their
// bytes, Z5 the bits in these, Z6 the bytes. Z17, Z19 and Z21 are the first buckets of the other
// pairs of vectors.
TEXT ·packedInBitsAVX512(SB), 0, $1072-168
	MOVQ words_base+24(FP), SI
	MOVQ words_len+32(FP), CX
	ANDQ $-8, CX
	LEAQ -8(SI)(CX*1), CX
	MOVQ CX, lastWord-8(SP)
	MOVQ word+48(FP), AX
	MOVQ zeros+64(FP), R10
	MOVQ block_base+72(FP), R15
	MOVQ block_len+80(FP), CX
	SUBQ $64, CX
	MOVQ CX, lastLowers-16(SP)
	MOVQ off+96(FP), R12
	MOVQ low+104(FP), R9
	MOVQ bits_base+112(FP), R11
	MOVQ bits_len+120(FP), R8
	MOVQ dst_base+0(FP), CX
	ADDQ dst_len+8(FP), CX
	SUBQ $128, CX
	MOVQ CX, roomEnd-32(SP)
	VMOVQ R9, X15
	LEAQ -3(R9), CX
	VMOVQ CX, X23
	MOVL $64, DX
	SHLXQ CX, DX, BX
	SHRXQ CX, DX, DX
	LEAQ (R11)(R8*1), CX
	SUBQ BX, CX
	MOVQ CX, lastBits-24(SP)
	SHLQ $3, R8
	SHRXQ R9, R8, R8
	SHLL $1, DX
	VPBROADCASTB DX, Z17
	VPADDB Z17, Z17, Z19
	VPADDB Z17, Z19, Z21
	DECL DX
	VPBROADCASTB DX, Z24
	MOVL $7, DX
	VPBROADCASTB DX, Z25
	MOVQ $0x8040201008040201, DX
	VPBROADCASTQ DX, Z26
	VMOVDQU64 bits64<>(SB), Z31
	VPBROADCASTW R9, Z30
	VPANDQ Z31, Z25, Z28
	VPXORQ Z31, Z28, Z29
	VPSRLW $3, Z29, Z29
	VPMULLW Z30, Z29, Z29
	VPADDB Z28, Z29, Z29
	VPMULLW Z30, Z28, Z28
	MOVL $-1, DX
	BZHIL R9, DX, DX
	VPBROADCASTB DX, Z27
	// What fetches the lower parts that begin at each bit of a byte.
	MOVL $1, DX
	VPBROADCASTB DX, Z1
	VMOVDQU64 Z28, controls-1064(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-1000(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-936(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-872(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-808(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-744(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-680(SP)
	VPADDB Z1, Z28, Z28
	VMOVDQU64 Z28, controls-616(SP)
	XORL R13, R13
	XORL R14, R14
	CMPQ R9, $4
	JEQ  begin
word:
	POPCNTQ AX, BX
	LEAQ 64(R10), DX
	SUBQ BX, DX
	CMPQ DX, R8
	JGE  cut
taken:
	TZCNTQ AX, DX
	SHRXQ DX, AX, AX
	KMOVQ AX, K1
	MOVQ $-1, AX
	BZHIQ BX, AX, AX
	KMOVQ AX, K4
	ADDQ R10, DX
	MOVQ R12, CX
	MOVL R12, DI
	SHRQ $3, CX
	ANDL $7, DI
	SHLL $6, DI
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPSUBB Z31, Z0, Z0
	CMPQ CX, lastLowers-16(SP)
	JGT  near
	VPERMB (R15)(CX*1), Z29, Z2
loaded:
	VMOVDQU64 controls-1064(SP)(DI*1), Z1
	VPMULTISHIFTQB Z2, Z1, Z2
	VPANDQ Z27, Z2, Z2
	SHLXQ R9, DX, CX
	SHRQ $3, CX
	ADDQ R11, CX
	CMPQ CX, lastBits-24(SP)
	JHI  edge
vectors:
	VPSRLW $3, Z2, Z3
	VPANDQ Z24, Z0, Z4
	VPSLLW X23, Z4, Z4
	VPTERNLOGD $0xEA, Z4, Z25, Z3
	VPSHUFB Z2, Z26, Z5
	CMPQ R9, $4
	JB   one
	VMOVDQU64 (CX), Z6
	VPERMT2B 64(CX), Z3, Z6
	JNE  more
looked:
	VPTESTMB Z5, Z6, K4, K3
	KMOVQ K3, DI
	POPCNTQ DI, CX
	ADDQ CX, R14
	CMPQ dst_len+8(FP), $0
	JNE  write
next:
	ADDQ $64, R10
	SUBQ BX, R10
	IMULQ R9, BX
	ADDQ BX, R12
	CMPQ SI, lastWord-8(SP)
	JGT  done
	MOVQ (SI), AX
	LEAQ 8(SI), SI
	JNE  word
	ANDQ last+56(FP), AX
	JMP  word
one:
	VPERMB (CX), Z3, Z6
	JMP  looked
more:
	CMPQ R9, $5
	JE   five
	VECTORS(128, Z17)
	VECTORS(256, Z19)
	CMPQ BX, $16
	JHI  looked
	VECTORS(384, Z21)
	JMP  looked
five:
	CMPQ BX, $16
	JLS  four
	VPCMPUB $5, Z17, Z0, K2
	VPERMB 128(CX), Z3, K2, Z6
	JMP  looked
four:
	VECTORS(128, Z17)
	JMP  looked
cut:
	// The end lies in this word: only what stands before zero number end, counted from 1, is taken,
	// and then no other word.
	MOVQ AX, R13
	MOVQ R8, DX
	SUBQ R10, DX
	DECQ DX
	JLT  none
	MOVQ AX, CX
	NOTQ CX
	XORL DI, DI
	BTSQ DX, DI
	PDEPQ CX, DI, DI
	DECQ DI
	ANDQ DI, AX
	NOTQ DI
	POPCNTQ AX, BX
	ANDQ DI, R13
	JEQ  taken
	MOVQ $-1, lastWord-8(SP)
	JMP  taken
none:
	XORL BX, BX
	TESTQ R13, R13
	JEQ  next
	ADDQ $64, R10
	JMP  done
near:
	// Less than 64 bytes of the block are left, or none.
	MOVQ DX, first-40(SP)
	MOVQ lastLowers-16(SP), AX
	SUBQ CX, AX
	MOVL $0, DX
	ADDQ $64, AX
	CMOVQLT DX, AX
	MOVQ $-1, DX
	BZHIQ AX, DX, DX
	KMOVQ DX, K2
	MOVQ first-40(SP), DX
	VMOVDQU8.Z (R15)(CX*1), K2, Z2
	VPERMB Z2, Z29, Z2
	JMP  loaded
edge:
	// Fewer bits than may be looked at are left: they are copied, with zeros behind them.
	MOVQ bits_base+112(FP), DI
	ADDQ bits_len+120(FP), DI
	SUBQ CX, DI
	JLE  next
	LEAQ tail-552(SP), AX
	VPXORQ Z7, Z7, Z7
	VMOVDQU64 Z7, (AX)
	VMOVDQU64 Z7, 64(AX)
	VMOVDQU64 Z7, 128(AX)
	VMOVDQU64 Z7, 192(AX)
	VMOVDQU64 Z7, 256(AX)
	VMOVDQU64 Z7, 320(AX)
	VMOVDQU64 Z7, 384(AX)
	VMOVDQU64 Z7, 448(AX)
whole:
	CMPQ DI, $64
	JB   rest
	VMOVDQU64 (CX), Z7
	VMOVDQU64 Z7, (AX)
	ADDQ $64, CX
	ADDQ $64, AX
	SUBQ $64, DI
	JMP  whole
rest:
	MOVQ DX, first-40(SP)
	MOVQ $-1, DX
	BZHIQ DI, DX, DX
	KMOVQ DX, K2
	MOVQ first-40(SP), DX
	VMOVDQU8.Z (CX), K2, Z7
	VMOVDQU8 Z7, K2, (AX)
	LEAQ tail-552(SP), CX
	JMP  vectors
write:
	// The CX values of the lanes in DI.
	VPXOR X8, X8, X8 // as VPCOMPRESSB may wait for it
	VPXOR X9, X9, X9
	MOVQ dst_base+0(FP), DI
	CMPQ DI, roomEnd-32(SP)
	JHI  full
	VPCOMPRESSB.Z Z0, K3, Z8
	VPCOMPRESSB.Z Z2, K3, Z9
	VPBROADCASTW DX, Z7
	VPMOVZXBW Y8, Z3
	VPMOVZXBW Y9, Z4
	VPADDW Z7, Z3, Z3
	VPSLLW X15, Z3, Z3
	VPORQ Z4, Z3, Z3
	VMOVDQU64 Z3, (DI)
	LEAQ (DI)(CX*2), DX
	MOVQ DX, dst_base+0(FP)
	CMPQ CX, $32
	JLS  next
	VEXTRACTI64X4 $1, Z8, Y8
	VEXTRACTI64X4 $1, Z9, Y9
	VPMOVZXBW Y8, Z3
	VPMOVZXBW Y9, Z4
	VPADDW Z7, Z3, Z3
	VPSLLW X15, Z3, Z3
	VPORQ Z4, Z3, Z3
	VMOVDQU64 Z3, 64(DI)
	JMP  next
full:
	SUBQ CX, R14
	JMP  next
begin:
	// Of low width 4 the buckets of a word have 128 bytes of bits, whatever the first of them is.
	// R8 is how many words can be taken without a question: until the last one, and as long as 64
	// bytes are left where lower parts are read and 128 where bits are.
	TESTQ R10, R10
	JLT  word
	MOVQ R8, all-1072(SP)
	MOVQ $-1, R13
	LEAQ tail-552(SP), DX
	ADDQ $63, DX
	ANDQ $-64, DX            // where 64 bytes are in one line of the cache
	MOVL R12, DI
	ANDL $3, DI
	SHLL $6, DI
	VMOVDQU64 controls-1064(SP)(DI*1), Z1
	VMOVDQU64 Z1, (DX)
	VMOVDQU64 controls-808(SP)(DI*1), Z1
	VMOVDQU64 Z1, 64(DX)
again:
	MOVQ lastWord-8(SP), R8
	SUBQ SI, R8
	SARQ $3, R8
	MOVQ lastLowers-16(SP), CX
	SHLQ $3, CX
	SUBQ R12, CX
	SARQ $8, CX
	CMPQ CX, R8
	CMOVQLT CX, R8
	LEAQ (R11)(R10*2), DI
	MOVQ lastBits-24(SP), CX
	SUBQ DI, CX
	SARQ $7, CX
	CMPQ CX, R8
	CMOVQLT CX, R8
	TESTQ R8, R8
	JLE  slow
taken4:
	POPCNTQ AX, BX
	KMOVQ AX, K1
	BZHIQ BX, R13, AX
	KMOVQ AX, K4
	MOVQ R12, CX
	MOVL R12, DI
	SHRQ $3, CX
	ANDL $4, DI
	SHLL $4, DI
	VPXOR X0, X0, X0 // as VPCOMPRESSB may wait for it
	VPCOMPRESSB.Z Z31, K1, Z0
	VPSUBB Z31, Z0, Z0
	VPERMB (R15)(CX*1), Z29, Z2
	VMOVDQU64 (DX)(DI*1), Z1
	VPMULTISHIFTQB Z2, Z1, Z2
	VPANDQ Z27, Z2, Z2
	VPSRLW $3, Z2, Z3
	VPADDB Z0, Z0, Z4
	VPTERNLOGD $0xEA, Z4, Z25, Z3
	VPSHUFB Z2, Z26, Z5
	VMOVDQU64 (R11)(R10*2), Z6
	VPERMT2B 64(R11)(R10*2), Z3, Z6
	VPTESTMB Z5, Z6, K4, K3
	KMOVQ K3, CX
	POPCNTQ CX, CX
	ADDQ CX, R14
	CMPQ dst_len+8(FP), $0
	JNE  list
listed:
	ADDQ $64, R10
	SUBQ BX, R10
	LEAQ (R12)(BX*4), R12
	MOVQ (SI), AX
	ADDQ $8, SI
	DECQ R8
	JNE  taken4
	JMP  again
slow:
	MOVQ all-1072(SP), R8
	XORL R13, R13
	JMP  word
list:
	// As write.
	MOVQ dst_base+0(FP), DI
	CMPQ DI, roomEnd-32(SP)
	JHI  none4
	VPXOR X8, X8, X8
	VPXOR X9, X9, X9
	VPCOMPRESSB.Z Z0, K3, Z8
	VPCOMPRESSB.Z Z2, K3, Z9
	VPBROADCASTW R10, Z7
	VPMOVZXBW Y8, Z3
	VPMOVZXBW Y9, Z4
	VPADDW Z7, Z3, Z3
	VPSLLW $4, Z3, Z3
	VPORQ Z4, Z3, Z3
	VMOVDQU64 Z3, (DI)
	LEAQ (DI)(CX*2), AX
	MOVQ AX, dst_base+0(FP)
	CMPQ CX, $32
	JLS  listed
	VEXTRACTI64X4 $1, Z8, Y8
	VEXTRACTI64X4 $1, Z9, Y9
	VPMOVZXBW Y8, Z3
	VPMOVZXBW Y9, Z4
	VPADDW Z7, Z3, Z3
	VPSLLW $4, Z3, Z3
	VPORQ Z4, Z3, Z3
	VMOVDQU64 Z3, 64(DI)
	JMP  listed
none4:
	SUBQ CX, R14
	JMP  listed
done:
	// What has been passed are ones and zeros.
	VZEROUPPER
	MOVQ R14, n+136(FP)
	SUBQ words_base+24(FP), SI
	MOVQ SI, read+152(FP)
	LEAQ 64(SI*8), BX
	SUBQ R10, BX
	ADDQ zeros+64(FP), BX
	MOVQ BX, k+144(FP)
	MOVQ R13, left+160(FP)
	RET
