// Random packets of EGTS as a model: what a device says, in the forms of the standard, and what is to be stored of it.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import {
  countsSubrecord,
  type EgtsHeader,
  type EgtsRecord,
  type EgtsSubrecord,
  egtsSeconds,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import { precisionSubrecord, vendorCountsSubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import fc from 'fast-check';
import { RESULT } from '../ingest/egts/codes.ts';
import { EGTS_DAY_MS } from './egts.ts';

/** A position as stored: millionths of a degree, tenths of km/h, degrees, tenths. */
export type ModelPosition = readonly [
  seconds: number,
  latitudeE6: number,
  longitudeE6: number,
  speedE1: number | null,
  course: number | null,
  satellites: number | null,
  hdopE1: number | null,
];
/** People at a door, as stored. */
export type ModelEvent = readonly [seconds: number, door: number, way: string, count: number];

/** A bus and what is to be stored of it. */
export interface ModelBus {
  readonly object: number | undefined;
  readonly settings: EgtsSettings;
  readonly positions: ModelPosition[];
  readonly events: ModelEvent[];
  /** Its next moment, s of the day. */
  seconds: number;
}

/** A packet with the results of its records. */
export interface ModelPacket {
  readonly header: EgtsHeader;
  readonly records: EgtsRecord[];
  readonly results: number[];
}

const byte = fc.nat(255);
const counts = fc.record(
  {
    doors: fc.dictionary(
      fc.integer({ min: 1, max: 8 }).map(String),
      fc.tuple(fc.oneof(fc.constant(0), byte), byte),
    ),
    opened: fc.uniqueArray(fc.integer({ min: 1, max: 8 })),
    otherFlags: byte,
    vendor: fc.uint8Array({ minLength: 2, maxLength: 40 }),
  },
  { requiredKeys: ['doors', 'otherFlags'] },
);
const noise = fc.record({
  type: byte.filter((type) => ![16, 17, 28].includes(type)),
  data: fc.uint8Array({ maxLength: 30 }),
});
const moment = fc.record({
  position: fc.record(
    {
      latitudeE6: fc.integer({ min: 1, max: 90_000_000 }),
      longitudeE6: fc.integer({ min: -180_000_000, max: 180_000_000 }),
      isSouth: fc.boolean(),
      speedE1: fc.nat(5000),
      course: fc.nat(511),
      isValid: fc.oneof({ arbitrary: fc.constant(true), weight: 5 }, fc.constant(false)),
      is3d: fc.boolean(),
      isPz90: fc.boolean(),
      isFromBlackBox: fc.boolean(),
      altitudeM: fc.integer({ min: -400, max: 9000 }),
      sourceData: fc.integer({ min: -0x8000, max: 0x7fff }),
      odometerKm: fc.nat(1_600_000),
      source: byte,
      inputs: byte,
    },
    { requiredKeys: ['latitudeE6', 'longitudeE6', 'isSouth', 'speedE1', 'course', 'isValid'] },
  ),
  precision: fc.option(
    fc.record(
      {
        vdop: fc.nat(65_535).map((value) => value / 100),
        hdop: fc.nat(12_000).map((value) => value / 100),
        pdop: fc.nat(65_535).map((value) => value / 100),
        satellites: fc.nat(120),
        systems: fc.nat(65_535),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
  counts: fc.array(counts, { maxLength: 2 }),
  /** Whether the next moment is of the same second if this one has no fix. */
  isBrief: fc.boolean(),
  noise: fc.array(noise, { maxLength: 2 }),
});
const record = fc.record(
  {
    bus: fc.nat(1),
    /** Whether it names its object although it need not. */
    isNamed: fc.boolean(),
    kind: fc.oneof(
      { arbitrary: fc.constant('moments' as const), weight: 6 },
      { arbitrary: fc.constant('counts' as const), weight: 2 },
      fc.constant('other_service' as const),
    ),
    moments: fc.array(moment, { minLength: 1, maxLength: 3 }),
    /** Counts before the first position. */
    early: fc.array(counts, { maxLength: 1 }),
    hasTime: fc.boolean(),
    event: fc.nat(0xffff_ffff),
    priority: fc.nat(3),
    isFromDevice: fc.boolean(),
  },
  { requiredKeys: ['bus', 'isNamed', 'kind', 'moments', 'early', 'hasTime'] },
);

/** Packets of one connection. */
export const modelPackets = fc.array(
  fc.record({
    header: fc.record(
      {
        priority: fc.nat(3),
        route: fc.record({ from: fc.nat(65_535), to: fc.nat(65_535), hops: byte }),
        signature: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      },
      { requiredKeys: [] },
    ),
    records: fc.array(record, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 8 },
);
export type SaidPackets = typeof modelPackets extends fc.Arbitrary<infer Said> ? Said : never;
type Said = SaidPackets[number]['records'][number];
type SaidCounts = Said['early'][number];

const timeMsOf = (seconds: number): number => EGTS_DAY_MS + seconds * 1000;

/**
 * Makes the packets, and adds to the buses what is to be stored.
 * @param buses one or two; those without an object have signed in
 * @param firstNumber of the records
 */
export function makePackets(
  said: SaidPackets,
  buses: readonly ModelBus[],
  firstNumber: number,
): ModelPacket[] {
  let number = firstNumber;
  let module = 0;

  // The subrecord of counts, and what it tells of a moment.
  function count(bus: ModelBus, one: SaidCounts): { subrecord: EgtsSubrecord; people: Door[] } {
    module = (module + 1) % 0x10000;
    const { raw_flag: rawFlag, module_bytes: moduleBytes } = bus.settings;
    const isRaw = one.vendor !== undefined;
    const flags = flagsOf(one.otherFlags, rawFlag, isRaw);
    if (one.vendor !== undefined) {
      return { subrecord: vendorCountsSubrecord(module, one.vendor, flags), people: [] };
    }
    const { doors, opened } = one;
    const shown = { module, doors, flags, moduleBytes, ...(opened && { opened }) };
    const people = Object.entries(doors).flatMap(([door, [entered, exited]]): Door[] => [
      [Number(door), 'entered', entered],
      [Number(door), 'exited', exited],
    ]);
    return { subrecord: countsSubrecord(shown), people: people.filter(([, , n]) => n > 0) };
  }

  function make(bus: ModelBus, one: Said, known: number | null): MadeRecord {
    const early = one.early.map((counts) => count(bus, counts));
    if (one.kind !== 'moments') {
      const isEmpty = early.every(({ people }) => people.length === 0);
      const result = known === null && !isEmpty ? RESULT.notEnough : RESULT.ok;
      if (known !== null)
        keep(
          bus,
          known,
          early.flatMap(({ people }) => people),
        );
      return { subrecords: early.map(({ subrecord }) => subrecord), result };
    }
    const subrecords = early.map(({ subrecord }) => subrecord);
    for (const [n, { position, precision, counts: own, ...rest }] of one.moments.entries()) {
      const { noise: others, isBrief } = rest;
      const seconds = bus.seconds;
      if (position.isValid || !isBrief) bus.seconds += 1 + (position.source ?? 9);
      subrecords.push(...others.map(({ type, data }) => ({ type, data: Buffer.from(data) })));
      const { latitudeE6, longitudeE6, isSouth, speedE1, ...more } = position;
      const signedE6 = isSouth ? -latitudeE6 : latitudeE6;
      const place = { latitude: signedE6 / 1e6, longitude: longitudeE6 / 1e6 };
      const sent = { ...more, ...place, timeMs: timeMsOf(seconds), speedKmh: speedE1 / 10 };
      subrecords.push(positionSubrecord(sent));
      if (precision !== undefined) subrecords.push(precisionSubrecord(precision));
      const made = own.map((counts) => count(bus, counts));
      subrecords.push(...made.map(({ subrecord }) => subrecord));
      const people = [...(n === 0 ? early : []), ...made].flatMap((counts) => counts.people);
      keep(bus, seconds, people);
      if (!position.isValid) continue;
      const { hdop, satellites } = precision ?? {};
      bus.positions.push([
        ...([seconds, signedE6, longitudeE6] as const),
        ...([
          speedE1 > 4000 ? null : speedE1,
          position.course > 360 ? null : position.course,
        ] as const),
        satellites === undefined || satellites > 99 ? null : satellites,
        hdop === undefined || hdop > 100 ? null : Math.round(hdop * 10),
      ]);
    }
    return { subrecords, result: RESULT.ok };
  }

  return said.map(({ header, records }) => {
    let before: ModelBus | undefined;
    let known: number | null = null;
    const packet: ModelPacket = { header, records: [], results: [] };
    for (const one of records) {
      const bus = buses[one.bus % buses.length];
      if (bus === undefined) throw new Error('no bus');
      // The object may be left out where it is the one before, and the time with it.
      const isNamed = bus.object !== undefined && (one.isNamed || bus !== before);
      if (bus !== before) known = null;
      before = bus;
      const time = one.hasTime ? bus.seconds : undefined;
      if (time !== undefined) {
        known = time;
        bus.seconds += 1;
      }
      number = (number + 1) % 0x10000;
      const { event, priority, isFromDevice } = one;
      const isOther = one.kind === 'other_service';
      const { subrecords, result } = isOther ? OF_OTHERS : make(bus, one, known);
      packet.results.push(result);
      packet.records.push({
        ...{ number, service: isOther ? 4 : 2, subrecords },
        ...(isNamed && bus.object !== undefined && { object: bus.object }),
        ...(time !== undefined && { seconds: egtsSeconds(timeMsOf(time)) }),
        ...(event !== undefined && { event }),
        ...(priority !== undefined && { priority }),
        ...(isFromDevice !== undefined && { isFromDevice }),
      });
    }
    return packet;
  });
}

type Door = readonly [door: number, way: string, count: number];
interface MadeRecord {
  readonly subrecords: readonly EgtsSubrecord[];
  readonly result: number;
}
const OF_OTHERS: MadeRecord = { subrecords: [], result: RESULT.unknownService };

function keep(bus: ModelBus, seconds: number, people: readonly Door[]): void {
  bus.events.push(...people.map((door): ModelEvent => [seconds, ...door]));
}

// All bits but the one that tells the form mean nothing.
function flagsOf(others: number, flag: EgtsSettings['raw_flag'], isRaw: boolean): number {
  const bit = flag === 'high' ? 0x80 : 0x01;
  return isRaw === (flag !== 'inverted') ? others | bit : others & ~bit;
}
