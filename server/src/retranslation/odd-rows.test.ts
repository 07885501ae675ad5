// Rows that cannot be sent hold up no others.
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { adoptEgts } from '../test/egts.ts';
import { people, position, secondsOf, useOneUpstream } from '../test/upstream-world.ts';

const one = useOneUpstream();

it('rows that the upstream does not want are passed over at once, also while rows go one by one', async () => {
  await one.stop();
  let packets = 0;
  one.far.reply = () => {
    packets += 1;
    return packets === 1 ? 'cut' : {};
  };
  const storedMs = one.world.server.clock.nowMs();
  await one.send([position(0)]);
  // More than are read at once, without a second that anybody wants.
  const { db } = one.world.server.deps.database;
  await sql`
    insert into upstream_queue (upstream_id, unit_id, workplace_id, stored_at, due_at, records)
    select ${one.id}, ${one.bus.unitId}, ${one.bus.busId}, ${new Date(storedMs)}, now(), 1
    from generate_series(1, 300)`.execute(db);
  await one.send([position(1)]);
  // The queue is looked at once only, unless there is a reason.
  one.start({ pollMs: 600_000 });
  await one.until(one.isEmpty);
  expect(secondsOf(one.far.confirmed)).toEqual([0, 1]);
});

it('many people in many seconds go in several packets', async () => {
  await one.stop();
  for (let second = 0; second < 30; second += 1) {
    const crowd = Array.from({ length: 300 }, (_, n) =>
      people(second * 1000 + n, second, { count: 255, door: 1 + (n % 2) * 8 }),
    );
    await one.send(crowd);
  }
  one.start();
  await one.until(one.isEmpty);
  const all = one.far.confirmed.flatMap((record) => record.people);
  expect(all.reduce((sum, [, , entered]) => sum + entered, 0)).toBe(30 * 300 * 255);
  expect(await one.refusals()).toEqual([]);
});

it('a row that no packet holds is refused for good, and the others get through', async () => {
  await one.stop();
  await one.send([position(1)]);
  await one.world.server.deps.database.db
    .insertInto('upstream_queue')
    .values({
      ...{ upstream_id: one.id, unit_id: one.bus.unitId, workplace_id: one.bus.busId, records: 50 },
      ...{ stored_at: new Date(0), due_at: new Date(0), points: null },
      people: JSON.stringify(
        Array.from({ length: 50 }, (_, n) => [
          one.world.server.clock.nowMs() / 1000 + n,
          1,
          1e9,
          0,
        ]),
      ),
    })
    .execute();
  one.start();
  await one.until(one.isEmpty);
  expect(secondsOf(one.far.confirmed)).toEqual([1]);
  expect(await one.refusals()).toEqual([[139, 50]]);
});

it('two buses are never mixed: one whose unit brings the number of another is not sent', async () => {
  const { db } = one.world.server.deps.database;
  const [other, last] = [await one.world.freshBus(), await one.world.freshBus()];
  await adoptEgts(db, other.unitId, 1);
  await adoptEgts(db, last.unitId, 2);
  one.world.server.clock.advance(3000);
  await one.world.send(other, [position(5), people(6, 5)]);
  await one.send([position(1)]);
  await one.world.send(last, [position(2)]);
  await one.until(() => one.far.confirmed.length >= 2);
  await one.until(one.isEmpty);
  expect(one.far.arrived.map(({ object }) => object).sort()).toEqual([1, 2]);
  expect(new Set(secondsOf(one.far.arrived))).toEqual(new Set([1, 2]));
});

it('a row that cannot be put off is in the log once, not at each connection', async () => {
  const { log, database } = one.world.server.deps;
  const warn = vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const lines = () => warn.mock.calls.filter(([, text]) => text === 'a row was not put off');
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'no room'; end $$`.execute(database.db);
  await sql`create trigger refused before update on upstream_queue execute function refuse()`.execute(
    database.db,
  );
  try {
    one.far.reply = () => 'cut';
    await one.send([position(1)]);
    await one.until(() => lines().length > 0);
    const { all } = one.far.connections;
    await one.until(() => one.far.connections.all > all + 3);
    expect(lines()).toMatchObject([[{ upstreamId: one.id, reason: 'no room' }, expect.anything()]]);
  } finally {
    await one.stop();
    await sql`drop function refuse cascade`.execute(database.db);
    warn.mockRestore();
  }
});

it('that the database answers again is in the log while the connection stands', async () => {
  const { log, database } = one.world.server.deps;
  const warn = vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const isLogged = (text: string) => warn.mock.calls.some((call) => call[1] === text);
  const rename = async (from: string, to: string) => {
    for (const name of ['upstreams', 'upstream_queue']) {
      await sql`alter table ${sql.table(name + from)} rename to ${sql.table(name + to)}`.execute(
        database.db,
      );
    }
  };
  await one.until(async () => (await one.state()).connected_since !== null);
  await rename('', '_gone');
  try {
    await one.until(() => isLogged('the state of an upstream was not noted'));
  } finally {
    await rename('_gone', '');
  }
  await one.until(() => isLogged('the database answers a sender again'));
  warn.mockRestore();
});
