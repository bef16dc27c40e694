// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// As fixedlist_amd64.s: what compares is for values of four bytes, eight at a time.

// The bytes of two values of four to seven bytes, each in a lane of eight: those behind a value are
// zero.
DATA couples<>+0(SB)/8, $0x8080808003020100
DATA couples<>+8(SB)/8, $0x8080808007060504
DATA couples<>+16(SB)/8, $0x8080800403020100
DATA couples<>+24(SB)/8, $0x8080800908070605
DATA couples<>+32(SB)/8, $0x8080050403020100
DATA couples<>+40(SB)/8, $0x80800B0A09080706
DATA couples<>+48(SB)/8, $0x8006050403020100
DATA couples<>+56(SB)/8, $0x800D0C0B0A090807
GLOBL couples<>(SB), RODATA|NOPTR, $64

// The numbers 0 to 7, and the bit that makes numbers without a sign compare as such with one.
DATA lanes<>+0(SB)/8, $0x0000000100000000
DATA lanes<>+8(SB)/8, $0x0000000300000002
DATA lanes<>+16(SB)/8, $0x0000000500000004
DATA lanes<>+24(SB)/8, $0x0000000700000006
GLOBL lanes<>(SB), RODATA|NOPTR, $32

DATA sign<>+0(SB)/4, $0x80000000
GLOBL sign<>(SB), RODATA|NOPTR, $4

// MASKED loads the LEFT bytes that are left of the next 32 at FROM to Y1, and zeros the rest. It
// leaves in Y4 which lanes these are. Y5 has the numbers of the lanes. It changes AX.
#define MASKED(FROM, LEFT) \
	MOVQ LEFT, AX                \
	SHRQ $2, AX                  \
	VMOVD AX, X4                 \
	VPBROADCASTD X4, Y4          \
	VPCMPGTD Y5, Y4, Y4          \
	VPMASKMOVD (FROM), Y4, Y1

// func fixedAndLenAVX2(a, b []byte) int
TEXT ·fixedAndLenAVX2(SB), NOSPLIT, $0-56
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), R8
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	XORL R10, R10
	SHRQ $2, R8
	JEQ  done
	CMPQ R9, $4
	JCS  done
	VMOVDQU lanes<>(SB), Y5
outer:
	MASKED(DX, R9)
	VPXOR Y0, Y0, Y0
	XORL R11, R11
inner:
	VPBROADCASTD (SI)(R11*4), Y2
	VPCMPEQD Y1, Y2, Y2
	VPOR Y2, Y0, Y0
	INCQ R11
	CMPQ R11, R8
	JNE  inner
	VPAND Y4, Y0, Y0
	VMOVMSKPS Y0, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	ADDQ $32, DX
	SUBQ $32, R9
	CMPQ R9, $4
	JGE  outer
done:
	VZEROUPPER
	MOVQ R10, ret+48(FP)
	RET

