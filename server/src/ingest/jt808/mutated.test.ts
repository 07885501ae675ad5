// Messages with changed bytes and right checksums: what a faulty terminal sends. Nothing fails, nothing is read beyond its
// bytes, and each record of the store is one that the store takes.
import { batchBody, flowBody, JT808, locationBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { framed, jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import type { ToldRecord } from '../by-id/store-told.ts';
import { createFrameReader } from './frames.ts';
import { type Message, readMessage } from './messages.ts';
import { createSplitMessages, createSplitRoom } from './split-messages.ts';
import { readCode } from './terminal-codes.ts';
import { toldOf } from './told-messages.ts';

/** Messages that a run tries: a million where everything is tried. */
const MESSAGES = inject('triesEverything') ? 1_000_000 : 5_000;
/** A million takes three minutes on a busy machine. */
const MOST_MS = 15 * 60_000;

const timeMs = fc
  .integer({ min: Date.UTC(2000) / 1000, max: Date.UTC(2099, 11, 30) / 1000 })
  .map((seconds) => seconds * 1000);
const location = fc
  .record({
    timeMs,
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    isValid: fc.boolean(),
    satellites: fc.nat(255),
  })
  .map((one) => locationBody({ ...one, speedKmh: 30, course: 300 }));
const flow = fc
  .record({ endMs: timeMs, seconds: fc.nat(100_000), entered: fc.nat(0xffff), exited: fc.nat(9) })
  .map(({ endMs, seconds, ...people }) => {
    const startMs = Math.max(endMs - seconds * 1000, Date.UTC(2000));
    return flowBody({ startMs, endMs, ...people });
  });
const some = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const body = fc.oneof(
  location.map((bytes) => ({ id: JT808.location, bytes })),
  fc
    .array(fc.oneof(location, some), { maxLength: 5 })
    .map((items) => ({ id: JT808.locations, bytes: batchBody(items) })),
  flow.map((bytes) => ({ id: JT808.passengerFlow, bytes })),
  fc.record({ id: fc.constantFrom(...Object.values(JT808)), bytes: some }),
);
const settings = fc.record({
  clock_hours: fc.integer({ min: -12, max: 14 }),
  door: fc.integer({ min: 1, max: 8 }),
  uploads: fc.constantFrom('any' as const, 'wifi' as const),
});

it(
  'a message of any bytes with a right checksum becomes records that can be stored, or a refusal',
  () => {
    fc.assert(
      fc.property(
        body,
        fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 6 }),
        fc.constantFrom('2013' as const, '2019' as const),
        fc.boolean(),
        settings,
        ({ id, bytes }, changes, form, isSplit, own) => {
          const split = isSplit ? ([2, 1] as const) : undefined;
          const frame = jt808Frame({ form, phone: '139', id, serial: 1, body: bytes }, split);
          const content = Buffer.from(contentOf(frame));
          for (const { at, byte } of changes) content[at % content.length] = byte;
          const message = readMessage(contentOf(framed(content)));
          if (message === undefined) return;
          expect(message.body.length).toBeLessThan(content.length);
          expect(message.terminal ?? '1').toMatch(/^[1-9a-f][\da-f]{0,19}$/);
          readCode(message);
          const part = partOf(message);
          if (part !== undefined) expect(part).not.toBe('whole');
          const told = toldOf(message, '139');
          for (const { read } of told === 'wrong' ? [] : told) {
            const records = read(own, () => undefined);
            if (records !== 'wrong') for (const one of records) expectStorable(one, own.door);
          }
        },
      ),
      { numRuns: MESSAGES },
    );
  },
  MOST_MS,
);

function contentOf(frame: Buffer): Buffer {
  const reader = createFrameReader();
  reader.push(frame);
  const content = reader.next();
  if (content === undefined) throw new Error('not read');
  return content;
}

// One part of several is never whole.
function partOf(message: Message): string | undefined {
  if (message.split === null || message.split.total === 1) return undefined;
  const splits = createSplitMessages(createSplitRoom());
  const { kind } = splits.add(message);
  splits.clear();
  return kind;
}

function expectStorable(one: ToldRecord, door: number): void {
  expect(Number.isSafeInteger(one.seq) && one.seq >= 0).toBe(true);
  expect(Number.isSafeInteger(one.sentMs / 1000)).toBe(true);
  expect(one.sentMs).toBeGreaterThan(Date.UTC(1999, 11, 31));
  if (one.type === 'position') {
    if (one.place !== null) {
      expect(Math.abs(one.place.latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(one.place.longitude)).toBeLessThanOrEqual(180);
    }
    expect(one.course ?? 0).toBeLessThanOrEqual(360);
    expect(one.speedKmh ?? 0).toBeLessThanOrEqual(400);
    expect(one.satellites ?? 0).toBeLessThanOrEqual(99);
  }
  if (one.type === 'passenger') {
    expect(one.door).toBe(door);
    expect(one.count).toBeGreaterThan(0);
    expect(one.count).toBeLessThanOrEqual(32_767);
  }
}
