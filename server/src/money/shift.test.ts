import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listHours } from '../figures/hours.ts';
import { createCalculator, DAY } from '../test/calculator.ts';
import type { TestBus } from '../test/fleet.ts';
import { passengerRecord } from '../test/laps.ts';
import { announce } from '../test/video.ts';

type World = Awaited<ReturnType<typeof createCalculator>>;
let world: World;
beforeAll(async () => {
  world = await createCalculator();
});
afterAll(() => world.server.close());

const at = (time: string): string => `${DAY}T${time}:00Z`;
const iso = (ms: number): string => new Date(ms).toISOString();
const setShift = (
  of: World,
  { busId }: TestBus,
  shift: { shift_start?: string | null; shift_end?: string | null },
  { day = DAY } = {},
) =>
  of.ask('first', 'POST', '/api/workplaces/shift', {
    workplaceId: busId,
    date: day,
    ...shift,
  });

describe('a shift', () => {
  it('cuts totals, hours and money alike, and says how many it leaves out', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    await world.send(bus, [
      [at('05:59'), 1],
      [at('06:00'), 2],
      [at('12:59'), 4],
      [at('13:00'), 8],
      [at('12:00'), 16, 'exited'],
      [at('14:00'), 32, 'exited'],
    ]);
    const shift = { shift_start: at('06:00'), shift_end: at('13:00') };
    const { body } = await setShift(world, bus, shift);
    expect(body).toMatchObject({
      ...{ count: 6, outside_shift: 9, total: '270.00' },
      ...{ shift_start: `${DAY}T06:00:00.000Z`, shift_end: `${DAY}T13:00:00.000Z` },
    });
    const day = await world.busDay(bus);
    expect(day).toMatchObject({
      ...{ totalEntered: 6, totalEnteredManual: 6, totalExited: 16 },
      ...{ entered: { adult: 6, kids: 0 }, exited: { adult: 16, kids: 0 }, calculation: body },
    });
    const hours = day.events[0]?.events.filter(({ entered, exited }) => entered + exited > 0);
    expect(hours?.map(({ start_time, entered, exited }) => [start_time, entered, exited])).toEqual([
      [`${DAY}T06:00:00.000Z`, 2, 0],
      [`${DAY}T12:00:00.000Z`, 4, 16],
    ]);
    await setShift(world, bus, { shift_start: null, shift_end: null });
    expect(await world.busDay(bus)).toMatchObject({ totalEntered: 15, totalExited: 48 });
  });

  it('cuts what comes later, too', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    await setShift(world, bus, { shift_end: at('13:00') });
    await world.send(bus, [
      [at('12:59'), 4],
      [at('13:00'), 8],
    ]);
    expect(await world.calculation(bus)).toMatchObject({ count: 4, outside_shift: 8 });
    expect(await world.busDay(bus)).toMatchObject({ totalEntered: 4 });
  });

  it('cuts the rollup like the day, while a unit goes on sending and others change it', async () => {
    const bus = await world.newBus();
    const stream = randomUUID();
    const sendAt = async (minute: number): Promise<void> => {
      const time = iso(Date.parse(at('06:00')) + minute * 60_000);
      const position = { type: 'position', latitude: 55.7, longitude: 37.6, speed_kmh: 20 };
      const records = [
        { seq: 2 * minute, time, ...position },
        { seq: 2 * minute + 1, ...passengerRecord(Date.parse(time), 'entered') },
      ];
      const { statusCode } = await world.server.app.inject({
        method: 'POST',
        url: '/unit/v1/batches',
        headers: { authorization: `Bearer ${bus.credential}` },
        body: { stream, sent_at: iso(world.server.clock.nowMs()), records },
      });
      expect(statusCode).toBe(200);
    };
    for (let minute = 0; minute < 40; minute += 2) {
      const shift = { shift_start: iso(Date.parse(at('06:00')) + (minute - 5) * 60_000) };
      const changed = setShift(world, bus, shift);
      await Promise.all([sendAt(minute), changed, sendAt(minute + 1)]);
      expect((await changed).status).toBe(200);
      const day = await world.busDay(bus);
      const hours = await listHours(world.db, bus.busId, DAY, DAY);
      const rolledUp = hours.reduce((sum, hour) => sum + hour.enteredAdults, 0);
      expect([day.totalEntered, day.calculation?.count]).toEqual([rolledUp, rolledUp]);
    }
    expect(await world.calculation(bus)).toMatchObject({ count: 7, outside_shift: 33 });
  });

  it('cuts the difference of a manual count by the start of its fragment', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '10' });
    const { fragmentId } = await announce(world.server, bus, Date.parse(at('12:50')), 'kept');
    await world.ask('operator', 'POST', `/api/segments/update-events/${fragmentId}`, {
      entered_manual: { adult: 7, kids: null },
      exited_manual: { adult: null, kids: null },
    });
    expect(await world.calculation(bus)).toMatchObject({ count: 7, total: '70.00' });
    await setShift(world, bus, { shift_end: at('12:50') });
    expect(await world.calculation(bus)).toMatchObject({ count: 0, outside_shift: 7 });
  });

  it('does not cut the people inside: they are on board with any driver', async () => {
    const bus = await world.newBus();
    await world.send(bus, [[at('05:00'), 9]]);
    await setShift(world, bus, { shift_start: at('06:00') });
    expect(await world.busDay(bus)).toMatchObject({ inside: 9, totalEntered: 0 });
  });

  it('may be the whole day from midnight to midnight, and one moment less on either side', async () => {
    const bus = await world.newBus();
    // The local day of Moscow begins at 21:00 UTC.
    const [midnight, next] = ['2026-11-19T21:00:00Z', '2026-11-20T21:00:00Z'];
    await world.send(bus, [
      [midnight, 1],
      ['2026-11-20T20:59:59Z', 2],
      [next, 4],
    ]);
    const whole = await setShift(world, bus, { shift_start: midnight, shift_end: next });
    expect([whole.status, whole.body.count]).toEqual([200, 3]);
    for (const [field, moment] of [
      ['shift_start', '2026-11-19T20:59:00Z'],
      ['shift_end', '2026-11-20T21:01:00Z'],
    ] as const) {
      const { status, body } = await setShift(world, bus, { [field]: moment });
      expect([status, body]).toMatchObject([400, { error: 'invalid_request', field }]);
    }
  });

  it.each([
    ['end at its start', { shift_start: at('06:00'), shift_end: at('06:00') }, 'shift_end'],
    ['end before its start', { shift_start: at('06:00'), shift_end: at('05:00') }, 'shift_end'],
    ['start at the end of the day', { shift_start: '2026-11-20T21:00:00Z' }, 'shift_start'],
    ['end at the start of the day', { shift_end: '2026-11-19T21:00:00Z' }, 'shift_end'],
  ])('with its %s is refused with its field', async (_name, shift, field) => {
    const { status, body } = await setShift(world, await world.newBus(), shift);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });

  it.each(['shift_start', 'shift_end'])('takes whole minutes alone as %s', async (field) => {
    const bus = await world.newBus();
    for (const seconds of ['06:00:01Z', '06:00:00.5Z']) {
      const ofShift = await setShift(world, bus, { [field]: `${DAY}T${seconds}` });
      const ofAll = await world.save(bus, { [field]: `${DAY}T${seconds}` });
      for (const { status, body } of [ofShift, ofAll]) {
        expect([status, body]).toMatchObject([400, { error: 'invalid_request', field }]);
      }
    }
    const whole = await setShift(world, bus, { [field]: `${DAY}T06:00:00Z` });
    expect(whole.body).toMatchObject({ [field]: `${DAY}T06:00:00.000Z` });
  });

  it('is refused when its other end, which is stored, would lie before it', async () => {
    const bus = await world.newBus();
    await setShift(world, bus, { shift_end: at('06:00') });
    const late = await setShift(world, bus, { shift_start: at('07:00') });
    expect([late.status, late.body.field]).toEqual([400, 'shift_start']);
  });

  it('is not copied to the next day', async () => {
    const bus = await world.newBus();
    await setShift(world, bus, { shift_start: at('06:00') });
    const next = await world.calculation(bus, '2026-11-21');
    expect(next).toMatchObject({ shift_start: null, shift_end: null });
  });
});

