// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "directory_amd64.h"

// As arraysoffsets_amd64.s, eight values at a time. Of the last sixteen bytes of the body, which
// all the arrays of a small directory may be, those before the values are shuffled away; where
// there is no room for eight, values go one by one.

// The numbers 0 to 15, and then bytes that a shuffle makes zeros.
DATA moved<>+0(SB)/8, $0x0706050403020100
DATA moved<>+8(SB)/8, $0x0F0E0D0C0B0A0908
DATA moved<>+16(SB)/8, $0x8080808080808080
DATA moved<>+24(SB)/8, $0x8080808080808080
GLOBL moved<>(SB), RODATA|NOPTR, $32

// DIRECTORY reads where the fields stand, of values of 2^SCALE bytes in dst, and jumps to begin if
// container i is the first one.
#define DIRECTORY(SCALE) \
	BODY(SCALE)                    \
	MOVQ R13, body-24(SP)          \
	LEAQ -16(R13)(R10*1), R14      \
	FIELDS                         \
	MOVQ R10, size-32(SP)          \
	START

// ARRAY leaves in BX where the array of container R15 ends, in AX the place of its values and in CX
// the end of these in dst, where they take SIZE bytes each. It jumps to done if it is no array or
// there is no room, and to next if its end is not valid.
#define ARRAY(SIZE) \
	SHRXQ R9, (R8), BX             \
	TESTL $3, BX                   \
	JNE  done                      \
	SHLQ $16, R10                  \
	SHRQ $2, BX                    \
	CMPQ BX, DX                    \
	JLS  next                      \
	CMPQ BX, size-32(SP)           \
	JHI  next                      \
	MOVQ BX, CX                    \
	SUBQ DX, CX                    \
	SHRQ $1, CX                    \
	LEAQ (DI)(CX*SIZE), CX         \
	CMPQ CX, R11                   \
	JHI  done                      \
	LEAQ (R13)(DX*1), AX

// NEXT goes on to the next container.
#define NEXT \
	MOVQ BX, DX                    \
	ADDQ keyBytes-8(SP), SI        \
	ADDQ endBytes-16(SP), R8       \
	INCQ R15                       \
	JMP  loop

// PASSED returns how many values of 2^SCALE bytes have been written, and the container to go on
// from.
#define PASSED(SCALE) \
	VZEROUPPER                     \
	SUBQ dst_base+0(FP), DI        \
	SHRQ $SCALE, DI                \
	MOVQ DI, n+48(FP)              \
	MOVQ R15, next+56(FP)          \
	RET

// LAST leaves in X0 what is left of the body from AX on, less than sixteen bytes, and zeros behind
// it. It jumps to one if the body has not sixteen bytes. DX is overwritten.
#define LAST \
	CMPQ R14, body-24(SP)          \
	JCS  one                       \
	SUBQ R14, AX                   \
	VMOVDQU (R14), X0              \
	LEAQ moved<>(SB), DX           \
	VPSHUFB (DX)(AX*1), X0, X0

// func arraysOffsetsAVX2(dst []uint32, a *Arrays, i, end int) (n, next int)
//
// DI is the place in dst, R11 its end. SI is the key of container R15, R8 eight bytes that its end
// closes, R12 the bits of a key, R9 how many bits precede an end in eight bytes. R13 are the
// payloads, R14 the last place from which sixteen bytes can be read, DX where the payload begins,
// BX where it ends. AX is the place in it,
// R10 the key as it stands in the values, CX the end of these in dst.
TEXT ·arraysOffsetsAVX2(SB), NOSPLIT, $32-64
	DIRECTORY(2)
begin:
	ADDQ endBytes-16(SP), R8
loop:
	CMPQ R15, end+40(FP)
	JAE  done
	BZHIQ R12, (SI), R10
	CMPQ R10, $0x10000
	JAE  done
	ARRAY(4)
	VMOVD R10, X3
	VPBROADCASTD X3, Y3
eight:
	LEAQ 32(DI), DX
	CMPQ DX, R11
	JHI  one
	CMPQ AX, R14
	JHI  last
	VPMOVZXWD (AX), Y0
	VPADDD Y3, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $16, AX
	MOVQ DX, DI
	CMPQ DI, CX
	JCS  eight
	MOVQ CX, DI
next:
	NEXT
last:
	LAST
	VPMOVZXWD X0, Y0
	VPADDD Y3, Y0, Y0
	VMOVDQU Y0, (DI)
	MOVQ CX, DI
	JMP  next
one:
	CMPQ DI, CX
	JAE  next
	MOVWLZX (AX), DX
	ADDL R10, DX
	MOVL DX, (DI)
	ADDQ $2, AX
	ADDQ $4, DI
	JMP  one
done:
	PASSED(2)

// func arraysValuesAVX2(dst []uint64, a *Arrays, i, end int) (n, next int)
//
// As arraysOffsetsAVX2.
TEXT ·arraysValuesAVX2(SB), NOSPLIT, $32-64
	DIRECTORY(3)
begin:
	ADDQ endBytes-16(SP), R8
loop:
	CMPQ R15, end+40(FP)
	JAE  done
	BZHIQ R12, (SI), R10
	ARRAY(8)
	VMOVQ R10, X3
	VPBROADCASTQ X3, Y3
eight:
	LEAQ 64(DI), DX
	CMPQ DX, R11
	JHI  one
	CMPQ AX, R14
	JHI  last
	VPMOVZXWQ (AX), Y0
	VPMOVZXWQ 8(AX), Y1
	VPADDQ Y3, Y0, Y0
	VPADDQ Y3, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $16, AX
	MOVQ DX, DI
	CMPQ DI, CX
	JCS  eight
	MOVQ CX, DI
next:
	NEXT
last:
	LAST
	VPMOVZXWQ X0, Y1
	VPSRLDQ $8, X0, X0
	VPMOVZXWQ X0, Y2
	VPADDQ Y3, Y1, Y1
	VPADDQ Y3, Y2, Y2
	VMOVDQU Y1, (DI)
	VMOVDQU Y2, 32(DI)
	MOVQ CX, DI
	JMP  next
one:
	CMPQ DI, CX
	JAE  next
	MOVWLZX (AX), DX
	ADDQ R10, DX
	MOVQ DX, (DI)
	ADDQ $2, AX
	ADDQ $8, DI
	JMP  one
done:
	PASSED(3)
