import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCalculator, DAY } from '../test/calculator.ts';
import type { TestBus } from '../test/fleet.ts';
import { announce } from '../test/video.ts';

let world: Awaited<ReturnType<typeof createCalculator>>;
beforeAll(async () => {
  world = await createCalculator();
});
afterAll(() => world.server.close());

const at = (time: string, day = DAY): string => `${day}T${time}:00Z`;
const daysAgo = (days: number): string =>
  new Date(Date.parse(DAY) - days * 86_400_000).toISOString().slice(0, 10);

async function countRecords({ busId }: TestBus): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from calculations
    where workplace_id = ${busId}`.execute(world.db);
  return rows[0]?.count ?? 0;
}

describe("a day's record", () => {
  it('is created by the first event, with fare, percent and event of the latest earlier one', async () => {
    const bus = await world.newBus();
    const day = daysAgo(3);
    const values = { fare: '45', salary_percent: '18.5', calculation_event: 'EXITED' };
    await world.save(bus, { ...values, cashless: '100', driver: 'Иванов' }, { day });
    await world.send(bus, [[at('06:00'), 2, 'exited']]);
    expect(await world.calculation(bus)).toMatchObject({
      ...{ fare: '45.00', salary_percent: '18.50', calculation_event: 'EXITED' },
      ...{ cashless: '0.00', driver: null, shift_start: null, stored: true },
      ...{ copied_from: day, updated_by: null, total: '90.00' },
    });
    const { created, items } = await world.history(bus);
    expect([items, created]).toEqual([
      [],
      {
        at: new Date(world.server.clock.nowMs()).toISOString(),
        copied_from: day,
        ...{ fare: '45.00', salary_percent: '18.50', calculation_event: 'EXITED' },
      },
    ]);
  });

  it('has no fare where there was none before', async () => {
    const bus = await world.newBus();
    await world.send(bus, [[at('06:00'), 2]]);
    expect(await world.calculation(bus)).toMatchObject({
      ...{ fare: '0.00', salary_percent: '0.00', calculation_event: 'ENTERED', count: 2 },
      ...{ total: '0.00', copied_from: null, stored: true },
    });
  });

  it('is shown before there is one, as it would be copied, and nothing is stored', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' }, { day: daysAgo(1) });
    expect(await world.calculation(bus)).toMatchObject({
      ...{ fare: '45.00', stored: false, copied_from: daysAgo(1) },
    });
    expect((await world.busDay(bus)).calculation).toMatchObject({ fare: '45.00', stored: false });
    await world.save(bus, { fare: '50' }, { day: daysAgo(1) });
    expect((await world.busDay(bus)).calculation).toMatchObject({ fare: '50.00', stored: false });
    expect(await countRecords(bus)).toBe(1);
  });

  it('of a day that has video alone is shown anew when the day before it changes', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' }, { day: daysAgo(1) });
    await announce(world.server, bus, Date.parse(at('06:00')), 'kept');
    expect((await world.busDay(bus)).calculation).toMatchObject({ fare: '45.00', stored: false });
    await world.save(bus, { fare: '50' }, { day: daysAgo(1) });
    expect((await world.busDay(bus)).calculation).toMatchObject({ fare: '50.00', stored: false });
  });

  it('of late events copies the day before them, and leaves later days alone', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '40' }, { day: daysAgo(5) });
    await world.save(bus, { fare: '50' }, { day: daysAgo(1) });
    await world.send(bus, [[at('06:00', daysAgo(3)), 3]]);
    expect(await world.calculation(bus, daysAgo(3))).toMatchObject({
      fare: '40.00',
      total: '120.00',
    });
    expect(await world.calculation(bus, daysAgo(1))).toMatchObject({ fare: '50.00' });
  });

  it('does not change when an earlier day gets another fare afterwards', async () => {
    const bus = await world.newBus();
    await world.send(bus, [[at('06:00'), 3]]);
    await world.save(bus, { fare: '50' }, { day: daysAgo(1) });
    expect(await world.calculation(bus)).toMatchObject({ fare: '0.00', total: '0.00' });
  });

  it('is one record, no matter who is first', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' }, { day: daysAgo(1) });
    const saved = world.save(bus, { cashless: '10', seen: { cashless: '0.00' } });
    await Promise.all([
      saved,
      ...Array.from({ length: 6 }, (_, n) => world.send(bus, [[at(`06:0${n}`), 1]])),
    ]);
    expect((await saved).status).toBe(200);
    expect(await world.calculation(bus)).toMatchObject({
      ...{ fare: '45.00', cashless: '10.00', count: 6 },
    });
    expect(await countRecords(bus)).toBe(2);
  });

  it('costs the later batches of its day no statement', async () => {
    const bus = await world.newBus();
    const countStatements = async (minute: number): Promise<number> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await world.send(bus, [[at(`07:0${minute}`), 1]]);
      const texts = query.mock.calls.map(([asked]) => JSON.stringify(asked));
      query.mockRestore();
      return texts.filter((text) => text.includes('insert into calculations')).length;
    };
    expect([await countStatements(1), await countStatements(2)]).toEqual([1, 0]);
  });
});

describe('a saved value', () => {
  it('changes only itself, and shows who saved it', async () => {
    const bus = await world.newBus();
    await world.send(bus, [
      [at('06:00'), 212],
      [at('07:00'), 200],
    ]);
    await world.save(bus, { fare: '45', salary_percent: '18' });
    const { status, body } = await world.save(bus, { cashless: '6120', handed_in: '9000.5' });
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ fare: '45.00', salary_percent: '18.00', cashless: '6120.00' },
        ...{ type_calculation: 'FIXED', count: 412, outside_shift: 0, total_error: null },
        ...{ total: '18540.00', salary: '3337.20', result: '9082.80' },
        ...{ handed_in: '9000.50', difference: '-82.30', updated_by: 'operator' },
        updated_at: new Date(world.server.clock.nowMs()).toISOString(),
      },
    ]);
    expect(body).toEqual((await world.busDay(bus)).calculation);
  });

  it('of a user without the edit right is stored: the calculator is open to all who see the bus', async () => {
    const bus = await world.newBus();
    expect((await world.save(bus, { fare: '45' }, { login: 'first' })).status).toBe(200);
    const asked = { workplace_id: bus.busId, date: DAY };
    const url = '/api/workplaces/calculation/recalculate';
    expect((await world.ask('first', 'POST', url, asked)).body.error).toBe('no_right');
    expect((await world.ask('operator', 'POST', url, asked)).status).toBe(204);
  });

  it.each([
    ['fare', '-1'],
    ['fare', '45.001'],
    ['fare', '100000.01'],
    ['fare', 45],
    ['fare', ''],
    ['salary_percent', '100.01'],
    ['salary_percent', '18.555'],
    ['salary_percent', '-1'],
    ['cashless', '1e5'],
    ['cashless', '100000000'],
    ['handed_in', '-0.01'],
    ['driver', ' '],
    ['driver', 'я'.repeat(256)],
    ['calculation_event', 'BOTH'],
    ['shift_start', '06:00'],
    ['seen.fare', { seen: { fare: 'much' } }],
    ['unanswered.0.driver', { unanswered: [{ driver: 1 }] }],
  ])('%s of %j is refused with its field', async (field, value) => {
    const sent = typeof value === 'object' ? value : { [field]: value };
    const { status, body } = await world.save(world.fleet.firstBus, sent);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });

  it('may be the largest and the smallest', async () => {
    const bus = await world.newBus();
    const largest = { fare: '100000', salary_percent: '100.00', cashless: '-99999999.99' };
    expect((await world.save(bus, { ...largest, handed_in: '99999999.99' })).status).toBe(200);
    expect((await world.save(bus, { fare: '0', salary_percent: '0' })).status).toBe(200);
  });

  it('of a bus without a calculator is refused, and its day shows none', async () => {
    const bus = await world.newBus();
    await sql`update workplaces set bus_calculation = false where id = ${bus.busId}`.execute(
      world.db,
    );
    expect((await world.busDay(bus)).calculation).toBeNull();
    const { status, body } = await world.save(bus, { fare: '45' });
    expect([status, body.message]).toEqual([404, expect.stringContaining('switched off')]);
  });

  it('of another customer is refused as one that does not exist', async () => {
    const bus = await world.newBus();
    const missing = { ...bus, busId: 999_999 };
    for (const one of [bus, missing]) {
      const answer = await world.save(one, { fare: '1' }, { login: 'second' });
      expect([answer.status, answer.body.message]).toEqual([404, 'There is no such object.']);
    }
  });

  it('is audited with what it replaced', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    await world.save(bus, { fare: '46', driver: 'Петров' });
    const rows = await world.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'set_calculation')
      .where('object_id', '=', String(bus.busId))
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { before: { date: DAY, fare: '0.00' }, after: { date: DAY, fare: '45.00' } },
      {
        before: { date: DAY, fare: '45.00', driver: null },
        after: { date: DAY, fare: '46.00', driver: 'Петров' },
      },
    ]);
  });
});

describe('two people who edit one day', () => {
  it('are both told: the second gets 409 with what the first stored', async () => {
    const bus = await world.newBus();
    const seen = { salary_percent: '0' };
    const [one, other] = await Promise.all([
      world.save(bus, { salary_percent: '18', seen }),
      world.save(bus, { salary_percent: '20', seen }, { login: 'first' }),
    ]);
    const [saved, told] = one.status === 200 ? [one, other] : [other, one];
    expect([saved.status, told.status]).toEqual([200, 409]);
    expect(told.body).toMatchObject({
      ...{ error: 'conflict', field: 'seen.salary_percent', current: saved.body },
    });
    expect(await world.calculation(bus)).toEqual(saved.body);
  });

  it('may both overwrite, over the value that they were told', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    const late = { fare: '50', seen: { fare: '0.00' } };
    const told = await world.save(bus, late, { login: 'first' });
    expect(told.status).toBe(409);
    const over = { fare: '50', seen: { fare: told.body.current.fare } };
    expect((await world.save(bus, over, { login: 'first' })).status).toBe(200);
  });

  it('both save where they changed different values', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45', seen: { fare: '0.00' } });
    const other = { driver: 'Петров', seen: { driver: null } };
    expect((await world.save(bus, other, { login: 'first' })).body).toMatchObject({
      ...{ fare: '45.00', driver: 'Петров' },
    });
  });

  it('overwrite each other where they do not say what they saw, as a client without it does', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    expect((await world.save(bus, { fare: '46' }, { login: 'first' })).body.fare).toBe('46.00');
    expect((await world.history(bus)).total).toBe(2);
  });

  it('are no conflict when they typed the same, as a retry after a lost answer', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' });
    const again = await world.save(bus, { fare: '45.0', seen: { fare: '0' } });
    expect([again.status, again.body.fare]).toEqual([200, '45.00']);
    expect((await world.history(bus)).total).toBe(1);
  });
});

describe('a page that closes while a save is under way', () => {
  it('has both saves stored, whichever arrives first', async () => {
    const bus = await world.newBus();
    const first = { fare: '45', seen: { fare: '0.00' } };
    const last = {
      ...{ fare: '46', salary_percent: '20' },
      ...{ seen: { fare: '0.00', salary_percent: '0.00' }, unanswered: [{ fare: '45.00' }] },
    };
    await world.save(bus, first);
    expect((await world.save(bus, last)).status).toBe(200);
    const other = await world.newBus();
    await world.save(other, last);
    expect((await world.save(other, first)).status).toBe(409);
    const stored = { fare: '46.00', salary_percent: '20.00' };
    expect(await world.calculation(bus)).toMatchObject(stored);
    expect(await world.calculation(other)).toMatchObject(stored);
  });

  it('overwrites nobody else', async () => {
    const bus = await world.newBus();
    const late = { fare: '46', seen: { fare: '0.00' }, unanswered: [{ fare: '44.00' }] };
    await world.save(bus, { fare: '45' }, { login: 'first' });
    expect((await world.save(bus, late)).status).toBe(409);
    expect((await world.calculation(bus)).fare).toBe('45.00');
    const own = await world.newBus();
    await world.save(own, { fare: '45' });
    expect((await world.save(own, late)).status).toBe(409);
  });
});
