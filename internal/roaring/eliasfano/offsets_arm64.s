// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// As lows are decoded (packed_arm64.s), but into lanes of 32 bits: the zeros before each one of a
// byte, and those before the byte in its word, are widened when those before the word are added to
// them.

DATA eighths<>+0(SB)/8, $0x0018001000080000
DATA eighths<>+8(SB)/8, $0x0038003000280020
GLOBL eighths<>(SB), RODATA|NOPTR, $16
DATA lanes32<>+0(SB)/8, $0x0000000100000000
DATA lanes32<>+8(SB)/8, $0x0000000300000002
GLOBL lanes32<>(SB), RODATA|NOPTR, $16

// UPPERS writes the upper parts of byte K.
#define UPPERS(K) \
	UBFX $(8*K), R4, $8, R2        \
	UBFX $(8*K), R6, $8, R3        \
	LOADENTRY(2, 13, 4)            \
	VDUP V1.H[K], V2.H8            \
	ADD  R3<<2, R0, R3             \
	VADD V2.H8, V4.H8, V4.H8       \
	VUADDW V4.H4, V20.S4, V5.S4    \
	VUADDW2 V4.H8, V20.S4, V6.S4   \
	USHLS(28, 5, 5)                \
	USHLS(28, 6, 6)                \
	FSTPQ (F5, F6), (R3)

// func upperOffsetsNEON(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int,
// left uint64)
//
// R4 is the word, R10 the number of zeros before it. R0 is the place in dst, R11 its end, R8 the
// last place at which there is room for a word: behind it, bytes are asked one by one whether
// there is room for eight values, and then ones. R17 is how many bits of the word are done there.
TEXT ·upperOffsetsNEON(SB), NOSPLIT, $0-96
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	ADD  R11<<2, R0, R11
	SUB  $256, R11, R8
	MOVD words_base+24(FP), R1
	MOVD words_len+32(FP), R12
	AND  $~7, R12
	ADD  R1, R12
	MOVD word+48(FP), R4
	MOVD zeros+56(FP), R10
	MOVD low+64(FP), R15
	VDUP R15, V28.S4
	MOVD $eighths<>(SB), R2
	FMOVQ (R2), F29
	MOVD $·zerosBefore(SB), R13
	MOVD $0x0101010101010101, R14
word:
	CMP  R8, R0
	BGT  near
	FMOVD R4, F0
	VCNT V0.B8, V0.B8
	VDUP R10, V20.S4
	FMOVD F0, R5
	MUL  R14, R5, R5         // byte k: the ones of bytes 0 to k
	LSR  $56, R5, R16
	ADD  $64, R10
	SUB  R16, R10
	LSL  $8, R5, R6          // byte k: the ones before byte k
	FMOVD R6, F0
	VUXTL V0.B8, V0.H8
	VSUB V0.H8, V29.H8, V1.H8 // lane k: the zeros before byte k in the word
	UPPERS(0)
	UPPERS(1)
	UPPERS(2)
	UPPERS(3)
	UPPERS(4)
	UPPERS(5)
	UPPERS(6)
	UPPERS(7)
	ADD  R16<<2, R0
more:
	MOVD ZR, R4
	CMP  R12, R1
	BHS  done
	CMP  R11, R0
	BHS  done
	MOVD.P 8(R1), R4
	B    word
near:
	MOVD ZR, R17
	CBZ  R4, last
byte:
	ADD  $32, R0, R2
	CMP  R11, R2
	BHI  one
	AND  $0xFF, R4, R2
	FMOVD R2, F0
	VCNT V0.B8, V0.B8
	LOADENTRY(2, 13, 4)
	VDUP R10, V20.S4
	FMOVD F0, R3
	VUADDW V4.H4, V20.S4, V5.S4
	VUADDW2 V4.H8, V20.S4, V6.S4
	USHLS(28, 5, 5)
	USHLS(28, 6, 6)
	FSTPQ (F5, F6), (R0)
	ADD  R3<<2, R0
	ADD  $8, R10
	SUB  R3, R10
	ADD  $8, R17
	LSR  $8, R4
	CBNZ R4, byte
