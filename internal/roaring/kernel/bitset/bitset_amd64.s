// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Words are combined and counted in one pass. With AVX-512 VPOPCNTQ counts eight words at a time;
// with AVX2 a table in a register counts half bytes, as
// VPSHUFB looks up 32 of them at a time (Muła, Kurz, Lemire: Faster Population Counts Using AVX2
// Instructions, 2018), and sums of bytes are
// widened once for 128 bytes.

// ---- AVX-512

// SUM512 adds up the lanes of Z8 to Z11 to AX.
#define SUM512 \
	VPADDQ Z9, Z8, Z8              \
	VPADDQ Z11, Z10, Z10           \
	VPADDQ Z10, Z8, Z8             \
	VEXTRACTI64X4 $1, Z8, Y9       \
	VPADDQ Y9, Y8, Y8              \
	VEXTRACTI128 $1, Y8, X9        \
	VPADDQ X9, X8, X8              \
	VPSRLDQ $8, X8, X9             \
	VPADDQ X9, X8, X8              \
	MOVQ X8, AX

#define ZERO512 \
	VPXORQ Z8, Z8, Z8              \
	VPXORQ Z9, Z9, Z9              \
	VPXORQ Z10, Z10, Z10           \
	VPXORQ Z11, Z11, Z11

// COUNT512 adds the ones of each word of Z0 to Z3 to Z8 to Z11.
#define COUNT512 \
	VPOPCNTQ Z0, Z0                \
	VPOPCNTQ Z1, Z1                \
	VPOPCNTQ Z2, Z2                \
	VPOPCNTQ Z3, Z3                \
	VPADDQ Z0, Z8, Z8              \
	VPADDQ Z1, Z9, Z9              \
	VPADDQ Z2, Z10, Z10            \
	VPADDQ Z3, Z11, Z11

// COMBINE512 combines the 256 bytes at SI + CX with those at DX + CX.
#define COMBINE512(OP) \
	VMOVDQU64 (DX)(CX*1), Z0       \
	VMOVDQU64 64(DX)(CX*1), Z1     \
	VMOVDQU64 128(DX)(CX*1), Z2    \
	VMOVDQU64 192(DX)(CX*1), Z3    \
	OP (SI)(CX*1), Z0, Z0          \
	OP 64(SI)(CX*1), Z1, Z1        \
	OP 128(SI)(CX*1), Z2, Z2       \
	OP 192(SI)(CX*1), Z3, Z3

#define STORE512 \
	VMOVDQU64 Z0, (DI)(CX*1)       \
	VMOVDQU64 Z1, 64(DI)(CX*1)     \
	VMOVDQU64 Z2, 128(DI)(CX*1)    \
	VMOVDQU64 Z3, 192(DI)(CX*1)

#define NEXT256 \
	ADDQ $256, CX                  \
	CMPQ CX, $8192                 \
	JB   loop

// WRITE512 is the body of a kernel that writes a combination and returns its number of ones.
#define WRITE512(OP) \
	MOVQ dst+0(FP), DI             \
	MOVQ a+8(FP), SI               \
	MOVQ b+16(FP), DX              \
	XORL CX, CX                    \
	ZERO512                        \
loop:                              \
	COMBINE512(OP)                 \
	STORE512                       \
	COUNT512                       \
	NEXT256                        \
	SUM512                         \
	VZEROUPPER                     \
	MOVQ AX, ret+24(FP)            \
	RET

// INTO512 is the body of a kernel that changes dst and does not count.
#define INTO512(OP) \
	MOVQ dst+0(FP), DX             \
	MOVQ a+8(FP), SI               \
	XORL CX, CX                    \
loop:                              \
	VMOVDQU64 (SI)(CX*1), Z0       \
	VMOVDQU64 64(SI)(CX*1), Z1     \
	VMOVDQU64 128(SI)(CX*1), Z2    \
	VMOVDQU64 192(SI)(CX*1), Z3    \
	OP (DX)(CX*1), Z0, Z0          \
	OP 64(DX)(CX*1), Z1, Z1        \
	OP 128(DX)(CX*1), Z2, Z2       \
	OP 192(DX)(CX*1), Z3, Z3       \
	VMOVDQU64 Z0, (DX)(CX*1)       \
	VMOVDQU64 Z1, 64(DX)(CX*1)     \
	VMOVDQU64 Z2, 128(DX)(CX*1)    \
	VMOVDQU64 Z3, 192(DX)(CX*1)    \
	NEXT256                        \
	VZEROUPPER                     \
	RET

// func bitsetAndAVX512(dst, a, b *Words) int
TEXT ·bitsetAndAVX512(SB), NOSPLIT, $0-32
	WRITE512(VPANDQ)

