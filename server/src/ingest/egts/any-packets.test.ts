// Whatever the standard allows: packets of a random model with all flags, optional fields and ways to sign in, cut and joined
// at random bytes. What is stored, and each answer, is what the model says.
import { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import type { EgtsAnswer } from '@ridewatch/unit/src/egts/answer.ts';
import type { EgtsLink } from '@ridewatch/unit/src/egts/link.ts';
import { type EgtsSubrecord, egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord, platformSubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { unpackPoints } from '../../positions/pack.ts';
import {
  adoptEgts,
  createEgtsWorld,
  EGTS_DAY_MS,
  type EgtsBus,
  type EgtsWorld,
  storedOf,
} from '../../test/egts.ts';
import { type ModelBus, makePackets, modelPackets } from '../../test/egts-model.ts';

let world: EgtsWorld;
let imeis = 0;

beforeAll(async () => {
  world = await createEgtsWorld();
});
afterAll(() => world.close());

const settings = fc
  .record({
    raw_flag: fc.constantFrom('low', 'high', 'inverted'),
    module_bytes: fc.constantFrom('little', 'big'),
  })
  .map((one) => EgtsSettings.parse(one));
const text = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789A'), minLength: length, maxLength: length });
const terminal = fc.record(
  {
    home: fc.nat(65_535),
    imsi: text(16),
    language: fc.constant('rus'),
    isSimple: fc.boolean(),
    network: fc.nat(0xff_ffff),
    buffer: fc.nat(65_535),
    phone: text(15),
  },
  { requiredKeys: [] },
);
/** How the other side says who it is. */
const way = fc.oneof(
  fc.record({ by: fc.constantFrom('number', 'imei'), terminal }),
  fc.record({ by: fc.constant('platform' as const), description: fc.string({ maxLength: 60 }) }),
  fc.record({ by: fc.constant('nothing' as const) }),
);

type Way = typeof way extends fc.Arbitrary<infer Said> ? Said : never;

async function freshBus(own: EgtsSettings): Promise<{ bus: EgtsBus; model: ModelBus }> {
  const bus = await world.freshBus(own);
  const model = { object: bus.object, settings: own, positions: [], events: [], seconds: -60_000 };
  return { bus, model };
}

/** The subrecord that signs in, if one does, and the buses as they are named from then on. */
async function introduce(
  said: Way,
  buses: readonly { bus: EgtsBus; model: ModelBus }[],
): Promise<{ identity: EgtsSubrecord | undefined; models: ModelBus[] }> {
  const models = buses.map(({ model }) => model);
  const [first] = buses;
  if (said.by === 'nothing' || first === undefined) return { identity: undefined, models };
  if (said.by === 'platform') return { identity: platformSubrecord(7, said.description), models };
  const model = { ...first.model, object: undefined };
  if (said.by === 'number') {
    return {
      identity: identitySubrecord({ ...said.terminal, number: first.bus.object }),
      models: [model],
    };
  }
  imeis += 1;
  const imei = String(866_000_000_000_000 + imeis);
  await adoptEgts(world.server.deps.database.db, first.bus.unitId, imei, first.model.settings);
  return { identity: identitySubrecord({ ...said.terminal, number: 0, imei }), models: [model] };
}

/** Sends bytes in pieces, and reads so many answers meanwhile. */
async function exchange(
  link: EgtsLink,
  bytes: Buffer,
  cuts: readonly number[],
  answers: number,
): Promise<EgtsAnswer[]> {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  at.sort((a, b) => a - b);
  for (const [n, end] of at.slice(1).entries()) {
    link.send(bytes.subarray(at[n], end));
    await new Promise(setImmediate);
  }
  const read: EgtsAnswer[] = [];
  while (read.length < answers) read.push(await link.next());
  return read;
}

async function positionsOf({ unitId }: EgtsBus): Promise<unknown[]> {
  const rows = await world.server.deps.database.db
    .selectFrom('position_blocks')
    .select('points')
    .where('unit_id', '=', unitId)
    .execute();
  const points = rows.flatMap((row) => unpackPoints(row.points));
  points.sort((a, b) => a.sentMs - b.sentMs);
  return points.map((one) => [
    (one.sentMs - EGTS_DAY_MS) / 1000,
    ...[one.latitudeE6, one.longitudeE6, one.speedE1, one.course, one.satellites, one.hdopE1],
  ]);
}

const ordered = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => JSON.stringify(row)).sort();

it('packets of any form are stored as they were meant, and each is answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      modelPackets,
      fc.tuple(settings, settings),
      way,
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.nat(65_535),
      async (said, [one, two], how, cuts, again, firstNumber) => {
        const buses = [await freshBus(one), await freshBus(two)];
        const { identity, models } = await introduce(how, buses);
        const packets = makePackets(said, models, firstNumber);
        const sent = packets.map(({ header, records, results }, id) => ({
          bytes: egtsData(id, records, header),
          answer: { kind: 'confirmation', packet: id, result: 0, results },
        }));
        sent.push(...again.flatMap((n) => sent[n % packets.length] ?? []));
        const signIn = { number: 65_535, service: 1, subrecords: identity ? [identity] : [] };
        const bytes = [egtsData(65_535, [signIn]), ...sent.map((packet) => packet.bytes)];
        const expected = [
          { kind: 'confirmation', packet: 65_535, result: 0, results: [0] },
          ...(identity ? [{ kind: 'sign_in', result: 0 }] : []),
          ...sent.map(({ answer }) => answer),
        ];
        const link = await world.egts.open();
        const answers = await exchange(link, Buffer.concat(bytes), cuts, expected.length);
        link.close();
        const told = answers.map((answer) => {
          if (answer.kind !== 'confirmation') return answer;
          const { records, ...rest } = answer;
          return { ...rest, results: [...records.values()] };
        });
        expect(told).toEqual(expected);
        for (const { bus, model } of buses) {
          expect(await positionsOf(bus)).toEqual(model.positions);
          expect(ordered((await storedOf(world, bus)).events)).toEqual(ordered(model.events));
        }
      },
    ),
    { numRuns: inject('triesEverything') ? 1_000 : 12 },
  );
});
