// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The values of an array are looked up in a bitset 32 at a time: two gathers load the 32 bits in which the bits of sixteen values stand each, rotations by
// the values move these to the lowest place.

// PROBE leaves in K4 which bits of the 32 values in Z0 are ones. It needs the bitset in DX and ones in Z31.
#define PROBE \
	VEXTRACTI64X4 $1, Z0, Y2       \
	VPMOVZXWD Y0, Z1               \
	VPMOVZXWD Y2, Z2               \
	VPSRLD $5, Z1, Z3              \
	VPSRLD $5, Z2, Z4              \
	KXNORW K2, K2, K2              \
	KXNORW K3, K3, K3              \
	VPXORD Z5, Z5, Z5              \
	VPXORD Z6, Z6, Z6              \
	VPGATHERDD (DX)(Z3*4), K2, Z5  \
	VPGATHERDD (DX)(Z4*4), K3, Z6  \
	VPRORVD Z1, Z5, Z5             \
	VPRORVD Z2, Z6, Z6             \
	VPTESTMD Z31, Z5, K2           \
	VPTESTMD Z31, Z6, K3           \
	KUNPCKWD K2, K3, K4

// Of a long array, 32 values in turn lie near each other, as a rule: in 2 048 bits, which are four loads, and of whose 128 words of 16 bits permutations pick those of the values. That takes two thirds of the time of gathers. Whether
// they lie so near is looked at, all of them: an array that is none, as its values do not ascend, is probed with the same result.

// nearFrom is the bytes of an array from which on that is tried: with fewer values, 32 of them have more bits between them.
#define nearFrom 2560

// NEAR is PROBE for the 32 values in Z0 that begin at (SI), if they lie near each other; otherwise it goes on at far. It needs the bitset in DX, and what NEARBY sets.
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

// NEARBY sets R8 to the last word of 16 bits behind which there are 2 048 bits of a bitset, words of Z27 to 64, of Z28 to 127, of Z29 to 1, and of Z30 to 15.
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

#define ONES31 \
	MOVL $1, AX                    \
	VPBROADCASTD AX, Z31

// func arrayBitsetAndLenAVX512(lows []byte, a *Words) int
TEXT ·arrayBitsetAndLenAVX512(SB), NOSPLIT, $0-40
	MOVQ lows_base+0(FP), SI
	MOVQ lows_len+8(FP), CX
	MOVQ a+24(FP), DX
	XORL R10, R10
	ONES31
	CMPQ CX, $nearFrom
	JAE  long
	SUBQ $64, CX
	JB   last
loop:
	VMOVDQU64 (SI), Z0
	PROBE
	KMOVD K4, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, SI
	SUBQ $64, CX
	JAE  loop
last:
	ADDQ $64, CX
	SHRQ $1, CX
	JE   done
few:
	// Sixteen at a time, so that memory is read of no more words than there are values: it may be far away.
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVD AX, K1
	VMOVDQU16.Z (SI), K1, Y0
	VPMOVZXWD Y0, Z1
	VPSRLD $5, Z1, Z3
	VPXORD Z5, Z5, Z5
	VPGATHERDD (DX)(Z3*4), K1, Z5
	VPRORVD Z1, Z5, Z5
	VPTESTMD Z31, Z5, K2
	KMOVW K2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $32, SI
	SUBQ $16, CX
	JHI  few
done:
	VZEROUPPER
	MOVQ R10, ret+32(FP)
	RET
long:
	NEARBY
	SUBQ $64, CX
near:
	VMOVDQU64 (SI), Z0
	NEAR(far)
count:
	KMOVD K4, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, SI
	SUBQ $64, CX
	JAE  near
	JMP  last
far:
	PROBE
	JMP  count

// func filterBitsAVX512(dst, lows []byte, a *Words, flip int) int
//
// dst may be lows: what is written lies where values have been read.
TEXT ·filterBitsAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), CX
	MOVQ a+48(FP), DX
	MOVQ flip+56(FP), AX
	NEGQ AX
	KMOVD AX, K7
	ONES31
	CMPQ CX, $nearFrom
	JAE  long
	SUBQ $64, CX
	JB   last
loop:
	VMOVDQU64 (SI), Z0
	PROBE
	KXORD K7, K4, K4
	KMOVD K4, AX
	VPCOMPRESSW.Z Z0, K4, Z0
	POPCNTL AX, AX
	VMOVDQU64 Z0, (DI)
	LEAQ (DI)(AX*2), DI
	ADDQ $64, SI
	SUBQ $64, CX
	JAE  loop
last:
	ADDQ $64, CX
	SHRQ $1, CX
	JE   done
	MOVL $-1, BX
	BZHIL CX, BX, AX
	KMOVD AX, K1
	VMOVDQU16.Z (SI), K1, Z0
	PROBE
	KXORD K7, K4, K4
	KANDD K1, K4, K4
	KMOVD K4, AX
	VPCOMPRESSW.Z Z0, K4, Z0
	POPCNTL AX, AX
	BZHIL AX, BX, BX
	KMOVD BX, K1
	VMOVDQU16 Z0, K1, (DI)
	LEAQ (DI)(AX*2), DI
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $1, DI
	MOVQ DI, ret+64(FP)
	RET
long:
	NEARBY
	SUBQ $64, CX
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
	JAE  near
	JMP  last
far:
	PROBE
	JMP  keep
