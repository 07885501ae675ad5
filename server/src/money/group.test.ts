import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCalculator, valuesIn } from '../test/calculator.ts';
import type { TestBus } from '../test/fleet.ts';
import { listWaitingDays } from '../test/laps.ts';

let world: Awaited<ReturnType<typeof createCalculator>>;
beforeAll(async () => {
  world = await createCalculator();
});
afterAll(() => world.server.close());

let routeId: number;
let one: TestBus;
let other: TestBus;
// Two buses on one route, with people on three days.
beforeEach(async () => {
  one = await world.newBus();
  other = await world.newBus();
  routeId = one.routeId;
  await putOn(other, routeId);
  for (const bus of [one, other]) {
    for (const day of DAYS) await world.send(bus, [[`${day}T06:00:00Z`, 10]]);
  }
});

const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18'] as const;
const [MONDAY, TUESDAY, WEDNESDAY] = DAYS;
const putOn = ({ busId }: TestBus, route: number, from = '2010-01-01') =>
  sql`insert into workplace_settings (workplace_id, valid_from, group_id, timezone)
    values (${busId}, ${from}::date, ${route}, 'Europe/Moscow')
    on conflict (workplace_id, valid_from) do update set group_id = ${route}`.execute(world.db);
const faresOf = (bus: TestBus): Promise<string[]> =>
  Promise.all(DAYS.map(async (day) => (await world.calculation(bus, day)).fare));

