// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Packed blocks are decoded in two passes. The first takes a word of the upper part at a time: a
// table has the zeros before each one of a byte, to which those before the byte are added;
// the counts of all bytes are added up by a multiplication, so that no byte waits for the one
// before it. The second takes eight lower parts at a time: as they stand at a fixed
// stride, and eight of them take whole bytes, two TBL with the same indexes fetch the three bytes
// that each may touch, and USHL shifts each by its own distance.

DATA lanes16<>+0(SB)/8, $0x0003000200010000
DATA lanes16<>+8(SB)/8, $0x0007000600050004
GLOBL lanes16<>(SB), RODATA|NOPTR, $16
DATA eighths<>+0(SB)/8, $0x0018001000080000
DATA eighths<>+8(SB)/8, $0x0038003000280020
GLOBL eighths<>(SB), RODATA|NOPTR, $16

// func upperLowsNEON(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left
// uint64)
//
// R4 is the word, R10 the number of zeros before it, R9 the end. R0 is the place in dst, R11 its
// end, R8 the last place at which there is room for a word.
TEXT ·upperLowsNEON(SB), NOSPLIT, $0-104
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	AND  $~1, R11
	ADD  R0, R11
	SUB  $128, R11, R8
	MOVD words_base+24(FP), R1
	MOVD words_len+32(FP), R12
	AND  $~7, R12
	ADD  R1, R12
	MOVD word+48(FP), R4
	MOVD zeros+56(FP), R10
	MOVD end+64(FP), R9
	MOVD low+72(FP), R15
	VDUP R15, V28.H8
	MOVD $eighths<>(SB), R2
	FMOVQ (R2), F29
	MOVD $·zerosBefore(SB), R13
	MOVD $0x0101010101010101, R14
word:
	FMOVD R4, F0
	VCNT V0.B8, V0.B8
	FMOVD F0, R5
	MUL  R14, R5, R5         // byte k: the ones of bytes 0 to k
	LSR  $56, R5, R16
	ADD  $64, R10, R17
	SUB  R16, R17
	CMP  R9, R17
	BGE  each                // the end lies in this word
	CMP  R8, R0
	BGT  each
	LSL  $8, R5, R6          // byte k: the ones before byte k
	FMOVD R6, F0
	VUXTL V0.B8, V0.H8
	VDUP R10, V1.H8
	VADD V29.H8, V1.H8, V1.H8
	VSUB V0.H8, V1.H8, V1.H8 // lane k: the zeros before byte k

// UPPERS writes the upper parts of byte K.
#define UPPERS(K) \
	UBFX $(8*K), R4, $8, R2        \
	UBFX $(8*K), R6, $8, R3        \
	LOADENTRY(2, 13, 4)            \
	VDUP V1.H[K], V2.H8            \
	ADD  R3<<1, R0, R3             \
	VADD V2.H8, V4.H8, V4.H8       \
	USHLH(28, 4, 4)                \
	FMOVQ F4, (R3)

	UPPERS(0)
	UPPERS(1)
	UPPERS(2)
	UPPERS(3)
	UPPERS(4)
	UPPERS(5)
	UPPERS(6)
	UPPERS(7)
	ADD  R16<<1, R0
	MOVD R17, R10
more:
	MOVD ZR, R4
	CMP  R9, R10
	BGE  done
	CMP  R12, R1
	BHS  done
	CMP  R11, R0
	BHS  done
	MOVD.P 8(R1), R4
	B    word
each:
	CBZ  R4, last
one:
	RBIT R4, R2
	CLZ  R2, R2
	ADD  R10, R2
	CMP  R11, R0
	BHS  done
	CMP  R9, R2
	BGE  done
	LSL  R15, R2, R2
	MOVH.P R2, 2(R0)
	SUB  $1, R4, R3
	SUB  $1, R10
	ANDS R3, R4
	BNE  one
last:
	ADD  $64, R10
	B    more
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $1, R0
	MOVD R0, n+80(FP)
	MOVD words_base+24(FP), R3
	SUB  R3, R1
	MOVD R1, read+88(FP)
	MOVD R4, left+96(FP)
	RET