last:
	ADD  $64, R10
	SUB  R17, R10
	B    more
one:
	CMP  R11, R0
	BHS  full
	RBIT R4, R2
	CLZ  R2, R2
	ADD  R10, R2
	LSL  R15, R2, R2
	MOVW.P R2, 4(R0)
	SUB  $1, R4, R3
	SUB  $1, R10
	ANDS R3, R4
	BNE  one
	B    last
full:
	LSL  R17, R4
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $2, R0
	MOVD R0, n+72(FP)
	MOVD words_base+24(FP), R3
	SUB  R3, R1
	MOVD R1, read+80(FP)
	MOVD R4, left+88(FP)
	RET

// LANES leaves in PLACE the bytes that four lanes are fetched from, and in SHIFT their distances in
// bits. The first lane begins at bit BIT of what is loaded.
#define LANES(BIT, PLACE, SHIFT) \
	VDUP BIT, V5.S4                \
	VADD V0.S4, V5.S4, V5.S4       \
	VAND V1.B16, V5.B16, V6.B16    \
	NEGS(6, SHIFT)                 \
	VUSHR $3, V5.S4, V5.S4         \
	MULS(2, 5, 5)                  \
	VADD V3.S4, V5.S4, PLACE

// func addLowersNEON(offsets []uint32, block []byte, off int, low uint) (n int)
//
// It returns the number of offsets to which lower parts are added: it ends where less than eight
// are left, or two loads of 16 bytes reach beyond the block. R5 is how far the second one is behind
// the first.
TEXT ·addLowersNEON(SB), NOSPLIT, $0-72
	MOVD offsets_base+0(FP), R0
	MOVD offsets_len+8(FP), R3
	MOVD block_base+24(FP), R1
	MOVD block_len+32(FP), R8
	ADD  R1, R8
	MOVD off+48(FP), R4
	MOVD low+56(FP), R9
	LSR  $3, R4, R5
	ADD  R5, R1
	AND  $7, R4
	ADD  R9<<2, R4, R6       // bit at which the second four begin
	LSR  $3, R6, R5
	AND  $7, R6
	SUB  R5, R8
	SUB  $16, R8
	MOVD $lanes32<>(SB), R2
	FMOVQ (R2), F0
	VDUP R9, V1.S4
	MULS(1, 0, 0)
	VMOVI $7, V1.B16
	VUSHR $24, V1.S4, V1.S4
	MOVD $0x01010101, R2
	VDUP R2, V2.S4
	MOVD $0x03020100, R2
	VDUP R2, V3.S4
	LANES(R4, V26.S4, 28)
	LANES(R6, V27.S4, 29)
	MOVD $1, R2
	LSL  R9, R2, R2
	SUB  $1, R2
	VDUP R2, V30.S4
	SUBS $8, R3
	BLT  done
loop:
	CMP  R8, R1
	BGT  done
	FMOVQ (R1), F0
	ADD  R5, R1, R2
	FMOVQ (R2), F1
	FLDPQ (R0), (F4, F5)
	VTBL V26.B16, [V0.B16], V2.B16
	VTBL V27.B16, [V1.B16], V3.B16
	USHLS(28, 2, 2)
	USHLS(29, 3, 3)
	VAND V30.B16, V2.B16, V2.B16
	VAND V30.B16, V3.B16, V3.B16
	VORR V4.B16, V2.B16, V2.B16
	VORR V5.B16, V3.B16, V3.B16
	FSTPQ.P (F2, F3), 32(R0)
	ADD  R9, R1
	SUBS $8, R3
	BGE  loop
done:
	MOVD offsets_base+0(FP), R3
	SUB  R3, R0
	LSR  $2, R0
	MOVD R0, n+64(FP)
	RET
