// The checksums of EGTS (GOST 33472-2015, annex Б): both without reflection and without a last xor.

/** Polynomial x^8 + x^5 + x^4 + 1. */
const POLYNOMIAL_8 = 0x31;
/** Polynomial x^16 + x^12 + x^5 + 1. */
const POLYNOMIAL_16 = 0x1021;

const table8 = Uint8Array.from({ length: 256 }, (_, byte) => divide(byte, POLYNOMIAL_8, 8));
const table16 = Uint16Array.from({ length: 256 }, (_, byte) => divide(byte, POLYNOMIAL_16, 16));

function divide(byte: number, polynomial: number, bits: 8 | 16): number {
  const top = 1 << (bits - 1);
  let rest = byte << (bits - 8);
  for (let bit = 0; bit < 8; bit += 1) rest = rest & top ? (rest << 1) ^ polynomial : rest << 1;
  return rest & ((1 << bits) - 1);
}

/** The checksum of a packet's header, over the bytes before it. */
export function crc8(bytes: Uint8Array): number {
  let rest = 0xff;
  for (const byte of bytes) rest = table8[rest ^ byte] ?? 0;
  return rest;
}

/** The checksum of a packet's data. */
export function crc16(bytes: Uint8Array): number {
  let rest = 0xffff;
  for (const byte of bytes) rest = ((rest << 8) & 0xffff) ^ (table16[(rest >> 8) ^ byte] ?? 0);
  return rest;
}
