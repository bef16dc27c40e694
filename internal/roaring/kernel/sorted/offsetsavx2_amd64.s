// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// As offsets_amd64.s, with blocks of eight values. What is found is moved together by the table of
// shuffles of eight lanes of 16 bits; each lane is widened.

DATA lanes32<>+0(SB)/8, $0x0000000100000000
DATA lanes32<>+8(SB)/8, $0x0000000300000002
DATA lanes32<>+16(SB)/8, $0x0000000500000004
DATA lanes32<>+24(SB)/8, $0x0000000700000006
GLOBL lanes32<>(SB), RODATA|NOPTR, $32

// EIGHT leaves in Y2 which of the eight values in Y1 are among the eight at B.
#define EIGHT(B) \
	VPBROADCASTD (B), Y2           \
	VPBROADCASTD 4(B), Y3          \
	VPBROADCASTD 8(B), Y4          \
	VPBROADCASTD 12(B), Y5         \
	VPBROADCASTD 16(B), Y6         \
	VPBROADCASTD 20(B), Y7         \
	VPBROADCASTD 24(B), Y8         \
	VPBROADCASTD 28(B), Y9         \
	VPCMPEQD Y1, Y2, Y2            \
	VPCMPEQD Y1, Y3, Y3            \
	VPCMPEQD Y1, Y4, Y4            \
	VPCMPEQD Y1, Y5, Y5            \
	VPCMPEQD Y1, Y6, Y6            \
	VPCMPEQD Y1, Y7, Y7            \
	VPCMPEQD Y1, Y8, Y8            \
	VPCMPEQD Y1, Y9, Y9            \
	VPOR Y2, Y3, Y2                \
	VPOR Y4, Y5, Y4                \
	VPOR Y6, Y7, Y6                \
	VPOR Y8, Y9, Y8                \
	VPOR Y2, Y4, Y2                \
	VPOR Y6, Y8, Y6                \
	VPOR Y2, Y6, Y2

// BLOCKS jumps to part if one of both lists has no eight values left.
#define BLOCKS \
	LEAQ 32(SI), AX                \
	LEAQ 32(DX), BX                \
	CMPQ AX, R8                    \
	JHI  part                      \
	CMPQ BX, R9                    \
	JHI  part

// ADVANCE moves on in a, or b, or both, by R12 and R13 bytes: the ones with the smaller last value,
// which are given.
#define ADVANCE(LASTA, LASTB) \
	MOVL LASTA, BX                 \
	MOVL LASTB, CX                 \
	XORL AX, AX                    \
	CMPL CX, BX                    \
	CMOVQCS AX, R12                \
	CMPL BX, CX                    \
	CMOVQCS AX, R13                \
	ADDQ R12, SI                   \
	ADDQ R13, DX

// AHEAD has the last values of both blocks in BX and CX, and leaves those of the next ones there,
// with SI and DX at these: as ADVANCE, but what may be the next last values is read before it is
// known which one it is, so that
// a step waits for reading memory two steps before and not one. Both lists must have sixteen values
// left: their
// ends less as many are compared as numbers with a sign, as there may be nothing.
#define AHEAD \
	MOVL 60(SI), R12               \
	MOVL 60(DX), R13               \
	LEAQ 32(SI), AX                \
	LEAQ 32(DX), R15               \
	CMPL CX, BX                    \
	CMOVQCC AX, SI                 \
	MOVL BX, AX                    \
	CMOVLCC R12, BX                \
	CMPL AX, CX                    \
	CMOVQCC R15, DX                \
	CMOVLCC R13, CX

// PART leaves what is left of a, up to eight values, in Y1, with Y10 for its lanes, and of b in
// memory at R15, with its first one repeated; R12 and R13 are their bytes. It jumps to done if
// there is nothing left of one of them.
#define PART \
	MOVQ R8, R12                   \
	SUBQ SI, R12                   \
	JE   done                      \
	MOVQ R9, R13                   \
	SUBQ DX, R13                   \
	JE   done                      \
	MOVL $32, BX                   \
	CMPQ R12, BX                   \
	CMOVQHI BX, R12                \
	CMPQ R13, BX                   \
	CMOVQHI BX, R13                \
	MOVL R12, AX                   \
	SHRL $2, AX                    \
	VMOVD AX, X10                  \
	VPBROADCASTD X10, Y10          \
	VPCMPGTD lanes32<>(SB), Y10, Y10 \
	MOVL R13, AX                   \
	SHRL $2, AX                    \
	VMOVD AX, X3                   \
	VPBROADCASTD X3, Y3            \
	VPCMPGTD lanes32<>(SB), Y3, Y3 \
	VPMASKMOVD (SI), Y10, Y1       \
	VPMASKMOVD (DX), Y3, Y4        \
	VPBROADCASTD (DX), Y2          \
	VPBLENDVB Y3, Y4, Y2, Y2       \
	LEAQ part-32(SP), R15          \
	VMOVDQU Y2, (R15)

