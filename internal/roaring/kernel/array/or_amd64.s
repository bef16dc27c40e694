// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Two arrays are merged 32 values at a time: of the 32 values at hand and the next 32 of the array
// whose next value is smaller, the lower 32 are written and the
// upper ones kept (Inoue, Moriyama, Komatsu, Nakatani, AA-Sort, 2007; Lemire, Kaser, Kurz and
// others, Roaring Bitmaps: Implementation of an Optimized Software
// Library, 2018, for the union). Both halves come from a bitonic network (Batcher 1968): one of
// both sorted vectors is turned round, and then values at a distance of
// 32, 16, 8, 4, 2 and 1 are brought in order. What is equal to its neighbour is dropped by
// VPCOMPRESSW.
//
// An array that ends inside a vector is filled up with 65 535; the caller puts that value right. SI
// and DX are the places in a and b, R8 and R9 their ends, DI is
// the place in dst and R11 its end. Z0 has the values at hand, Z1 those written last.

DATA turned<>+0(SB)/8, $0x001C001D001E001F
DATA turned<>+8(SB)/8, $0x00180019001A001B
DATA turned<>+16(SB)/8, $0x0014001500160017
DATA turned<>+24(SB)/8, $0x0010001100120013
DATA turned<>+32(SB)/8, $0x000C000D000E000F
DATA turned<>+40(SB)/8, $0x00080009000A000B
DATA turned<>+48(SB)/8, $0x0004000500060007
DATA turned<>+56(SB)/8, $0x0000000100020003
GLOBL turned<>(SB), RODATA|NOPTR, $64

// BEGIN loads the operands, and the masks of the network: K1 to K5 have the places that take the
// larger value at each distance.
#define BEGIN \
	MOVQ dst_base+0(FP), DI        \
	MOVQ dst_len+8(FP), R11        \
	MOVQ a_base+24(FP), SI         \
	MOVQ a_len+32(FP), R8          \
	MOVQ b_base+48(FP), DX         \
	MOVQ b_len+56(FP), R9          \
	ANDQ $-2, R8                   \
	ANDQ $-2, R9                   \
	ADDQ DI, R11                   \
	ADDQ SI, R8                    \
	ADDQ DX, R9                    \
	MOVL $0xFFFF0000, AX           \
	KMOVD AX, K1                   \
	MOVL $0xFF00FF00, AX           \
	KMOVD AX, K2                   \
	MOVL $0xF0F0F0F0, AX           \
	KMOVD AX, K3                   \
	MOVL $0xCCCCCCCC, AX           \
	KMOVD AX, K4                   \
	MOVL $0xAAAAAAAA, AX           \
	KMOVD AX, K5                   \
	VMOVDQU64 turned<>(SB), Z31    \
	VPTERNLOGD $0xFF, Z30, Z30, Z30 \
	VMOVDQA64 Z30, Z1              \
	MOVL $-2, R10

// PART loads at most 32 values at FROM, which END ends, to TO.
#define PART(FROM, END, TO) \
	MOVQ END, AX                   \
	SUBQ FROM, AX                  \
	MOVL $64, BX                   \
	CMPQ AX, BX                    \
	CMOVQHI BX, AX                 \
	MOVL AX, BX                    \
	SHRL $1, BX                    \
	MOVL $-1, CX                   \
	BZHIL BX, CX, CX               \
	KMOVD CX, K6                   \
	VMOVDQA64 Z30, TO              \
	VMOVDQU16 (FROM), K6, TO       \
	ADDQ AX, FROM

// NETWORK brings the 64 values of Z0 and Z2 in order, the lower half in Z3, the upper half in Z0.
// The steps of both halves stand side by side.
#define NETWORK \
	VPERMW Z2, Z31, Z2             \
	VPMINUW Z2, Z0, Z3             \
	VPMAXUW Z2, Z0, Z0             \
	VSHUFI64X2 $0x4E, Z0, Z0, Z4   \
	VSHUFI64X2 $0x4E, Z3, Z3, Z6   \
	VPMINUW Z4, Z0, Z5             \
	VPMAXUW Z4, Z0, K1, Z5         \
	VPMINUW Z6, Z3, Z7             \
	VPMAXUW Z6, Z3, K1, Z7         \
	VSHUFI64X2 $0xB1, Z5, Z5, Z4   \
	VSHUFI64X2 $0xB1, Z7, Z7, Z6   \
	VPMINUW Z4, Z5, Z0             \
	VPMAXUW Z4, Z5, K2, Z0         \
	VPMINUW Z6, Z7, Z3             \
	VPMAXUW Z6, Z7, K2, Z3         \
	VPSHUFD $0x4E, Z0, Z4          \
	VPSHUFD $0x4E, Z3, Z6          \
	VPMINUW Z4, Z0, Z5             \
	VPMAXUW Z4, Z0, K3, Z5         \
	VPMINUW Z6, Z3, Z7             \
	VPMAXUW Z6, Z3, K3, Z7         \
	VPSHUFD $0xB1, Z5, Z4          \
	VPSHUFD $0xB1, Z7, Z6          \
	VPMINUW Z4, Z5, Z0             \
	VPMAXUW Z4, Z5, K4, Z0         \
	VPMINUW Z6, Z7, Z3             \
	VPMAXUW Z6, Z7, K4, Z3         \
	VPROLD $16, Z0, Z4             \
	VPROLD $16, Z3, Z6             \
	VPMINUW Z4, Z0, Z5             \
	VPMAXUW Z4, Z0, K5, Z5         \
	VPMINUW Z6, Z3, Z7             \
	VPMAXUW Z6, Z3, K5, Z7         \
	VMOVDQA64 Z5, Z0               \
	VMOVDQA64 Z7, Z3