// func fixedHasAVX2(list []byte, x uint32) bool
//
// A lane without a value is zero, which is asked for only where the list begins with it.
TEXT ·fixedHasAVX2(SB), NOSPLIT, $0-33
	MOVQ list_base+0(FP), SI
	MOVQ list_len+8(FP), R8
	MOVL x+24(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	VMOVDQU lanes<>(SB), Y5
	VPXOR Y2, Y2, Y2
	CMPQ R8, $4
	JCS  end
eight: // to the end: that a value is found before is rare
	MASKED(SI, R8)
	VPCMPEQD Y1, Y0, Y1
	VPOR Y1, Y2, Y2
	ADDQ $32, SI
	SUBQ $32, R8
	CMPQ R8, $4
	JGE  eight
end:
	VPTEST Y2, Y2
	SETNE ret+32(FP)
	VZEROUPPER
	RET

// func fixedRankAVX2(list []byte, n int, x uint32) int
//
// Counted are the values that are larger, which a lane without a value is not.
TEXT ·fixedRankAVX2(SB), NOSPLIT, $0-48
	MOVQ list_base+0(FP), SI
	MOVQ list_len+8(FP), R8
	MOVQ n+24(FP), DX
	MOVL x+32(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	VPBROADCASTD sign<>(SB), Y3
	VPXOR Y3, Y0, Y0
	VMOVDQU lanes<>(SB), Y5
	CMPQ R8, $4
	JCS  end
eight:
	MASKED(SI, R8)
	VPXOR Y3, Y1, Y1
	VPCMPGTD Y0, Y1, Y1
	VMOVMSKPS Y1, AX
	POPCNTL AX, AX
	SUBQ AX, DX
	ADDQ $32, SI
	SUBQ $32, R8
	CMPQ R8, $4
	JGE  eight
end:
	MOVQ DX, ret+40(FP)
	VZEROUPPER
	RET

// func fixedValuesAVX2(dst []uint64, list []byte, width int) (n int)
//
// Four values at a time are two loads of sixteen bytes; the second begins with the third value. It
// ends where these would reach beyond the list, and returns how many values there were.
TEXT ·fixedValuesAVX2(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	MOVQ list_base+24(FP), SI
	MOVQ list_len+32(FP), R8
	MOVQ width+48(FP), R9
	XORL DX, DX
	LEAQ -4(R9), AX
	SHLQ $4, AX
	LEAQ couples<>(SB), BX
	VBROADCASTI128 (BX)(AX*1), Y3
	LEAQ (R9*2), R10
	LEAQ -16(R8), R8
	SUBQ R10, R8 // the last place that four values may begin at
	JLT  done
	SUBQ $4, R11
	JLT  done
	LEAQ (SI)(R8*1), R8
four:
	VMOVDQU (SI), X1
	VINSERTI128 $1, (SI)(R10*1), Y1, Y1
	VPSHUFB Y3, Y1, Y1
	VMOVDQU Y1, (DI)(DX*8)
	ADDQ $4, DX
	LEAQ (SI)(R10*2), SI
	CMPQ DX, R11
	JGT  done
	CMPQ SI, R8
	JLS  four
done:
	VZEROUPPER
	MOVQ DX, n+56(FP)
	RET

// func fixedHasWideAVX2(list []byte, width int, x uint64) (n int, found bool)
//
// As fixedValuesAVX2: it says of how many values that x is among them.
TEXT ·fixedHasWideAVX2(SB), NOSPLIT, $0-49
	MOVQ list_base+0(FP), SI
	MOVQ list_len+8(FP), R8
	MOVQ width+24(FP), R9
	VPBROADCASTQ x+32(FP), Y0
	VPXOR Y2, Y2, Y2
	XORL DX, DX
	LEAQ -4(R9), AX
	SHLQ $4, AX
	LEAQ couples<>(SB), BX
	VBROADCASTI128 (BX)(AX*1), Y3
	LEAQ (R9*2), R10
	LEAQ -16(R8), R8
	SUBQ R10, R8
	JLT  done
	LEAQ (SI)(R8*1), R8
four:
	VMOVDQU (SI), X1
	VINSERTI128 $1, (SI)(R10*1), Y1, Y1
	VPSHUFB Y3, Y1, Y1
	VPCMPEQQ Y1, Y0, Y1
	VPOR Y1, Y2, Y2
	ADDQ $4, DX
	LEAQ (SI)(R10*2), SI
	CMPQ SI, R8
	JLS  four
done:
	VPTEST Y2, Y2
	SETNE found+48(FP)
	MOVQ DX, n+40(FP)
	VZEROUPPER
	RET

// func fixedMergeLenAVX2(a, b []byte) (n, i, j int)
TEXT ·fixedMergeLenAVX2(SB), NOSPLIT, $0-72
	SHRQ $2, a_len+8(FP)
	SHRQ $2, b_len+32(FP)
	JMP  ·offsetsAndLenAVX2(SB)