// TOGETHER moves those values of Y1 to its front that the mask AX says, which it changes.
#define TOGETHER \
	SHLL $4, AX                    \
	VPMOVZXWD (R10)(AX*1), Y3      \
	VPSRLD $1, Y3, Y3              \
	VPERMD Y1, Y3, Y1

// func offsetsAndLenAVX2(a, b []uint32) (n, i, j int)
//
// SI and DX are the places in a and b, R8 and R9 their ends, R10 what they have in common.
TEXT ·offsetsAndLenAVX2(SB), NOSPLIT, $32-72
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), R8
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	LEAQ (SI)(R8*4), R8
	LEAQ (DX)(R9*4), R9
	XORL R10, R10
	SUBQ $64, R8
	SUBQ $64, R9
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JGT  end
	MOVL 28(SI), BX
	MOVL 28(DX), CX
ahead:
	VMOVDQU (SI), Y1
	EIGHT(DX)
	AHEAD
	VMOVMSKPS Y2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JLE  ahead
end:
	ADDQ $64, R8
	ADDQ $64, R9
next:
	BLOCKS
	VMOVDQU (SI), Y1
	EIGHT(DX)
	MOVL $32, R12
	MOVL $32, R13
	ADVANCE(28(SI), 28(DX))
	VMOVMSKPS Y2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	JMP  next
part:
	PART
	EIGHT(R15)
	VPAND Y10, Y2, Y2
	ADVANCE(-4(SI)(R12*1), -4(DX)(R13*1))
	VMOVMSKPS Y2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	JMP  next
done:
	VZEROUPPER
	SUBQ a_base+0(FP), SI
	SUBQ b_base+24(FP), DX
	SHRQ $2, SI
	SHRQ $2, DX
	MOVQ R10, n+48(FP)
	MOVQ SI, i+56(FP)
	MOVQ DX, j+64(FP)
	RET

// func offsetsAndAVX2(dst, a, b []uint32) (n, i, j int)
//
// R11 is the end of dst: what has no room there is not written, as only lists that do not ascend
// have more in common than fits. R10 is the table.
TEXT ·offsetsAndAVX2(SB), NOSPLIT, $32-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*4), R11
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), R8
	MOVQ b_base+48(FP), DX
	MOVQ b_len+56(FP), R9
	LEAQ (SI)(R8*4), R8
	LEAQ (DX)(R9*4), R9
	LEAQ ·together(SB), R10
	SUBQ $64, R8
	SUBQ $64, R9
	SUBQ $32, R11
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JGT  end
	MOVL 28(SI), BX
	MOVL 28(DX), CX
ahead:
	CMPQ DI, R11
	JGT  end
	VMOVDQU (SI), Y1
	EIGHT(DX)
	AHEAD
	VMOVMSKPS Y2, AX
	POPCNTL AX, R12
	TOGETHER
	VMOVDQU Y1, (DI)
	LEAQ (DI)(R12*4), DI
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JLE  ahead
end:
	ADDQ $64, R8
	ADDQ $64, R9
	ADDQ $32, R11
next:
	BLOCKS
	LEAQ 32(DI), AX
	CMPQ AX, R11
	JHI  part
	VMOVDQU (SI), Y1
	EIGHT(DX)
	MOVL $32, R12
	MOVL $32, R13
	ADVANCE(28(SI), 28(DX))
	VMOVMSKPS Y2, AX
	POPCNTL AX, BX
	TOGETHER
	VMOVDQU Y1, (DI)
	LEAQ (DI)(BX*4), DI
	JMP  next
