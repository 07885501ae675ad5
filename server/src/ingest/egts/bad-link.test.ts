// A link that cuts, joins, damages and repeats what a unit sends: in the end everything is stored once, and nothing else.
import { type EgtsRecord, egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import {
  damage,
  damagePackets,
  expectWrongChecksums,
  sendInPieces,
} from '../../test/damaged-packets.ts';
import {
  at,
  createEgtsWorld,
  people,
  record,
  storedOf,
  storedOnce,
  type TestMoment,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createEgtsWorld);

const made = fc.record({
  second: fc.integer({ min: 0, max: 400 }),
  entered: fc.nat(9),
  exited: fc.nat(9),
  isValid: fc.boolean(),
});
/** A second has one truth: what another record says of it is refused. */
const packets = fc
  .uniqueArray(made, { minLength: 1, maxLength: 30, selector: ({ second }) => second })
  .chain((all) =>
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: all.length }).map((sizes) => {
      const parts: TestMoment[][] = [];
      for (let from = 0; from < all.length; from += sizes[parts.length - 1] ?? 1) {
        parts.push(all.slice(from, from + (sizes[parts.length] ?? 1)));
      }
      return parts;
    }),
  );
it('a link that cuts, joins, damages and repeats brings everything once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      packets,
      fc.array(damage, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (parts, damages, cuts) => {
        const bus = await world.freshBus();
        const toRecord = ({ second, entered, exited, isValid }: TestMoment): EgtsRecord =>
          record(bus.object, [at(second, { isValid }), people({ 1: [entered, exited] })]);
        const clean = parts.map((part, id) => egtsData(id, part.map(toRecord)));
        const { packets: first, damaged } = damagePackets(clean, damages);
        expectWrongChecksums([...first, ...clean], damaged);
        // A unit sends a packet without an answer again. A damaged packet may take the beginning of the next one with it.
        const bytes = Buffer.concat([...first, ...clean, ...clean]);
        const link = await world.egts.open();
        sendInPieces(link, bytes, cuts);
        const unanswered = new Set(clean.keys());
        while (unanswered.size > 0) {
          const answer = await link.next();
          if (answer.kind !== 'confirmation' || answer.result !== 0) continue;
          expect([...answer.records.values()].every((result) => result === 0)).toBe(true);
          unanswered.delete(answer.packet);
        }
        link.close();
        expect(await storedOf(world, bus)).toEqual(storedOnce(parts.flat()));
      },
    ),
    { numRuns: inject('triesEverything') ? 1_000 : 15 },
  );
});
