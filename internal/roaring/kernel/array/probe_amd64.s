// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// Of a long array, 32 values in turn lie near each other, as a rule: in 2 048 bits, which are four
// loads, and of whose 128 words of 16 bits permutations pick those of the values. That takes a
// fifth of the time of looking
// them up one by one, as probeavx2_amd64.s does it with what does not lie so near. All of them are
// looked at for that: an array that is none, as its values do not ascend, is probed with the same
// result. With fewer
// values than nearFrom (probe_amd64.go), 32 of them have more bits between them.

// NEAR leaves in K4 which bits of the 32 values at (SI), which Z0 holds, are ones. If the values do
// not lie near each other, it goes on at far. It needs the bitset in DX, and what NEARBY sets.
#define NEAR(far) \
	MOVWLZX (SI), AX               \
	SHRL $4, AX                    \
	CMPL AX, R8                    \
	CMOVLHI R8, AX                 \
	VPBROADCASTW AX, Z1            \
	VPSRLW $4, Z0, Z2              \
	VPSUBW Z1, Z2, Z2              \
	VPCMPUW $2, Z28, Z2, K1        \
	KORTESTD K1, K1                \
	JCC  far                       \
	LEAQ (DX)(AX*2), R9            \
	VMOVDQU64 (R9), Z3             \
	VMOVDQU64 128(R9), Z5          \
	VPTESTMW Z27, Z2, K2           \
	VMOVDQA64 Z2, Z7               \
	VMOVDQU64 64(R9), Z4           \
	VMOVDQU64 192(R9), Z6          \
	VPERMI2W Z4, Z3, Z2            \
	VPERMI2W Z6, Z5, Z7            \
	VPANDD Z30, Z0, Z8             \
	VMOVDQU16 Z7, K2, Z2           \
	VPSLLVW Z8, Z29, Z8            \
	VPTESTMW Z8, Z2, K4

// NEARBY sets R8 to the last word of 16 bits behind which there are 2 048 bits of a bitset, words
// of Z27 to 64, of Z28 to 127, of Z29 to 1, and of Z30 to 15.
#define NEARBY \
	MOVL $3968, R8                 \
	MOVL $64, AX                   \
	VPBROADCASTW AX, Z27           \
	MOVL $127, AX                  \
	VPBROADCASTW AX, Z28           \
	MOVL $1, AX                    \
	VPBROADCASTW AX, Z29           \
	MOVL $15, AX                   \
	VPBROADCASTW AX, Z30

// ASK adds to count, by way of the carry, whether the value at a distance from (SI) is in the
// bitset in DX.
#define ASK(at, count) \
	MOVWLZX at(SI), AX             \
	MOVL AX, BX                    \
	SHRL $6, BX                    \
	MOVQ (DX)(BX*8), BX            \
	BTQ  AX, BX                    \
	ADCQ $0, count

// NOTE shifts R13, and lets in the bit of the value at a distance from (R11).
#define NOTE(at) \
	MOVWLZX at(R11), AX            \
	MOVL AX, BX                    \
	SHRL $6, BX                    \
	MOVQ (DX)(BX*8), BX            \
	BTQ  AX, BX                    \
	ADCL R13, R13

// func arrayBitsetAndLenAVX512(lows []byte, a *bitset.Words) int
TEXT ·arrayBitsetAndLenAVX512(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	MOVQ a+24(FP), DX
	XORL R10, R10
	NEARBY
	SUBQ $64, CX
	JLT  few
near:
	VMOVDQU64 (SI), Z0
	NEAR(far)
	KMOVD K4, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, SI
next:
	SUBQ $64, CX
	JGE  near
few:
	VZEROUPPER
	ADDQ $62, CX
	JLT  done
one:
	ASK(0, R10)
	ADDQ $2, SI
	SUBQ $2, CX
	JGE  one
done:
	MOVQ R10, ret+32(FP)
	RET
far:
	LEAQ 64(SI), R11
each:
	ASK(0, R10)
	ASK(2, R10)
	ADDQ $4, SI
	CMPQ SI, R11
	JNE  each
	JMP  next

// func filterBitsAVX512(dst, lows []byte, a *bitset.Words, flip int) int
//
// dst may be lows: what is written lies where values have been read.
TEXT ·filterBitsAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ a+48(FP), DX
	MOVQ flip+56(FP), R10
	MOVQ R10, AX
	NEGQ AX
	KMOVD AX, K7
	NEARBY
	SUBQ $64, CX
	JLT  few
near:
	VMOVDQU64 (SI), Z0
	NEAR(far)
keep:
	KXORD K7, K4, K4
	KMOVD K4, AX
	VPCOMPRESSW.Z Z0, K4, Z0
	POPCNTL AX, AX
	VMOVDQU64 Z0, (DI)
	LEAQ (DI)(AX*2), DI
	ADDQ $64, SI
	SUBQ $64, CX
	JGE  near
few:
	VZEROUPPER
	ADDQ $62, CX
	JLT  done
one:
	MOVWLZX (SI), AX
	MOVL AX, BX
	SHRL $6, BX
	MOVQ (DX)(BX*8), BX
	MOVW AX, (DI)
	SHRXQ AX, BX, BX
	XORL R10, BX
	ANDL $1, BX
	LEAQ (DI)(BX*2), DI
	ADDQ $2, SI
	SUBQ $2, CX
	JGE  one
done:
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+64(FP)
	RET
far:
	// The last one first.
	XORL R13, R13
	LEAQ 56(SI), R11
each:
	NOTE(6)
	NOTE(4)
	NOTE(2)
	NOTE(0)
	SUBQ $8, R11
	CMPQ R11, SI
	JAE  each
	KMOVD R13, K4
	JMP  keep
