// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The numbers 0 to 127, as bytes.
DATA numbers<>+0(SB)/8, $0x0706050403020100
DATA numbers<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA numbers<>+16(SB)/8, $0x1716151413121110
DATA numbers<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA numbers<>+32(SB)/8, $0x2726252423222120
DATA numbers<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA numbers<>+48(SB)/8, $0x3736353433323130
DATA numbers<>+56(SB)/8, $0x3F3E3D3C3B3A3938
DATA numbers<>+64(SB)/8, $0x4746454443424140
DATA numbers<>+72(SB)/8, $0x4F4E4D4C4B4A4948
DATA numbers<>+80(SB)/8, $0x5756555453525150
DATA numbers<>+88(SB)/8, $0x5F5E5D5C5B5A5958
DATA numbers<>+96(SB)/8, $0x6766656463626160
DATA numbers<>+104(SB)/8, $0x6F6E6D6C6B6A6968
DATA numbers<>+112(SB)/8, $0x7776757473727170
DATA numbers<>+120(SB)/8, $0x7F7E7D7C7B7A7978
GLOBL numbers<>(SB), RODATA|NOPTR, $128

// The first byte of each lane of 32 bits, four times.
DATA firsts<>+0(SB)/8, $0x0404040400000000
DATA firsts<>+8(SB)/8, $0x0C0C0C0C08080808
GLOBL firsts<>(SB), RODATA|NOPTR, $16

// LOWER joins the lower parts that begin at the given bits of the block in Z4 and Z5 to their upper parts. It changes bit.
#define LOWER(bit, upper, out) \
	VPSRLD $3, bit, Z13 \
	VPSHUFB Z26, Z13, Z13 \
	VPADDB Z27, Z13, Z13 \
	VPERMI2B Z5, Z4, Z13 \
	VPANDD Z25, bit, bit \
	VPSRLVD bit, Z13, Z13 \
	VPANDD Z14, Z13, Z13 \
	VPORD Z13, upper, out

// VALUES decodes up to 32 values of the block of CX bytes, at most 128, at SI, whose upper part has DX bits, at most 128, and whose low width is BX: the first sixteen to out, the others to more. The block is in two
// registers: the place of a one, less the number of ones before it, is an upper part. VPCOMPRESSB gives the places of each word of the upper part, VPEXPANDB puts the second word's behind the first one's, and the four
// bytes that a lower part begins in are brought to its lane by VPERMI2B.
#define VALUES(out, more) \
	MOVQ $-1, R11 \
	BZHIQ CX, R11, AX \
	KMOVQ AX, K1 \
	XORL R12, R12 \
	SUBQ $64, CX \
	CMOVQLT R12, CX \
	BZHIQ CX, R11, AX \
	KMOVQ AX, K2 \
	VMOVDQU8.Z (SI), K1, Z4 \
	VMOVDQU8.Z 64(SI), K2, Z5 \
	BZHIQ BX, R11, AX \
	VPBROADCASTD AX, Z14 \
	VMOVQ X4, AX \
	BZHIQ DX, AX, AX \
	VPEXTRQ $1, X4, R13 \
	MOVQ DX, CX \
	SUBQ $64, CX \
	CMOVQLT R12, CX \
	BZHIQ CX, R13, R13 \
	KMOVQ AX, K1 \
	KMOVQ R13, K2 \
	POPCNTQ AX, CX \
	SHLXQ CX, R11, R11 \
	KMOVQ R11, K3 \
	VPXOR X6, X6, X6 \
	VPXOR X7, X7, X7 \
	VPCOMPRESSB.Z Z31, K1, Z6 \
	VPCOMPRESSB.Z Z29, K2, Z7 \
	VPEXPANDB Z7, K3, Z6 \
	VPSUBB Z31, Z6, Z6 \
	VEXTRACTI128 $1, Y6, X7 \
	VPMOVZXBD X6, Z6 \
	VPMOVZXBD X7, Z7 \
	VMOVQ BX, X8 \
	VPSLLD X8, Z6, Z6 \
	VPSLLD X8, Z7, Z7 \
	VPBROADCASTD BX, Z9 \
	VPBROADCASTD DX, Z10 \
	VPMULLD Z9, Z30, Z11 \
	VPADDD Z10, Z11, Z11 \
	VPSLLD $4, Z9, Z12 \
	VPADDD Z12, Z11, Z12 \
	LOWER(Z11, Z6, out) \
	LOWER(Z12, Z7, more)

// func packedPairLongAVX512(few, many *Packed, fewUpper, manyUpper int) int
//
// As packedPairAVX512 (packedpair_amd64.s), for values of 32 bits: those of the longer list stay in two registers.
TEXT ·packedPairLongAVX512(SB), NOSPLIT, $128-40
	VMOVDQU64 numbers<>(SB), Z31
	VMOVDQU64 numbers<>+64(SB), Z29
	VPMOVZXBD X31, Z30
	MOVL $0x03020100, AX
	VPBROADCASTD AX, Z27
	VBROADCASTI32X4 firsts<>(SB), Z26
	MOVL $7, AX
	VPBROADCASTD AX, Z25
	MOVQ few+0(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), CX
	MOVQ Packed_Low(DI), BX
	MOVQ fewUpper+16(FP), DX
	VALUES(Z0, Z1)
	LEAQ values-128(SP), R8
	VMOVDQU64 Z0, (R8)
	VMOVDQU64 Z1, 64(R8)
	MOVQ Packed_N(DI), R9
	MOVQ many+8(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), CX
	MOVQ Packed_Low(DI), BX
	MOVQ manyUpper+24(FP), DX
	VALUES(Z2, Z3)
	MOVQ Packed_N(DI), R10
	KXORW K3, K3, K3
	KXORW K4, K4, K4
	KXORW K5, K5, K5
	KXORW K6, K6, K6
	LEAQ -4(R8)(R9*4), R9
	CMPQ R8, R9
	JAE  odd
two:
	VPCMPEQD.BCST (R8), Z2, K1
	VPCMPEQD.BCST (R8), Z3, K2
	KORW K1, K3, K3
	KORW K2, K4, K4
	VPCMPEQD.BCST 4(R8), Z2, K1
	VPCMPEQD.BCST 4(R8), Z3, K2
	KORW K1, K5, K5
	KORW K2, K6, K6
	ADDQ $8, R8
	CMPQ R8, R9
	JB   two
	JNE  done // their number was even; what stands behind the values is no value, but may look like one
odd:
	VPCMPEQD.BCST (R8), Z2, K1
	VPCMPEQD.BCST (R8), Z3, K2
	KORW K1, K3, K3
	KORW K2, K4, K4
done:
	KORW K5, K3, K3
	KORW K6, K4, K4
	KUNPCKWD K3, K4, K3
	KMOVD K3, AX
	BZHIL R10, AX, AX
	POPCNTL AX, AX
	MOVQ few+0(FP), DI
	MOVQ Packed_N(DI), R9
	CMPQ AX, R9
	CMOVQGT R9, AX // bytes that are no block may have a value more than once
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET
