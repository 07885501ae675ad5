// Streams of pictures with changed, lost and inserted bytes: nothing fails, little is kept, no packet is longer than one may
// be, and sound packets after the damage are read.
import { jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { damage, damagePackets } from '../../test/damaged-packets.ts';
import { createPacketReader, type Packet } from './packets.ts';
import { createPictureReader } from './pictures.ts';

/** Streams that a run tries, of some 75 packets: a million packets where everything is tried. */
const STREAMS = inject('triesEverything') ? 14_000 : 100;
const MOST_BODY_BYTES = 4096;
/** Packets that one damaged length may take with it: each of them is longer than 80 bytes. */
const MOST_TAKEN = Math.ceil(MOST_BODY_BYTES / 80) + 1;

const frames = fc.array(
  fc.record({
    kind: fc.constantFrom('key', 'predicted', 'bidirectional', 'audio', 'other'),
    bytes: fc.uint8Array({ minLength: 60, maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  }),
  { minLength: 10, maxLength: 16 },
);
const camera = fc.record({
  ...{ phone: fc.constant('13912345678'), channel: fc.integer({ min: 1, max: 255 }) },
  codec: fc.constantFrom('h264' as const, 'h265' as const),
  phoneBytes: fc.constantFrom(6 as const, 10 as const),
});
const keyOf = ({ serial, data, body }: Packet): string =>
  `${serial} ${data} ${body.toString('hex')}`;

it('a damaged stream of pictures costs the packets that it touches', () => {
  fc.assert(
    fc.property(
      ...([frames, camera] as const),
      fc.array(damage, { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (said, from, damages, cuts) => {
        const packets = said.flatMap(({ kind, bytes }, n) =>
          jt1078Packets(from, { kind, bytes, timeMs: n * 40 }, n * 3),
        );
        // The first one says whose stream it is. Sound packets after the last one end what a wrong length began.
        const tail = [...Array(MOST_TAKEN).keys()].map((n) =>
          Buffer.concat(
            jt1078Packets(from, { kind: 'key', timeMs: 0, bytes: Buffer.alloc(80, n) }, 60_000 + n),
          ),
        );
        const [head = Buffer.alloc(0), ...rest] = packets;
        const link = damagePackets(rest, damages);
        const bytes = Buffer.concat([head, ...link.packets, ...tail]);
        const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length];
        const reader = createPacketReader();
        const pictures = createPictureReader();
        const read: string[] = [];
        let begin = 0;
        for (const end of ends.sort((a, b) => a - b)) {
          reader.push(bytes.subarray(begin, end));
          begin = end;
          const reading = reader.readings()?.find((one) => one.phoneBytes === from.phoneBytes);
          if (reading) reader.choose(reading);
          for (let packet = reader.next(); packet; packet = reader.next()) {
            expect(packet.body.length).toBeLessThanOrEqual(MOST_BODY_BYTES);
            if (packet.data < 3) pictures.take(packet);
            else pictures.pass(packet);
            read.push(keyOf(packet));
          }
        }
        expect(reader.isLost()).toBe(false);
        const untouched = createPacketReader();
        untouched.push(Buffer.concat([...packets, ...tail]));
        const own = untouched.readings()?.find((one) => one.phoneBytes === from.phoneBytes);
        if (own) untouched.choose(own);
        const sent: string[] = [];
        for (let packet = untouched.next(); packet; packet = untouched.next()) {
          sent.push(keyOf(packet));
        }
        expect(sent).toHaveLength(packets.length + tail.length);
        // Each damaged packet is one wrong packet at most, and takes few others with it.
        const wrong = read.filter((one) => !sent.includes(one));
        expect(wrong.length).toBeLessThanOrEqual(2 * link.damaged.size);
        expect(read.at(-1)).toBe(sent.at(-1));
        if (link.damaged.size === 0) expect(read).toEqual(sent);
      },
    ),
    { numRuns: STREAMS },
  );
});
