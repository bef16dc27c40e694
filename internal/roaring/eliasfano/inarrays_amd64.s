// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The numbers 0 to 63, as bytes.
DATA count<>+0(SB)/8, $0x0706050403020100
DATA count<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA count<>+16(SB)/8, $0x1716151413121110
DATA count<>+24(SB)/8, $0x1F1E1D1C1B1A1918
DATA count<>+32(SB)/8, $0x2726252423222120
DATA count<>+40(SB)/8, $0x2F2E2D2C2B2A2928
DATA count<>+48(SB)/8, $0x3736353433323130
DATA count<>+56(SB)/8, $0x3F3E3D3C3B3A3938
GLOBL count<>(SB), RODATA|NOPTR, $64

// The first byte of each lane of 64 bits, eight times.
DATA firsts<>+0(SB)/8, $0x0000000000000000
DATA firsts<>+8(SB)/8, $0x0808080808080808
GLOBL firsts<>(SB), RODATA|NOPTR, $16

// LOWER joins the lower parts that begin at the given bits of the block to their upper parts. It
// changes bit.
#define LOWER(bit, upper, out) \
	VPSRLQ $3, bit, Z13 \
	VPSHUFB Z26, Z13, Z13 \
	VPADDB Z27, Z13, Z13 \
	VPERMB Z4, Z13, Z13 \
	VPANDQ Z25, bit, bit \
	VPSRLVQ bit, Z13, Z13 \
	VPANDQ Z14, Z13, Z13 \
	VPORQ Z13, upper, out

// VALUES decodes up to sixteen values of the block of CX bytes, at most 64, at SI, whose upper part
// has DX bits, at most 64, and whose low width is BX: the first eight to out, the others to more.
// The block is in one
// register: the place of a one, less the number of ones before it, is an upper part, and the eight
// bytes that a lower part begins in are brought to its lane by VPERMB.
#define VALUES(out, more) \
	MOVQ $-1, AX \
	BZHIQ CX, AX, CX \
	KMOVQ CX, K1 \
	VMOVDQU8.Z (SI), K1, Z4 \
	BZHIQ BX, AX, AX \
	VPBROADCASTQ AX, Z14 \
	VMOVQ X4, AX \
	BZHIQ DX, AX, AX \
	KMOVQ AX, K2 \
	VPCOMPRESSB.Z Z31, K2, Z5 \
	VPMOVZXBQ X5, Z6 \
	VPSRLDQ $8, X5, X5 \
	VPMOVZXBQ X5, Z7 \
	VPSUBQ Z30, Z6, Z6 \
	VPSUBQ Z28, Z7, Z7 \
	VMOVQ BX, X8 \
	VPSLLQ X8, Z6, Z6 \
	VPSLLQ X8, Z7, Z7 \
	VPBROADCASTQ BX, Z9 \
	VPBROADCASTQ DX, Z10 \
	VPMULUDQ Z9, Z30, Z11 \
	VPADDQ Z10, Z11, Z11 \
	VPSLLQ $3, Z9, Z12 \
	VPADDQ Z12, Z11, Z12 \
	LOWER(Z11, Z6, out) \
	LOWER(Z12, Z7, more)

// func packedInArraysAVX512(few *Packed, fewUpper int, a *Arrays) int
//
// Each value of the arrays is compared with all of the list, in Z2 and Z3. SI is the key of a
// container, of R11 bits; SI moves on by the bytes of a key. R8 is eight bytes that its end closes;
// R9 bits precede the end there. R12 are the payloads, R13 their size. DX is where a payload begins
// and BX where it ends. AX is its key, R15 the value that is compared, CX the containers that are
// left.
TEXT ·packedInArraysAVX512(SB), NOSPLIT, $24-32
	VMOVDQU64 count<>(SB), Z31
	VPMOVZXBQ X31, Z30
	MOVL $8, AX
	VPBROADCASTQ AX, Z28
	VPADDQ Z30, Z28, Z28
	VPBROADCASTQ X31, Z27
	VBROADCASTI32X4 firsts<>(SB), Z26
	MOVL $7, AX
	VPBROADCASTQ AX, Z25
	MOVQ few+0(FP), DI
	MOVQ Packed_Block(DI), SI
	MOVQ (Packed_Block+8)(DI), CX
	MOVQ Packed_Low(DI), BX
	MOVQ fewUpper+8(FP), DX
	VALUES(Z2, Z3)
	MOVQ Packed_N(DI), R10
	MOVQ a+16(FP), DI
	MOVQ Arrays_Body(DI), R12
	MOVQ (Arrays_Body+8)(DI), R13
	MOVQ Arrays_Keys(DI), SI
	ADDQ R12, SI
	MOVQ Arrays_KeyBytes(DI), R11
	MOVQ R11, keyBytes-8(SP)
	SHLL $3, R11
	MOVQ Arrays_EndBytes(DI), CX
	MOVQ CX, endBytes-16(SP)
	MOVQ Arrays_Ends(DI), R8
	ADDQ R12, R8
	LEAQ -8(R8)(CX*1), R8
	MOVL $64, R9
	SHLL $3, CX
	SUBL CX, R9
	MOVQ Arrays_Payloads(DI), AX
	ADDQ AX, R12
	SUBQ AX, R13
	MOVQ Arrays_Count(DI), CX
	XORL DX, DX
	KXORB K3, K3, K3
	KXORB K4, K4, K4
container:
	BZHIQ R11, (SI), AX
	SHRXQ R9, (R8), BX
	TESTL $3, BX
	JNE  other
	SHLQ $16, AX
	SHRQ $2, BX
	CMPQ BX, R13
	JHI  passed
	INCQ DX
	CMPQ DX, BX
	JCC  passed
value:
	MOVWQZX -1(R12)(DX*1), R15
	ORQ  AX, R15
	VPBROADCASTQ R15, Z0
	VPCMPEQQ Z0, Z2, K1
	VPCMPEQQ Z0, Z3, K2
	KORB K1, K3, K3
	KORB K2, K4, K4
	ADDQ $2, DX
	CMPQ DX, BX
	JCS  value
passed:
	MOVQ BX, DX
	ADDQ keyBytes-8(SP), SI
	ADDQ endBytes-16(SP), R8
	DECQ CX
	JNE  container
	KMOVB K3, AX
	KMOVB K4, BX
	SHLL $8, BX
	ORL  BX, AX
	BZHIL R10, AX, AX
	POPCNTL AX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
other:
	MOVQ $-1, ret+24(FP)
	VZEROUPPER
	RET
