// Terminals that all send at the same time, as after an outage, are taken in turns.
import { JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { createJt808World } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

/** Connections whose messages are read and stored at the same time. */
const AT_ONCE = 32;

const world = useWorld(createJt808World);

it('few connections ask the database at the same time, and all are answered', async () => {
  const terminals = await Promise.all(
    [...Array(AT_ONCE + 4).keys()].map((n) => world.jt808.terminal(`${77_000 + n}`)),
  );
  const { db, pool } = world.server.deps.database;
  const { of: asked, count } = await db.transaction().execute(async (tx) => {
    await sql`lock table units in access exclusive mode`.execute(tx);
    const connect = vi.spyOn(pool, 'connect');
    const all = terminals.map((terminal) => terminal.ask(JT808.heartbeat, Buffer.alloc(0)));
    await vi.waitFor(() => expect(connect.mock.calls.length >= AT_ONCE).toBe(true));
    const count = connect.mock.calls.length;
    connect.mockRestore();
    return { of: all, count };
  });
  expect(new Set(await Promise.all(asked))).toEqual(new Set([RESULT.ok]));
  expect(count).toBe(AT_ONCE);
});
