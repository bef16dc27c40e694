// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// The bytes of eight values of five, six and seven bytes, each in a lane of eight: those behind a
// value are masked.
DATA places<>+0(SB)/8, $0x0706050403020100
DATA places<>+8(SB)/8, $0x0C0B0A0908070605
DATA places<>+16(SB)/8, $0x11100F0E0D0C0B0A
DATA places<>+24(SB)/8, $0x161514131211100F
DATA places<>+32(SB)/8, $0x1B1A191817161514
DATA places<>+40(SB)/8, $0x201F1E1D1C1B1A19
DATA places<>+48(SB)/8, $0x2524232221201F1E
DATA places<>+56(SB)/8, $0x2A29282726252423
DATA places<>+64(SB)/8, $0x0706050403020100
DATA places<>+72(SB)/8, $0x0D0C0B0A09080706
DATA places<>+80(SB)/8, $0x131211100F0E0D0C
DATA places<>+88(SB)/8, $0x1918171615141312
DATA places<>+96(SB)/8, $0x1F1E1D1C1B1A1918
DATA places<>+104(SB)/8, $0x2524232221201F1E
DATA places<>+112(SB)/8, $0x2B2A292827262524
DATA places<>+120(SB)/8, $0x31302F2E2D2C2B2A
DATA places<>+128(SB)/8, $0x0706050403020100
DATA places<>+136(SB)/8, $0x0E0D0C0B0A090807
DATA places<>+144(SB)/8, $0x1514131211100F0E
DATA places<>+152(SB)/8, $0x1C1B1A1918171615
DATA places<>+160(SB)/8, $0x232221201F1E1D1C
DATA places<>+168(SB)/8, $0x2A29282726252423
DATA places<>+176(SB)/8, $0x31302F2E2D2C2B2A
DATA places<>+184(SB)/8, $0x3837363534333231
GLOBL places<>(SB), RODATA|NOPTR, $192

// INTERSECT is VP2INTERSECTD Z2, Z1, K2, see offsetspairs_amd64.s: K2 says which values of Z1 are
// among those of Z2, and K3 is changed.
#define INTERSECT \
	BYTE $0x62; BYTE $0xF2; BYTE $0x77; BYTE $0x48; BYTE $0x68; BYTE $0xD2

// LANES leaves in K the lanes of the next 64 bytes that are left of LEFT bytes. It changes AX and
// BX; CX is -1.
#define LANES(LEFT, K) \
	MOVQ LEFT, AX                \
	MOVL $64, BX                 \
	CMPQ AX, BX                  \
	CMOVQHI BX, AX               \
	SHRL $2, AX                  \
	BZHIL AX, CX, AX             \
	KMOVW AX, K

// func fixedAndLenPairsAVX512(a, b []byte) int
//
// Sixteen values of each are compared at a time. What is left of b is filled up with its first
// value of these, as a zero would be one that it has not; of a the lanes behind are masked.
TEXT ·fixedAndLenPairsAVX512(SB), NOSPLIT, $0-56
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	MOVQ a_len+8(FP), R11
	MOVL $-1, CX
	XORL R10, R10
	CMPQ R11, $4
	JCS  done
	CMPQ R9, $4
	JCS  done
	CMPQ R11, $64
	JLS  few
outer:
	LANES(R9, K5)
	VPBROADCASTD (DX), Z2
	VMOVDQU32 (DX), K5, Z2
	MOVQ a_base+0(FP), SI
	MOVQ R11, R8
inner:
	LANES(R8, K4)
	VMOVDQU32.Z (SI), K4, Z1
	INTERSECT
	KANDW K4, K2, K2
	KMOVW K2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, SI
	SUBQ $64, R8
	CMPQ R8, $4
	JGE  inner
	ADDQ $64, DX
	SUBQ $64, R9
	CMPQ R9, $4
	JGE  outer
done:
	VZEROUPPER
	MOVQ R10, ret+48(FP)
	RET
few: // a is loaded once, and what of it is found gathered in K5
	MOVQ a_base+0(FP), SI
	SHRL $2, R11
	BZHIL R11, CX, AX
	KMOVW AX, K4
	VMOVDQU32.Z (SI), K4, Z1
	KXORW K5, K5, K5
	ANDQ $-4, R9
	CMPQ R9, $64
	JLS  last
