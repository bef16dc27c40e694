// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Instructions that Go's assembler has no name for, by their encodings (Arm Architecture Reference
// Manual, C7.2). Operands are the numbers of registers, the destination last as
// elsewhere in Go. The text beside each is what LLVM's
// disassembler makes of it: see bench arm64.

// ushl vD.8h, vN.8h, vM.8h: shifts each lane of N by its own distance, to the right where that is
// negative.
#define USHLH(m, n, d) WORD $(0x6E604400 | (m)<<16 | (n)<<5 | (d))
// mul vD.8h, vN.8h, vM.8h.
#define MULH(m, n, d) WORD $(0x4E609C00 | (m)<<16 | (n)<<5 | (d))
// neg vD.8h, vN.8h.
#define NEGH(n, d) WORD $(0x6E60B800 | (n)<<5 | (d))
// ldr qD, [xN, xM, lsl #4]: entry M of a table of 16 bytes each at N.
#define LOADENTRY(m, n, d) WORD $(0x3CE07800 | (m)<<16 | (n)<<5 | (d))
// ushl vD.4s, vN.4s, vM.4s, mul vD.4s, vN.4s, vM.4s and neg vD.4s, vN.4s: as those of eight lanes.
#define USHLS(m, n, d) WORD $(0x6EA04400 | (m)<<16 | (n)<<5 | (d))
#define MULS(m, n, d) WORD $(0x4EA09C00 | (m)<<16 | (n)<<5 | (d))
#define NEGS(n, d) WORD $(0x6EA0B800 | (n)<<5 | (d))