// func orLowersNEON(lows, block []byte, off int, low uint) (n int)
//
// It returns the number of values whose lower parts it has added: it ends where less than eight
// values are left, or less than 18 bytes of the block from their first on. V26 and V27 have the
// bytes that a lane is fetched from, the second counted from two bytes later; V28 and V29 its
// distances in bits, to the right and to the left; V30 which bits count.
TEXT ·orLowersNEON(SB), NOSPLIT, $0-72
	MOVD lows_base+0(FP), R0
	MOVD lows_len+8(FP), R3
	MOVD block_base+24(FP), R1
	MOVD block_len+32(FP), R8
	ADD  R1, R8
	SUB  $18, R8
	MOVD off+48(FP), R4
	MOVD low+56(FP), R9
	LSR  $3, R4, R5
	ADD  R5, R1
	AND  $7, R4
	MOVD $lanes16<>(SB), R2
	FMOVQ (R2), F0
	VDUP R9, V1.H8
	MULH(1, 0, 0)
	VDUP R4, V1.H8
	VADD V1.H8, V0.H8, V0.H8 // bit at which each lane begins
	VMOVI $7, V1.B16
	VUSHR $8, V1.H8, V1.H8
	VAND V1.B16, V0.B16, V2.B16
	NEGH(2, 28)
	MOVD $16, R2
	VDUP R2, V3.H8
	VSUB V2.H8, V3.H8, V29.H8
	VUSHR $3, V0.H8, V0.H8
	VSHL $8, V0.H8, V1.H8
	MOVD $0xFF00, R2
	VDUP R2, V3.H8
	VORR V3.B16, V0.B16, V27.B16
	VORR V1.B16, V0.B16, V26.B16
	MOVD $0x0100, R2
	VDUP R2, V3.H8
	VADD V3.H8, V26.H8, V26.H8
	MOVD $1, R2
	LSL  R9, R2, R2
	SUB  $1, R2
	VDUP R2, V30.H8
	SUBS $16, R3
	BLO  done
loop:
	CMP  R8, R1
	BGT  done
	FMOVQ (R1), F0
	FMOVQ 2(R1), F1
	FMOVQ (R0), F4
	VTBL V26.B16, [V0.B16], V2.B16
	VTBL V27.B16, [V1.B16], V3.B16
	USHLH(28, 2, 2)
	USHLH(29, 3, 3)
	VORR V3.B16, V2.B16, V2.B16
	VAND V30.B16, V2.B16, V2.B16
	VORR V4.B16, V2.B16, V2.B16
	FMOVQ.P F2, 16(R0)
	ADD  R9, R1
	SUBS $16, R3
	BHS  loop
done:
	MOVD lows_base+0(FP), R3
	SUB  R3, R0
	LSR  $1, R0
	MOVD R0, n+64(FP)
	RET

// func packedValuesNEON(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int,
// low uint, base uint64) (n, read int, left uint64)
//
// One value at a time, without a branch but that of the loop: R4 is the word, R10 the number of
// zeros before it less what is done, R6 the bit at which the next lower part begins, R7 the
// last bit from which a part has eight bytes.
TEXT ·packedValuesNEON(SB), NOSPLIT, $0-136
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	ADD  R11<<3, R0, R11
	MOVD words_base+24(FP), R1
	MOVD words_len+32(FP), R12
	AND  $~7, R12
	ADD  R1, R12
	MOVD word+48(FP), R4
	MOVD zeros+56(FP), R10
	MOVD block_base+64(FP), R8
	MOVD block_len+72(FP), R7
	LSL  $3, R7
	SUB  $57, R7             // 8·len − 64 and the seven bits of a byte
	MOVD off+88(FP), R6
	MOVD low+96(FP), R9
	MOVD base+104(FP), R13
	MOVD $1, R2
	LSL  R9, R2, R14
	SUB  $1, R14             // which bits count
word:
	CBZ  R4, next
one:
	CMP  R11, R0
	BHS  done
	CMP  R7, R6
	BGT  done
	LSR  $3, R6, R2
	MOVD (R8)(R2), R3
	AND  $7, R6, R2
	RBIT R4, R5
	LSR  R2, R3, R3
	CLZ  R5, R5
	AND  R14, R3
	ADD  R10, R5
	SUB  $1, R4, R2
	LSL  R9, R5, R5
	SUB  $1, R10
	ORR  R5, R3
	ADD  R9, R6
	ADD  R13, R3
	ANDS R2, R4
	MOVD.P R3, 8(R0)
	BNE  one
next:
	ADD  $64, R10
	CMP  R12, R1
	BHS  done
	MOVD.P 8(R1), R4
	B    word
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $3, R0
	MOVD R0, n+112(FP)
	MOVD words_base+24(FP), R3
	SUB  R3, R1
	MOVD R1, read+120(FP)
	MOVD R4, left+128(FP)
	RET