describe('a shift on a day of the clock change', () => {
  let berlin: World;
  beforeAll(async () => {
    berlin = await createCalculator('Europe/Berlin');
    berlin.server.clock.set(Date.parse('2026-11-20T18:00:00Z'));
  });
  afterAll(() => berlin.server.close());

  it.each([
    // 25 hours: 02:30 comes twice, at 00:30Z and 01:30Z.
    ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-25T01:30:00Z'],
    // 23 hours.
    ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29T01:00:00Z'],
  ])('%s lies within its hours', async (day, first, end, middle) => {
    const bus = await berlin.newBus();
    const ms = (moment: string, shiftMs: number): string =>
      new Date(Date.parse(moment) + shiftMs).toISOString();
    await berlin.send(bus, [
      [first, 1],
      [ms(middle, -1000), 2],
      [middle, 4],
      [ms(end, -1000), 8],
      [end, 16],
    ]);
    const tooLate = await setShift(berlin, bus, { shift_end: ms(end, 60_000) }, { day });
    expect([tooLate.status, tooLate.body.field]).toEqual([400, 'shift_end']);
    const late = { shift_start: middle, shift_end: end };
    expect((await setShift(berlin, bus, late, { day })).body).toMatchObject({
      ...{ count: 12, outside_shift: 3 },
    });
    const early = { shift_start: first, shift_end: middle };
    expect((await setShift(berlin, bus, early, { day })).body).toMatchObject({
      ...{ count: 3, outside_shift: 12 },
    });
  });
});
