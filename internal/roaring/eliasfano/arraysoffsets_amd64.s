// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "directory_amd64.h"

// The arrays of a directory are widened one after the other, sixteen values at a time. A shorter
// array writes sixteen as well, and the next one overwrites the excess. So the processor only
// guesses whether an array has more than sixteen values. Masks are needed only where the body or
// the room ends.

// func arraysOffsetsAVX512(dst []uint32, a *Arrays, i, end int) (n, next int)
//
// DI is the place in dst, R11 its end. SI is the key of container R15, R8 eight bytes that its end
// closes, R12 the bits of a key, R9 how many bits precede an end in eight bytes. R13 are the
// payloads, R10 their size, R14 the last place from which 32 bytes can be read, DX where the
// payload begins, BX where it ends. AX and CX
// are what is left of it.
TEXT ·arraysOffsetsAVX512(SB), NOSPLIT, $16-64
	BODY(2)
	LEAQ -32(R13)(R10*1), R14
	FIELDS
	START
begin:
	ADDQ endBytes-16(SP), R8
loop:
	CMPQ R15, end+40(FP)
	JAE  done
	BZHIQ R12, (SI), AX
	CMPQ AX, $0x10000
	JAE  done
	SHRXQ R9, (R8), BX
	TESTL $3, BX
	JNE  done
	SHLL $16, AX
	VPBROADCASTD AX, Z30
	SHRQ $2, BX
	CMPQ BX, DX
	JLS  next
	CMPQ BX, R10
	JHI  next
	MOVQ BX, CX
	SUBQ DX, CX
	SHRQ $1, CX
	MOVQ R11, AX
	SUBQ DI, AX
	SHRQ $2, AX
	CMPQ CX, AX
	JHI  done
	LEAQ (R13)(DX*1), AX
sixteen:
	CMPQ AX, R14
	JHI  near
	VPMOVZXWD (AX), Z0
loaded:
	VPADDD Z30, Z0, Z0
	LEAQ 64(DI), DX
	CMPQ DX, R11
	JHI  tail
	VMOVDQU64 Z0, (DI)
	ADDQ $32, AX
	ADDQ $64, DI
	SUBQ $16, CX
	JGT  sixteen
	LEAQ (DI)(CX*4), DI
next:
	MOVQ BX, DX
	ADDQ keyBytes-8(SP), SI
	ADDQ endBytes-16(SP), R8
	INCQ R15
	JMP  loop
near:
	// Less than 32 bytes of the body are left, and less than sixteen values.
	MOVL $-1, DX
	BZHIL CX, DX, DX
	KMOVW DX, K1
	VMOVDQU16.Z (AX), K1, Y0
	VPMOVZXWD Y0, Z0
	JMP  loaded
tail:
	MOVL $-1, DX
	BZHIL CX, DX, DX
	KMOVW DX, K1
	VMOVDQU32 Z0, K1, (DI)
	LEAQ (DI)(CX*4), DI
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $2, DI
	MOVQ DI, n+48(FP)
	MOVQ R15, next+56(FP)
	RET

// func arraysValuesAVX512(dst []uint64, a *Arrays, i, end int) (n, next int)
//
// As arraysOffsetsAVX512, eight values at a time. A single value, which is what most containers of
// such keys have, goes alone. R14 is of use for a while, and AX the key until there are more.
TEXT ·arraysValuesAVX512(SB), NOSPLIT, $24-64
	BODY(3)
	LEAQ -16(R13)(R10*1), R14
	MOVQ R14, last-24(SP)
	FIELDS
	START
begin:
	ADDQ endBytes-16(SP), R8
loop:
	CMPQ R15, end+40(FP)
	JAE  done
	BZHIQ R12, (SI), AX
	SHRXQ R9, (R8), BX
	TESTL $3, BX
	JNE  done
	SHLQ $16, AX
	SHRQ $2, BX
	CMPQ BX, DX
	JLS  next
	CMPQ BX, R10
	JHI  next
	MOVQ BX, CX
	SUBQ DX, CX
	SHRQ $1, CX
	MOVQ R11, R14
	SUBQ DI, R14
	SHRQ $3, R14
	CMPQ CX, R14
	JHI  done
	CMPQ CX, $1
	JEQ  one
	VPBROADCASTQ AX, Z30
	LEAQ (R13)(DX*1), AX
eight:
	CMPQ AX, last-24(SP)
	JHI  near
	VPMOVZXWQ (AX), Z0
loaded:
	VPADDQ Z30, Z0, Z0
	LEAQ 64(DI), DX
	CMPQ DX, R11
	JHI  tail
	VMOVDQU64 Z0, (DI)
	ADDQ $16, AX
	ADDQ $64, DI
	SUBQ $8, CX
	JGT  eight
	LEAQ (DI)(CX*8), DI
next:
	MOVQ BX, DX
	ADDQ keyBytes-8(SP), SI
	ADDQ endBytes-16(SP), R8
	INCQ R15
	JMP  loop
one:
	MOVWQZX (R13)(DX*1), CX
	ORQ  AX, CX
	MOVQ CX, (DI)
	ADDQ $8, DI
	JMP  next
near:
	// Less than 16 bytes of the body are left, and less than eight values.
	MOVL $-1, DX
	BZHIL CX, DX, DX
	KMOVW DX, K1
	VMOVDQU16.Z (AX), K1, X0
	VPMOVZXWQ X0, Z0
	JMP  loaded
tail:
	MOVL $-1, DX
	BZHIL CX, DX, DX
	KMOVW DX, K1
	VMOVDQU64 Z0, K1, (DI)
	LEAQ (DI)(CX*8), DI
	JMP  next
done:
	VZEROUPPER
	SUBQ dst_base+0(FP), DI
	SHRQ $3, DI
	MOVQ DI, n+48(FP)
	MOVQ R15, next+56(FP)
	RET