sixteen:
	VMOVDQU32 (DX), Z2
	INTERSECT
	KORW K2, K5, K5
	ADDQ $64, DX
	SUBQ $64, R9
	CMPQ R9, $64
	JHI  sixteen
last:
	SHRL $2, R9
	BZHIL R9, CX, AX
	KMOVW AX, K3
	VPBROADCASTD (DX), Z2
	VMOVDQU32 (DX), K3, Z2
	INTERSECT
	KORW K2, K5, K5
	KANDW K4, K5, K5
	KMOVW K5, AX
	POPCNTL AX, AX
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET

// func fixedAndLenAVX512(a, b []byte) int
TEXT ·fixedAndLenAVX512(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), R8
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	MOVL $-1, CX
	XORL R10, R10
	SHRQ $2, R8
	JEQ  done
	CMPQ R9, $4
	JCS  done
	LEAQ (SI)(R8*4), R8
	LEAQ -16(R8), R12
outer:
	LANES(R9, K5)
	VMOVDQU32.Z (DX), K5, Z1
	KXORW K3, K3, K3
	MOVQ SI, R11
	CMPQ R11, R12
	JGT  one
four: // as a loop of one takes two cycles where it lies in two lines of code
	VPCMPEQD.BCST (R11), Z1, K1
	VPCMPEQD.BCST 4(R11), Z1, K2
	VPCMPEQD.BCST 8(R11), Z1, K4
	VPCMPEQD.BCST 12(R11), Z1, K6
	KORW K1, K2, K2
	KORW K4, K6, K6
	KORW K2, K3, K3
	KORW K6, K3, K3
	ADDQ $16, R11
	CMPQ R11, R12
	JLE  four
	CMPQ R11, R8
	JEQ  each
one:
	VPCMPEQD.BCST (R11), Z1, K2
	KORW K2, K3, K3
	ADDQ $4, R11
	CMPQ R11, R8
	JNE  one
each:
	KANDW K5, K3, K3
	KMOVW K3, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $64, DX
	SUBQ $64, R9
	CMPQ R9, $4
	JGE  outer
done:
	VZEROUPPER
	MOVQ R10, ret+48(FP)
	RET

// WIDE prepares for values of R9 bytes, five to seven: Z31 has the places of eight values, K7 the
// bytes that they have of their lanes, R10 the bytes of eight. It changes AX and BX.
#define WIDE \
	LEAQ -5(R9), AX              \
	SHLQ $6, AX                  \
	LEAQ places<>(SB), BX        \
	VMOVDQU64 (BX)(AX*1), Z31    \
	MOVQ $-1, CX                 \
	BZHIL R9, CX, AX             \
	MOVQ $0x0101010101010101, R10 \
	IMULQ R10, AX                \
	KMOVQ AX, K7                 \
	LEAQ (R9*8), R10

// EIGHT loads what is left of eight values at SI, R8 being the bytes that are left, to the lanes of
// Z1. It changes AX.
#define EIGHT \
	MOVQ R10, AX                 \
	CMPQ R8, AX                  \
	CMOVQCS R8, AX               \
	BZHIQ AX, CX, AX             \
	KMOVQ AX, K6                 \
	VMOVDQU8.Z (SI), K6, Z1      \
	VPERMB.Z Z1, Z31, K7, Z1

// func fixedHasAVX512(list []byte, width int, x uint64) bool
TEXT ·fixedHasAVX512(SB), NOSPLIT, $0-41
	MOVQ list_base+0(FP), SI
	MOVQ list_len+8(FP), R8
	MOVQ width+24(FP), R9
	CMPQ R9, $4
	JNE  wide
	VPBROADCASTD x+32(FP), Z0
	MOVL $-1, CX
	CMPQ R8, $64
	JLS  last
sixteen:
	VPCMPEQD (SI), Z0, K1
	KORTESTW K1, K1
	JNE  found
	ADDQ $64, SI
	SUBQ $64, R8
	CMPQ R8, $64
	JHI  sixteen
last:
	SHRL $2, R8
	BZHIL R8, CX, AX
	KMOVW AX, K2
	VPCMPEQD (SI), Z0, K2, K1
	KORTESTW K1, K1
	SETNE ret+40(FP)
	VZEROUPPER
	RET
