// Rows that cannot be sent hold up no others.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
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
    select ${one.id}, ${one.bus.unitId}, ${one.bus.busId}, at, at, 1
    from generate_series(1, 300), (select ${new Date(storedMs)}::timestamptz as at) as moments`.execute(
    db,
  );
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