// ONCE leaves in Z4 the values of Z3 that differ from the one before, and in AX how many they are.
// It makes Z3 the values written last.
#define ONCE \
	VALIGNQ $6, Z1, Z3, Z4         \
	VPALIGNR $14, Z4, Z3, Z4       \
	VPCMPUW $4, Z4, Z3, K6         \
	VPCOMPRESSW.Z Z3, K6, Z4       \
	VMOVDQA64 Z3, Z1               \
	KMOVD K6, AX                   \
	POPCNTL AX, AX

// ALONE does the same for values that differ from both neighbours. The last one is left for the
// next time, as its neighbour is not known; R10 drops what the
// first time has before the first value.
#define ALONE \
	VALIGNQ $6, Z1, Z3, Z4         \
	VPALIGNR $12, Z4, Z3, Z5       \
	VPALIGNR $14, Z4, Z3, Z4       \
	KMOVD R10, K6                  \
	VPCMPUW $4, Z4, Z3, K6, K6     \
	VPCMPUW $4, Z4, Z5, K6, K6     \
	VPCOMPRESSW.Z Z4, K6, Z4       \
	VMOVDQA64 Z3, Z1               \
	MOVL $-1, R10                  \
	KMOVD K6, AX                   \
	POPCNTL AX, AX

// WRITE writes the AX values of Z4, as many as there is room for: what fills arrays up takes none.
#define WRITE \
	MOVQ R11, BX                   \
	SUBQ DI, BX                    \
	SHRQ $1, BX                    \
	CMPQ AX, BX                    \
	CMOVQHI BX, AX                 \
	MOVL $-1, CX                   \
	BZHIL AX, CX, CX               \
	KMOVD CX, K6                   \
	VMOVDQU16 Z4, K6, (DI)         \
	LEAQ (DI)(AX*2), DI

// MERGE is the body up to the last values at hand. As long as both arrays have 32 values left the
// vectors are written as a whole: there is room, since 32 values more
// have been read.
#define MERGE(DROP) \
	BEGIN                          \
	PART(SI, R8, Z0)               \
whole:                             \
	LEAQ 64(SI), AX                \
	LEAQ 64(DX), BX                \
	CMPQ AX, R8                    \
	JHI  few                       \
	CMPQ BX, R9                    \
	JHI  few                       \
	MOVWLZX (SI), AX               \
	MOVWLZX (DX), BX               \
	XORL R12, R12                  \
	MOVQ SI, CX                    \
	CMPL AX, BX                    \
	CMOVQHI DX, CX                 \
	SETLS R12                      \
	VMOVDQU64 (CX), Z2             \
	SHLL $6, R12                   \
	ADDQ R12, SI                   \
	XORL $64, R12                  \
	ADDQ R12, DX                   \
	NETWORK                        \
	DROP                           \
	VMOVDQU64 Z4, (DI)             \
	LEAQ (DI)(AX*2), DI            \
	JMP  whole                     \
few:                               \
	CMPQ SI, R8                    \
	JAE  noMore                    \
	CMPQ DX, R9                    \
	JAE  first                     \
	MOVWLZX (SI), AX               \
	MOVWLZX (DX), BX               \
	CMPL AX, BX                    \
	JHI  second                    \
first:                             \
	PART(SI, R8, Z2)               \
	JMP  step                      \
noMore:                            \
	CMPQ DX, R9                    \
	JAE  rest                      \
second:                            \
	PART(DX, R9, Z2)               \
step:                              \
	NETWORK                        \
	DROP                           \
	WRITE                          \
	JMP  few                       \
rest:                              \
	VMOVDQA64 Z0, Z3               \
	DROP                           \
	WRITE

#define END \
	VZEROUPPER                     \
	SUBQ dst_base+0(FP), DI        \
	SHRQ $1, DI                    \
	MOVQ DI, ret+72(FP)            \
	RET

// func arrayOrAVX512(dst, a, b []byte) int
TEXT ·arrayOrAVX512(SB), NOSPLIT, $0-80
	MERGE(ONCE)
	END

// func arrayXorAVX512(dst, a, b []byte) int
TEXT ·arrayXorAVX512(SB), NOSPLIT, $0-80
	MERGE(ALONE)
	// The very last value, and 65 535 behind it.
	VMOVDQA64 Z30, Z3
	ALONE
	WRITE
	END
