// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// As lists of 64 bits (valuesand_amd64.s), but sixteen values of a are compared with eight of b: as
// long as the comparisons take, so long does a step wait for the one before it. Blocks of fewer
// values at the ends are filled up: what remains of a is
// masked, and of b its first one is repeated.

// EIGHT leaves in K1 which of the sixteen values in Z1 are among the eight at B.
#define EIGHT(B) \
	VPCMPEQD.BCST (B), Z1, K1    \
	VPCMPEQD.BCST 4(B), Z1, K2   \
	VPCMPEQD.BCST 8(B), Z1, K3   \
	VPCMPEQD.BCST 12(B), Z1, K4  \
	KORW K1, K2, K1              \
	KORW K3, K4, K3              \
	VPCMPEQD.BCST 16(B), Z1, K5  \
	VPCMPEQD.BCST 20(B), Z1, K6  \
	VPCMPEQD.BCST 24(B), Z1, K7  \
	VPCMPEQD.BCST 28(B), Z1, K2  \
	KORW K5, K6, K5              \
	KORW K7, K2, K7              \
	KORW K1, K3, K1              \
	KORW K5, K7, K5              \
	KORW K1, K5, K1

// ADVANCE moves on in a, or b, or both, by R12 and R13 bytes: the ones with the smaller last value,
// which are given.
#define ADVANCE(LASTA, LASTB) \
	MOVL LASTA, BX               \
	MOVL LASTB, CX               \
	XORL AX, AX                  \
	CMPL CX, BX                  \
	CMOVQCS AX, R12              \
	CMPL BX, CX                  \
	CMOVQCS AX, R13              \
	ADDQ R12, SI                 \
	ADDQ R13, DX

// AHEAD has the last values of both blocks in BX and CX, and leaves those of the next ones there,
// with SI and DX at these: as ADVANCE, but what may be the next last values is read before it is
// known which one it is, so that
// a step waits for reading memory two steps before and not one. Both lists must have two blocks
// left: their ends less as many are compared as numbers with a sign, as there may be nothing.
#define AHEAD \
	MOVL 124(SI), R12            \
	MOVL 60(DX), R13             \
	LEAQ 64(SI), AX              \
	LEAQ 32(DX), R15             \
	CMPL CX, BX                  \
	CMOVQCC AX, SI               \
	MOVL BX, AX                  \
	CMOVLCC R12, BX              \
	CMPL AX, CX                  \
	CMOVQCC R15, DX              \
	CMOVLCC R13, CX

// PART leaves what is left of a in Z1, with K0 for its lanes, and of b in memory at R15; R12 and
// R13 are their bytes. It jumps to done if there is nothing left of one of them.
#define PART \
	MOVQ R8, R12                 \
	SUBQ SI, R12                 \
	JE   done                    \
	MOVQ R9, R13                 \
	SUBQ DX, R13                 \
	JE   done                    \
	MOVL $64, BX                 \
	CMPQ R12, BX                 \
	CMOVQHI BX, R12              \
	MOVL $32, BX                 \
	CMPQ R13, BX                 \
	CMOVQHI BX, R13              \
	MOVL $-1, CX                 \
	MOVL R12, AX                 \
	SHRL $2, AX                  \
	BZHIL AX, CX, AX             \
	KMOVW AX, K0                 \
	MOVL R13, BX                 \
	SHRL $2, BX                  \
	BZHIL BX, CX, BX             \
	KMOVW BX, K2                 \
	KMOVW AX, K1                 \
	VMOVDQU32.Z (SI), K1, Z1     \
	VPBROADCASTD (DX), Y2        \
	VMOVDQU32 (DX), K2, Y2       \
	LEAQ part-32(SP), R15        \
	VMOVDQU32 Y2, (R15)

// func offsetsAndLenAVX512(a, b []uint32) (n, i, j int)
//
// SI and DX are the places in a and b, R8 and R9 their ends, R10 what they have in common.
TEXT ·offsetsAndLenAVX512(SB), NOSPLIT, $32-72
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), R8
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	LEAQ (SI)(R8*4), R8
	LEAQ (DX)(R9*4), R9
	XORL R10, R10
	SUBQ $128, R8
	SUBQ $64, R9
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JGT  end
	MOVL 60(SI), BX
	MOVL 28(DX), CX
ahead:
	VMOVDQU64 (SI), Z1
	EIGHT(DX)
	AHEAD
	KMOVW K1, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JLE  ahead
end:
	ADDQ $128, R8
	ADDQ $64, R9
next:
	LEAQ 64(SI), AX
	LEAQ 32(DX), BX
	CMPQ AX, R8
	JHI  part
	CMPQ BX, R9
	JHI  part
	VMOVDQU64 (SI), Z1
	EIGHT(DX)
	MOVL $64, R12
	MOVL $32, R13
	ADVANCE(60(SI), 28(DX))
	KMOVW K1, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	JMP  next
part:
	PART
	EIGHT(R15)
	ADVANCE(-4(SI)(R12*1), -4(DX)(R13*1))
	KANDW K0, K1, K1
	KMOVW K1, AX
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