part:
	PART
	EIGHT(R15)
	VPAND Y10, Y2, Y2
	ADVANCE(-4(SI)(R12*1), -4(DX)(R13*1))
	VMOVMSKPS Y2, AX
	POPCNTL AX, CX
	TOGETHER
	MOVL CX, AX
	MOVQ R11, BX
	SUBQ DI, BX
	SHRQ $2, BX
	CMPQ AX, BX
	CMOVQHI BX, AX
	VMOVD AX, X2
	VPBROADCASTD X2, Y2
	VPCMPGTD lanes32<>(SB), Y2, Y2
	VPMASKMOVD Y1, Y2, (DI)
	LEAQ (DI)(AX*4), DI
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SUBQ a_base+24(FP), SI
	SUBQ b_base+48(FP), DX
	SHRQ $2, DI
	SHRQ $2, SI
	SHRQ $2, DX
	MOVQ DI, n+72(FP)
	MOVQ SI, i+80(FP)
	MOVQ DX, j+88(FP)
	RET

// func arrayOffsetsAVX2(dst []uint32, lows []byte, base uint32)
//
// The last eight are written a second time, those before them with them, and fewer than eight one
// by one.
TEXT ·arrayOffsetsAVX2(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), AX
	SHRQ $1, AX
	CMPQ CX, AX
	CMOVQHI AX, CX
	MOVL base+48(FP), AX
	SUBQ $8, CX
	JB   few
	VMOVD AX, X3
	VPBROADCASTD X3, Y3
	XORL AX, AX
loop:
	VPMOVZXWD (SI)(AX*2), Y0
	VPADDD Y3, Y0, Y0
	VMOVDQU Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLE  loop
	VPMOVZXWD (SI)(CX*2), Y0
	VPADDD Y3, Y0, Y0
	VMOVDQU Y0, (DI)(CX*4)
	VZEROUPPER
	RET
few:
	ADDQ $8, CX
	JE   done
one:
	MOVWLZX -2(SI)(CX*2), BX
	ADDL AX, BX
	MOVL BX, -4(DI)(CX*4)
	DECQ CX
	JNE  one
done:
	RET

// func keepOffsetsAVX2(offsets []uint32, bits []byte, base uint32) (n int)
//
// Y13 is the base, Y12 the last bit, R10 the table, R8 the bits. What is kept is written to the
// front, never beyond what has been read.
TEXT ·keepOffsetsAVX2(SB), NOSPLIT, $0-64
	MOVQ offsets_base+0(FP), SI
	MOVQ offsets_len+8(FP), CX
	MOVQ bits_base+24(FP), R8
	MOVQ bits_len+32(FP), R9
	MOVQ SI, DI
	SHLQ $3, R9
	JE   done
	MOVL base+48(FP), R11
	LEAQ ·together(SB), R10
	LEAL -1(R9), AX
	VMOVD AX, X12
	VPBROADCASTD X12, Y12
	VMOVD R11, X13
	VPBROADCASTD X13, Y13
	SUBQ $8, CX
	JB   few
loop:
	VMOVDQU (SI), Y1
	VPSUBD Y13, Y1, Y0
	VPMINUD Y12, Y0, Y3
	VPCMPEQD Y3, Y0, Y3      // which are within
	VPSRLD $5, Y0, Y4
	VPXOR Y2, Y2, Y2
	VPGATHERDD Y3, (R8)(Y4*4), Y2
	VPCMPEQD Y5, Y5, Y5
	VPANDN Y5, Y0, Y0
	VPSLLD $27, Y0, Y0
	VPSRLD $27, Y0, Y0       // as far must the bit be shifted to be the highest
	VPSLLVD Y0, Y2, Y2
	VMOVMSKPS Y2, AX
	MOVL AX, BX
	SHLL $4, BX
	VPMOVZXWD (R10)(BX*1), Y3
	VPSRLD $1, Y3, Y3
	VPERMD Y1, Y3, Y1
	VMOVDQU Y1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $32, SI
	SUBQ $8, CX
	JAE  loop
few:
	ADDQ $8, CX
	JE   done
one:
	MOVL (SI), AX
	MOVL AX, BX
	MOVL AX, (DI)
	SUBL R11, BX
	CMPQ BX, R9
	JAE  next
	MOVL BX, DX
	SHRL $5, DX
	MOVL (R8)(DX*4), DX
	SHRXL BX, DX, DX
	ANDL $1, DX
	LEAQ (DI)(DX*4), DI
next:
	ADDQ $4, SI
	DECQ CX
	JNE  one
done:
	VZEROUPPER
	SUBQ offsets_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+56(FP)
	RET