found:
	MOVB $1, ret+40(FP)
	VZEROUPPER
	RET
wide:
	VPBROADCASTQ x+32(FP), Z0
	WIDE
	KXORB K2, K2, K2
eight: // to the end: that a value is found before is rare
	EIGHT
	VPCMPEQQ Z1, Z0, K1
	KORB K1, K2, K2
	ADDQ R10, SI
	SUBQ R10, R8
	JHI  eight
	KORTESTB K2, K2
	SETNE ret+40(FP)
	VZEROUPPER
	RET

// func fixedValuesAVX512(dst []uint64, list []byte, width int)
TEXT ·fixedValuesAVX512(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	MOVQ list_base+24(FP), SI
	MOVQ list_len+32(FP), R8
	MOVQ width+48(FP), R9
	XORL DX, DX
	MOVQ R8, AX
	DIVQ R9
	CMPQ AX, R11
	CMOVQCS AX, R11
	TESTQ R11, R11
	JEQ  done
	CMPQ R9, $4
	JEQ  four
	WIDE
	CMPQ R11, $8
	JCS  few
values:
	EIGHT
	VMOVDQU64 Z1, (DI)
	ADDQ $64, DI
	ADDQ R10, SI
	SUBQ R10, R8
	SUBQ $8, R11
	CMPQ R11, $8
	JCC  values
	TESTQ R11, R11
	JEQ  done
few:
	EIGHT
	BZHIL R11, CX, AX
	KMOVB AX, K1
	VMOVDQU64 Z1, K1, (DI)
	JMP  done
four:
	MOVL $-1, CX
	CMPQ R11, $8
	JCS  fewer
dwords:
	VPMOVZXDQ (SI), Z1
	VMOVDQU64 Z1, (DI)
	ADDQ $64, DI
	ADDQ $32, SI
	SUBQ $8, R11
	CMPQ R11, $8
	JCC  dwords
	TESTQ R11, R11
	JEQ  done
fewer:
	BZHIL R11, CX, AX
	KMOVB AX, K1
	VMOVDQU32.Z (SI), K1, Y1
	VPMOVZXDQ Y1, Z1
	VMOVDQU64 Z1, K1, (DI)
done:
	VZEROUPPER
	RET

// func fixedRankAVX512(list []byte, n, width int, x uint64) int
//
// All values are compared, those of a lane that has none, which are zero, too: they are taken off
// in the end.
TEXT ·fixedRankAVX512(SB), NOSPLIT, $0-56
	MOVQ list_base+0(FP), SI
	MOVQ list_len+8(FP), R8
	MOVQ width+32(FP), R9
	XORL DX, DX
	XORL DI, DI
	CMPQ R9, $4
	JNE  wide
	VPBROADCASTD x+40(FP), Z0
	MOVL $-1, CX
	CMPQ R8, $4
	JCS  none
sixteen:
	LANES(R8, K2)
	VMOVDQU32.Z (SI), K2, Z1
	VPCMPUD $2, Z0, Z1, K1
	KMOVW K1, AX
	POPCNTL AX, AX
	ADDQ AX, DX
	ADDQ $16, DI
	ADDQ $64, SI
	SUBQ $64, R8
	CMPQ R8, $4
	JGE  sixteen
	JMP  done
wide:
	VPBROADCASTQ x+40(FP), Z0
	WIDE
	CMPQ R8, R9
	JCS  none
eight:
	EIGHT
	VPCMPUQ $2, Z0, Z1, K1
	KMOVB K1, AX
	POPCNTL AX, AX
	ADDQ AX, DX
	ADDQ $8, DI
	ADDQ R10, SI
	SUBQ R10, R8
	JHI  eight
done:
	SUBQ n+24(FP), DI
	SUBQ DI, DX
none:
	MOVQ DX, ret+48(FP)
	VZEROUPPER
	RET

// func fixedMergeLenAVX512(a, b []byte) (n, i, j int)
TEXT ·fixedMergeLenAVX512(SB), NOSPLIT, $0-72
	SHRQ $2, a_len+8(FP)
	SHRQ $2, b_len+32(FP)
	JMP  ·offsetsAndLenAVX512(SB)