// func offsetsAndAVX512(dst, a, b []uint32) (n, i, j int)
//
// R11 is the end of dst: what has no room there is not written, as only lists that do not ascend
// have more in common than fits.
TEXT ·offsetsAndAVX512(SB), NOSPLIT, $32-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ (DI)(R11*4), R11
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), R8
	MOVQ b_base+48(FP), DX
	MOVQ b_len+56(FP), R9
	LEAQ (SI)(R8*4), R8
	LEAQ (DX)(R9*4), R9
	SUBQ $128, R8
	SUBQ $64, R9
	SUBQ $64, R11
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JGT  end
	MOVL 60(SI), BX
	MOVL 28(DX), CX
ahead:
	CMPQ DI, R11
	JGT  end
	VMOVDQU64 (SI), Z1
	EIGHT(DX)
	AHEAD
	KMOVW K1, AX
	VPCOMPRESSD.Z Z1, K1, Z1
	VMOVDQU64 Z1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	CMPQ SI, R8
	JGT  end
	CMPQ DX, R9
	JLE  ahead
end:
	ADDQ $128, R8
	ADDQ $64, R9
	ADDQ $64, R11
next:
	LEAQ 64(SI), AX
	LEAQ 32(DX), BX
	CMPQ AX, R8
	JHI  part
	CMPQ BX, R9
	JHI  part
	LEAQ 64(DI), AX
	CMPQ AX, R11
	JHI  part
	VMOVDQU64 (SI), Z1
	EIGHT(DX)
	MOVL $64, R12
	MOVL $32, R13
	ADVANCE(60(SI), 28(DX))
	VPCOMPRESSD.Z Z1, K1, Z1
	VMOVDQU64 Z1, (DI)
	KMOVW K1, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	JMP  next
part:
	PART
	EIGHT(R15)
	ADVANCE(-4(SI)(R12*1), -4(DX)(R13*1))
	KANDW K0, K1, K1
	VPCOMPRESSD.Z Z1, K1, Z1
	KMOVW K1, AX
	POPCNTL AX, AX
	MOVQ R11, BX
	SUBQ DI, BX
	SHRQ $2, BX
	CMPQ AX, BX
	CMOVQHI BX, AX
	MOVL $-1, CX
	BZHIL AX, CX, CX
	KMOVW CX, K1
	VMOVDQU32 Z1, K1, (DI)
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

// func arrayOffsetsAVX512(dst []uint32, lows []byte, base uint32)
TEXT ·arrayOffsetsAVX512(SB), NOSPLIT, $0-52
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ lows_base+24(FP), SI
	MOVQ lows_len+32(FP), AX
	SHRQ $1, AX
	CMPQ CX, AX
	CMOVQHI AX, CX
	MOVL base+48(FP), AX
	VPBROADCASTD AX, Z30
	SUBQ $32, CX
	JB   few
loop:
	VPMOVZXWD (SI), Z0
	VPMOVZXWD 32(SI), Z1
	VPADDD Z30, Z0, Z0
	VPADDD Z30, Z1, Z1
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	ADDQ $64, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JAE  loop
few:
	ADDQ $32, CX
part:
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVW AX, K1
	VMOVDQU16.Z (SI), K1, Y0
	VPMOVZXWD Y0, Z0
	VPADDD Z30, Z0, Z0
	VMOVDQU32 Z0, K1, (DI)
	ADDQ $32, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JHI  part
	VZEROUPPER
	RET

// func keepOffsetsAVX512(offsets []uint32, bits []byte, base uint32) (n int)
//
// Z31 is the base, Z30 the number of bits, Z29 a one in each lane. What is kept is written to the
// front, never beyond what has been read.
TEXT ·keepOffsetsAVX512(SB), NOSPLIT, $0-64
	MOVQ offsets_base+0(FP), SI
	MOVQ offsets_len+8(FP), CX
	MOVQ bits_base+24(FP), R8
	MOVQ bits_len+32(FP), AX
	SHLQ $3, AX
	VPBROADCASTD AX, Z30
	MOVL base+48(FP), AX
	VPBROADCASTD AX, Z31
	MOVL $1, AX
	VPBROADCASTD AX, Z29
	MOVQ SI, DI
	SUBQ $16, CX
	JB   part
loop:
	VMOVDQU32 (SI), Z0
	VPSUBD Z31, Z0, Z1
	VPCMPUD $1, Z30, Z1, K1
	VPSRLD $5, Z1, Z2
	KMOVW K1, K2
	VPXORD Z3, Z3, Z3
	VPGATHERDD (R8)(Z2*4), K2, Z3
	VPRORVD Z1, Z3, Z3
	VPTESTMD Z29, Z3, K1, K1
	VPCOMPRESSD.Z Z0, K1, Z0
	KMOVW K1, AX
	VMOVDQU32 Z0, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	ADDQ $64, SI
	SUBQ $16, CX
	JAE  loop
part:
	ADDQ $16, CX
	JE   done
	MOVL $-1, AX
	BZHIL CX, AX, AX
	KMOVW AX, K3
	VMOVDQU32.Z (SI), K3, Z0
	VPSUBD Z31, Z0, Z1
	VPCMPUD $1, Z30, Z1, K3, K1
	VPSRLD $5, Z1, Z2
	KMOVW K1, K2
	VPXORD Z3, Z3, Z3
	VPGATHERDD (R8)(Z2*4), K2, Z3
	VPRORVD Z1, Z3, Z3
	VPTESTMD Z29, Z3, K1, K1
	VPCOMPRESSD.Z Z0, K1, Z0
	VMOVDQU32 Z0, K3, (DI)
	KMOVW K1, AX
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
done:
	VZEROUPPER
	SUBQ offsets_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+56(FP)
	RET
