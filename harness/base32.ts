/** The bytes of a base32 text, as pages show the secret of a second factor: in groups. */
export function bytesOfBase32(base32: string): Buffer {
  const bits = [...base32.replaceAll(' ', '')]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
