// A link that cuts, joins, damages and repeats what a terminal sends: in the end everything is stored once, and nothing else.
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { damage, damagePackets, sendInPieces } from '../../test/damaged-packets.ts';
import { storedOf, storedOnce } from '../../test/egts.ts';
import { at, createJt808World, flow } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createJt808World);

/** A moment: its second, the people of the two seconds before it, whether there is a fix, whether it is told in a batch. */
const moment = fc.record({
  second: fc.integer({ min: 2, max: 400 }),
  entered: fc.nat(9),
  exited: fc.nat(9),
  isValid: fc.boolean(),
  isLate: fc.boolean(),
});

it('a link that cuts, joins, damages and repeats brings everything once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      // A second has one truth: what another message says of it is refused.
      fc.uniqueArray(moment, { minLength: 1, maxLength: 30, selector: ({ second }) => second }),
      fc.array(damage, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.constantFrom('2013' as const, '2019' as const),
      async (moments, damages, cuts, form) => {
        const bus = await world.freshBus();
        const { link } = await world.signedIn(bus, form);
        const clean = moments.flatMap(({ second, entered, exited, isValid, isLate }, n) => {
          const location = at(second, { isValid });
          const message = { form, phone: bus.phone };
          const id = isLate ? JT808.locations : JT808.location;
          const body = isLate ? batchBody([location]) : location;
          const people = flowBody(flow(second - 2, second, entered, exited));
          return [
            jt808Frame({ ...message, id, serial: 2 * n + 100, body }),
            jt808Frame({ ...message, id: JT808.passengerFlow, serial: 2 * n + 101, body: people }),
          ];
        });
        const first = damagePackets(clean, damages).packets;
        // A terminal sends a message without an answer again. A damaged one may take the beginning of the next one with it.
        const bytes = Buffer.concat([...first, ...clean, ...clean]);
        sendInPieces(link, bytes, cuts);
        const unanswered = new Set(clean.keys());
        while (unanswered.size > 0) {
          const answer = await link.next();
          if (answer.kind !== 'answer') continue;
          expect(answer.result).toBe(0);
          unanswered.delete(answer.serial - 100);
        }
        link.close();
        expect(await storedOf(world, bus)).toEqual(storedOnce(moments));
      },
    ),
    { numRuns: inject('triesEverything') ? 1_000 : 15 },
  );
});
