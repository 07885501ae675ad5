// Damage of packets, as a link does it: a byte is changed, lost or inserted.
import fc from 'fast-check';
import { crc8, crc16 } from '../ingest/egts/checksums.ts';

export interface Damage {
  readonly packet: number;
  readonly kind: 'change' | 'lose' | 'insert';
  readonly place: number;
  readonly byte: number;
}

/** Random damage of one of several packets. */
export const damage: fc.Arbitrary<Damage> = fc.record({
  packet: fc.nat(),
  kind: fc.constantFrom('change', 'lose', 'insert'),
  place: fc.nat(),
  byte: fc.integer({ min: 1, max: 255 }),
});

/**
 * Damages packets, each once at most.
 * @returns all of them, and which ones are damaged
 */
export function damagePackets(
  packets: readonly Buffer[],
  damages: readonly Damage[],
): { readonly packets: Buffer[]; readonly damaged: ReadonlySet<number> } {
  const all = [...packets];
  const damaged = new Set<number>();
  for (const { packet, kind, place, byte } of damages) {
    const n = packet % all.length;
    const bytes = all[n];
    if (bytes === undefined || damaged.has(n)) continue;
    damaged.add(n);
    const at = place % bytes.length;
    const changed = Buffer.from([(bytes[at] ?? 0) ^ byte]);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
    if (kind === 'insert') all[n] = Buffer.concat([before, changed, bytes.subarray(at)]);
    else all[n] = Buffer.concat([before, ...(kind === 'lose' ? [] : [changed]), after]);
  }
  return { packets: all, damaged };
}

/**
 * Skips the run of a property in which chance gave a damaged packet right checksums, together with the bytes after it:
 * no reader can tell. With 16 bits that is one of 65,536 lost or inserted bytes.
 */
export function expectWrongChecksums(
  packets: readonly Buffer[],
  damaged: ReadonlySet<number>,
): void {
  for (const n of damaged) {
    const bytes = Buffer.concat(packets.slice(n));
    if (bytes.length < 11 || crc8(bytes.subarray(0, 10)) !== bytes[10]) continue;
    const end = 11 + bytes.readUInt16LE(5);
    const isRight =
      end === 11 ||
      (end + 2 <= bytes.length && crc16(bytes.subarray(11, end)) === bytes.readUInt16LE(end));
    fc.pre(!isRight);
  }
}

/** Sends bytes in pieces, which end at the places, taken modulo the length. */
export function sendInPieces(
  link: { send(bytes: Buffer): void },
  bytes: Buffer,
  places: readonly number[],
): void {
  const ends = [...places.map((place) => place % bytes.length), bytes.length];
  let from = 0;
  for (const end of ends.sort((a, b) => a - b)) {
    if (end > from) link.send(bytes.subarray(from, end));
    from = Math.max(from, end);
  }
}