describe('the fare of a whole group', () => {
  it('is first said: days, buses and money; nothing changes', async () => {
    await world.save(one, { fare: '40', salary_percent: '10' }, { day: WEDNESDAY });
    const values = { date_from: TUESDAY, fare: '45', preview: true };
    expect((await world.setGroup(routeId, values)).body).toEqual({
      ...{ days: 4, buses: 2, later_buses: 0, first_day: TUESDAY, last_day: WEDNESDAY },
      ...{ total_before: '400.00', total_after: '1800.00' },
      ...{ salary_before: '40.00', salary_after: '45.00', recalculated_days: 0 },
    });
    expect(await faresOf(other)).toEqual(['0.00', '0.00', '0.00']);
  });

  it('is set from the day on, with the history of each day, and as said', async () => {
    const asked = { date_from: TUESDAY, fare: '45', salary_percent: '18' };
    const said = await world.setGroup(routeId, { ...asked, preview: true });
    const done = await world.setGroup(routeId, { ...asked, seen_days: said.body.days });
    expect(done).toEqual({ status: 200, body: said.body });
    for (const bus of [one, other]) expect(await faresOf(bus)).toEqual(['0.00', '45.00', '45.00']);
    const items = valuesIn(await world.history(one, TUESDAY));
    expect(
      items.map(({ field, before, after, source, by }) => [field, before, after, source, by]),
    ).toEqual([
      ['salary_percent', '0.00', '18.00', 'group', 'operator'],
      ['fare', '0.00', '45.00', 'group', 'operator'],
    ]);
    expect((await world.busDay(one, TUESDAY)).calculation).toMatchObject({ total: '450.00' });
    const audited = await world.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'set_group_calculation')
      .where('object_id', '=', String(routeId))
      .execute();
    expect(audited).toMatchObject([{ after: { days: 4, buses: 2, date_from: TUESDAY } }]);
  });

  it('changes nothing when it is set again', async () => {
    const asked = { date_from: MONDAY, fare: '45' };
    expect((await world.setGroup(routeId, asked)).body.days).toBe(6);
    expect((await world.setGroup(routeId, asked)).body).toMatchObject({ days: 0, first_day: null });
    expect((await world.history(one, MONDAY)).total).toBe(1);
  });

  it('is what later days copy, also when the first day had no people', async () => {
    const none = { days: 0, buses: 0, later_buses: 2, first_day: null, last_day: null };
    const later = { date_from: '2026-11-19', fare: '45' };
    const said = await world.setGroup(routeId, { ...later, preview: true });
    expect(said.body).toMatchObject(none);
    await world.setGroup(routeId, { ...later, seen_days: 0 });
    // The day that carries the values is no day with records, however often they are set.
    const other = await world.setGroup(routeId, { ...later, fare: '46', preview: true });
    expect(other.body).toMatchObject(none);
    await world.send(one, [['2026-11-20T06:00:00Z', 2]]);
    expect(await world.calculation(one, '2026-11-20')).toMatchObject({
      ...{ fare: '45.00', copied_from: '2026-11-19', total: '90.00' },
    });
    expect(await faresOf(one)).toEqual(['0.00', '0.00', '0.00']);
  });

  it('is that of a bus only on the days on which it is on the route', async () => {
    await putOn(other, other.routeId, WEDNESDAY);
    await world.setGroup(routeId, { date_from: MONDAY, fare: '45' });
    expect(await faresOf(other)).toEqual(['45.00', '45.00', '0.00']);
  });

  it('counts a day in its new direction', async () => {
    await world.send(one, [[`${WEDNESDAY}T07:00:00Z`, 3, 'exited']]);
    const asked = { date_from: WEDNESDAY, fare: '10', calculation_event: 'EXITED', preview: true };
    expect((await world.setGroup(routeId, asked)).body).toMatchObject({ total_after: '30.00' });
  });

  it('counts a day inside its shift only', async () => {
    await world.send(one, [[`${WEDNESDAY}T07:00:00Z`, 3]]);
    await world.save(one, { shift_start: `${WEDNESDAY}T06:30:00Z` }, { day: WEDNESDAY });
    const asked = { date_from: WEDNESDAY, fare: '10', preview: true };
    expect((await world.setGroup(routeId, asked)).body).toMatchObject({ total_after: '130.00' });
  });

  it('has the revenue of laps calculated anew only when the event changes', async () => {
    await world.db
      .updateTable('route_groups')
      .set({ type_calculation: 'CALCULATION' })
      .where('id', '=', routeId)
      .execute();
    const waiting = async () => (await listWaitingDays(world.db, one.busId)).map(({ day }) => day);
    await sql`delete from graphile_worker._private_jobs`.execute(world.db);
    await sql`update lap_days set asked_at = null, due_at = null`.execute(world.db);
    const fare = await world.setGroup(routeId, { date_from: MONDAY, fare: '45' });
    expect([fare.body.recalculated_days, await waiting()]).toEqual([0, []]);
    const asked = { date_from: TUESDAY, calculation_event: 'EXITED' };
    const event = await world.setGroup(routeId, asked);
    expect([event.body.recalculated_days, await waiting()]).toEqual([4, [TUESDAY, WEDNESDAY]]);
  });

  it('is not set when other days would change than the user saw; the user is told which', async () => {
    const asked = { date_from: TUESDAY, fare: '45' };
    const { status, body } = await world.setGroup(routeId, { ...asked, seen_days: 3 });
    expect([status, body]).toMatchObject([409, { error: 'conflict', current: { days: 4 } }]);
    expect(await faresOf(one)).toEqual(['0.00', '0.00', '0.00']);
  });

  it('is for those with the edit right, on routes that they see', async () => {
    const asked = { date_from: TUESDAY, fare: '45' };
    expect((await world.setGroup(routeId, asked, 'first')).body.error).toBe('no_right');
    const foreign = await world.setGroup(world.fleet.secondBus.routeId, asked);
    const missing = await world.setGroup(999_999, asked);
    expect([foreign.status, foreign.body.message]).toEqual([404, missing.body.message]);
  });

  it('leaves out buses without a calculator', async () => {
    await sql`update workplaces set bus_calculation = false where id = ${other.busId}`.execute(
      world.db,
    );
    const asked = { date_from: MONDAY, fare: '45' };
    expect((await world.setGroup(routeId, asked)).body).toMatchObject({ days: 3, buses: 1 });
  });

  it('without any value is refused', async () => {
    const { status, body } = await world.setGroup(routeId, { date_from: MONDAY });
    expect([status, body.field]).toEqual([400, 'fare']);
  });

  it('of more days than one command may change is refused with the day', async () => {
    await sql`insert into calculations (workplace_id, day)
      select ${one.busId}, day from generate_series('2000-01-01'::date, '2060-01-01', '1 day') as day
      on conflict do nothing`.execute(world.db);
    const { status, body } = await world.setGroup(routeId, { date_from: '2000-01-01', fare: '45' });
    expect([status, body.field]).toEqual([400, 'date_from']);
  });

  it('is set once when two people set it at the same time', async () => {
    const asked = { date_from: MONDAY, fare: '45' };
    const answers = await Promise.all([
      world.setGroup(routeId, asked),
      world.setGroup(routeId, asked, 'admin'),
      world.save(one, { cashless: '5', seen: { cashless: '0.00' } }, { day: MONDAY }),
    ]);
    expect(
      answers
        .slice(0, 2)
        .map(({ body }) => body.days)
        .sort(),
    ).toEqual([0, 6]);
    const { total } = await world.history(one, MONDAY);
    expect(total).toBe(answers[2]?.status === 200 ? 2 : 1);
  });
});