// func bitsetOrAVX512(dst, a, b *Words) int
TEXT ·bitsetOrAVX512(SB), NOSPLIT, $0-32
	WRITE512(VPORQ)

// func bitsetAndNotAVX512(dst, a, b *Words) int
TEXT ·bitsetAndNotAVX512(SB), NOSPLIT, $0-32
	WRITE512(VPANDNQ)

// func bitsetXorAVX512(dst, a, b *Words) int
TEXT ·bitsetXorAVX512(SB), NOSPLIT, $0-32
	WRITE512(VPXORQ)

// func orIntoAVX512(dst, a *Words)
TEXT ·orIntoAVX512(SB), NOSPLIT, $0-16
	INTO512(VPORQ)

// func xorIntoAVX512(dst, a *Words)
TEXT ·xorIntoAVX512(SB), NOSPLIT, $0-16
	INTO512(VPXORQ)

// func andNotIntoAVX512(dst, a *Words)
TEXT ·andNotIntoAVX512(SB), NOSPLIT, $0-16
	INTO512(VPANDNQ)

// func bitsetAndLenAVX512(a, b *Words) int
TEXT ·bitsetAndLenAVX512(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	XORL CX, CX
	ZERO512
loop:
	COMBINE512(VPANDQ)
	COUNT512
	NEXT256
	SUM512
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET

// func onesAVX512(words []byte) int
TEXT ·onesAVX512(SB), NOSPLIT, $0-32
	MOVQ words_base+0(FP), SI
	MOVQ words_len+8(FP), CX
	ZERO512
	SUBQ $256, CX
	JB   few
loop:
	VPOPCNTQ (SI), Z0
	VPOPCNTQ 64(SI), Z1
	VPOPCNTQ 128(SI), Z2
	VPOPCNTQ 192(SI), Z3
	VPADDQ Z0, Z8, Z8
	VPADDQ Z1, Z9, Z9
	VPADDQ Z2, Z10, Z10
	VPADDQ Z3, Z11, Z11
	ADDQ $256, SI
	SUBQ $256, CX
	JAE  loop
few:
	ADDQ $192, CX
	JL   last
vector:
	VPOPCNTQ (SI), Z0
	VPADDQ Z0, Z8, Z8
	ADDQ $64, SI
	SUBQ $64, CX
	JGE  vector
last:
	// CX is the number of bytes that are left, less 64: only whole words of them count.
	ADDQ $64, CX
	SHRQ $3, CX
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVB AX, K1
	VMOVDQU64.Z (SI), K1, Z0
	VPOPCNTQ Z0, Z0
	VPADDQ Z0, Z9, Z9
	SUM512
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// ---- AVX2

DATA halfByteOnes<>+0(SB)/8, $0x0302020102010100
DATA halfByteOnes<>+8(SB)/8, $0x0403030203020201
GLOBL halfByteOnes<>(SB), RODATA|NOPTR, $16

// BEGIN2 loads what COUNT2 needs: a table of the ones of half bytes to Y14, a mask of half bytes to
// Y15, zero to Y13 and Y12, the sum.
#define BEGIN2 \
	VBROADCASTI128 halfByteOnes<>(SB), Y14 \
	VPCMPEQB Y15, Y15, Y15         \
	VPSRLW $12, Y15, Y15           \
	VPACKUSWB Y15, Y15, Y15        \
	VPXOR Y13, Y13, Y13            \
	VPXOR Y12, Y12, Y12

// COUNT2 leaves in IN the number of ones of each of its bytes. It uses T.
#define COUNT2(IN, T) \
	VPSRLW $4, IN, T               \
	VPAND Y15, IN, IN              \
	VPAND Y15, T, T                \
	VPSHUFB IN, Y14, IN            \
	VPSHUFB T, Y14, T              \
	VPADDB T, IN, IN

// ADD2 adds up the bytes of Y0 to Y3, which have at most 8 each, to Y12.
#define ADD2 \
	VPADDB Y1, Y0, Y0              \
	VPADDB Y3, Y2, Y2              \
	VPADDB Y2, Y0, Y0              \
	VPSADBW Y13, Y0, Y0            \
	VPADDQ Y0, Y12, Y12

#define SUM2 \
	VEXTRACTI128 $1, Y12, X0       \
	VPADDQ X0, X12, X12            \
	VPSRLDQ $8, X12, X0            \
	VPADDQ X0, X12, X12            \
	MOVQ X12, AX

#define COMBINE2(OP) \
	VMOVDQU (DX)(CX*1), Y0         \
	VMOVDQU 32(DX)(CX*1), Y1       \
	VMOVDQU 64(DX)(CX*1), Y2       \
	VMOVDQU 96(DX)(CX*1), Y3       \
	OP (SI)(CX*1), Y0, Y0          \
	OP 32(SI)(CX*1), Y1, Y1        \
	OP 64(SI)(CX*1), Y2, Y2        \
	OP 96(SI)(CX*1), Y3, Y3

#define COUNTFOUR2 \
	COUNT2(Y0, Y4)                 \
	COUNT2(Y1, Y5)                 \
	COUNT2(Y2, Y6)                 \
	COUNT2(Y3, Y7)                 \
	ADD2

#define NEXT128 \
	ADDQ $128, CX                  \
	CMPQ CX, $8192                 \
	JB   loop

#define WRITE2(OP) \
	MOVQ dst+0(FP), DI             \
	MOVQ a+8(FP), SI               \
	MOVQ b+16(FP), DX              \
	XORL CX, CX                    \
	BEGIN2                         \
loop:                              \
	COMBINE2(OP)                   \
	VMOVDQU Y0, (DI)(CX*1)         \
	VMOVDQU Y1, 32(DI)(CX*1)       \
	VMOVDQU Y2, 64(DI)(CX*1)       \
	VMOVDQU Y3, 96(DI)(CX*1)       \
	COUNTFOUR2                     \
	NEXT128                        \
	SUM2                           \
	VZEROUPPER                     \
	MOVQ AX, ret+24(FP)            \
	RET

#define INTO2(OP) \
	MOVQ dst+0(FP), DX             \
	MOVQ a+8(FP), SI               \
	XORL CX, CX                    \
loop:                              \
	VMOVDQU (SI)(CX*1), Y0         \
	VMOVDQU 32(SI)(CX*1), Y1       \
	VMOVDQU 64(SI)(CX*1), Y2       \
	VMOVDQU 96(SI)(CX*1), Y3       \
	OP (DX)(CX*1), Y0, Y0          \
	OP 32(DX)(CX*1), Y1, Y1        \
	OP 64(DX)(CX*1), Y2, Y2        \
	OP 96(DX)(CX*1), Y3, Y3        \
	VMOVDQU Y0, (DX)(CX*1)         \
	VMOVDQU Y1, 32(DX)(CX*1)       \
	VMOVDQU Y2, 64(DX)(CX*1)       \
	VMOVDQU Y3, 96(DX)(CX*1)       \
	NEXT128                        \
	VZEROUPPER                     \
	RET

// func bitsetAndAVX2(dst, a, b *Words) int
TEXT ·bitsetAndAVX2(SB), NOSPLIT, $0-32
	WRITE2(VPAND)

// func bitsetOrAVX2(dst, a, b *Words) int
TEXT ·bitsetOrAVX2(SB), NOSPLIT, $0-32
	WRITE2(VPOR)

// func bitsetAndNotAVX2(dst, a, b *Words) int
TEXT ·bitsetAndNotAVX2(SB), NOSPLIT, $0-32
	WRITE2(VPANDN)

// func bitsetXorAVX2(dst, a, b *Words) int
TEXT ·bitsetXorAVX2(SB), NOSPLIT, $0-32
	WRITE2(VPXOR)

// func orIntoAVX2(dst, a *Words)
TEXT ·orIntoAVX2(SB), NOSPLIT, $0-16
	INTO2(VPOR)

// func xorIntoAVX2(dst, a *Words)
TEXT ·xorIntoAVX2(SB), NOSPLIT, $0-16
	INTO2(VPXOR)

// func andNotIntoAVX2(dst, a *Words)
TEXT ·andNotIntoAVX2(SB), NOSPLIT, $0-16
	INTO2(VPANDN)

// func bitsetAndLenAVX2(a, b *Words) int
TEXT ·bitsetAndLenAVX2(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	XORL CX, CX
	BEGIN2
loop:
	COMBINE2(VPAND)
	COUNTFOUR2
	NEXT128
	SUM2
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET

// func onesAVX2(words []byte) int
TEXT ·onesAVX2(SB), NOSPLIT, $0-32
	MOVQ words_base+0(FP), SI
	MOVQ words_len+8(FP), CX
	BEGIN2
	SUBQ $128, CX
	JB   few
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	COUNTFOUR2
	ADDQ $128, SI
	SUBQ $128, CX
	JAE  loop
few:
	SUM2
	VZEROUPPER
	ADDQ $120, CX
	JL   done
word:
	POPCNTQ (SI), DX
	ADDQ DX, AX
	ADDQ $8, SI
	SUBQ $8, CX
	JGE  word
done:
	MOVQ AX, ret+24(FP)
	RET
