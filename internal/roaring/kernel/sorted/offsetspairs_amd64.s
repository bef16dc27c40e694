// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// As offsets_amd64.s, but VP2INTERSECTD compares sixteen values with sixteen, where a processor
// does so in one cycle (internal/roaring/cpu/path_amd64.go).

// INTERSECT is VP2INTERSECTD Z2, Z1, K2, which the assembler does not know: it leaves in K2 which
// values of Z1 are among those of Z2, and in K3 the reverse.
#define INTERSECT \
	BYTE $0x62; BYTE $0xF2; BYTE $0x77; BYTE $0x48; BYTE $0x68; BYTE $0xD2

// AHEAD is that of offsets_amd64.s for sixteen values of each. BX and CX have the last values of
// both blocks, and get the last values of the next ones. SI and DX are the places of the blocks.
#define AHEAD \
	MOVL 124(SI), R12            \
	MOVL 124(DX), R13            \
	LEAQ 64(SI), AX              \
	LEAQ 64(DX), R15             \
	CMPL CX, BX                  \
	CMOVQCC AX, SI               \
	MOVL BX, AX                  \
	CMOVLCC R12, BX              \
	CMPL AX, CX                  \
	CMOVQCC R15, DX              \
	CMOVLCC R13, CX

// func offsetsAndLenPairsAVX512(a, b []uint32) (n, i, j int)
//
// SI and DX are the places in a and b, R8 and R9 their ends less two blocks, R10 what they have in
// common.
TEXT ·offsetsAndLenPairsAVX512(SB), NOSPLIT, $0-72
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), R8
	MOVQ b_base+24(FP), DX
	MOVQ b_len+32(FP), R9
	LEAQ -128(SI)(R8*4), R8
	LEAQ -128(DX)(R9*4), R9
	XORL R10, R10
	CMPQ SI, R8
	JGT  done
	CMPQ DX, R9
	JGT  done
	MOVL 60(SI), BX
	MOVL 60(DX), CX
ahead:
	VMOVDQU64 (SI), Z1
	VMOVDQU64 (DX), Z2
	INTERSECT
	AHEAD
	KMOVW K2, AX
	POPCNTL AX, AX
	ADDQ AX, R10
	CMPQ SI, R8
	JGT  done
	CMPQ DX, R9
	JLE  ahead
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

// func offsetsAndPairsAVX512(dst, a, b []uint32) (n, i, j int)
//
// R11 is the end of dst less a block.
TEXT ·offsetsAndPairsAVX512(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), R11
	LEAQ -64(DI)(R11*4), R11
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), R8
	MOVQ b_base+48(FP), DX
	MOVQ b_len+56(FP), R9
	LEAQ -128(SI)(R8*4), R8
	LEAQ -128(DX)(R9*4), R9
	CMPQ SI, R8
	JGT  done
	CMPQ DX, R9
	JGT  done
	MOVL 60(SI), BX
	MOVL 60(DX), CX
ahead:
	CMPQ DI, R11
	JGT  done
	VMOVDQU64 (SI), Z1
	VMOVDQU64 (DX), Z2
	INTERSECT
	AHEAD
	KMOVW K2, AX
	VPCOMPRESSD.Z Z1, K2, Z1
	VMOVDQU64 Z1, (DI)
	POPCNTL AX, AX
	LEAQ (DI)(AX*4), DI
	CMPQ SI, R8
	JGT  done
	CMPQ DX, R9
	JLE  ahead
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
