// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Instructions that Go's assembler has no name for, by their encodings (Arm Architecture Reference
// Manual, C7.2). Operands are the numbers of registers, the destination last as
// elsewhere in Go. The text beside each is what LLVM's
// disassembler makes of it: see bench arm64.

// bic vD.16b, vN.16b, vM.16b: N without the bits of M.
#define BICV(m, n, d) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))
// cmhi vD.8h, vN.8h, vM.8h: which lanes of N are larger, unsigned.
#define CMHIH(m, n, d) WORD $(0x6E603400 | (m)<<16 | (n)<<5 | (d))
// ldr qD, [xN, xM, lsl #4]: entry M of a table of 16 bytes each at N.
#define LOADENTRY(m, n, d) WORD $(0x3CE07800 | (m)<<16 | (n)<<5 | (d))
// umaxp vD.4s, vN.4s, vM.4s: the larger one of neighbours, of N and then of M.
#define UMAXPS(m, n, d) WORD $(0x6EA0A400 | (m)<<16 | (n)<<5 | (d))
