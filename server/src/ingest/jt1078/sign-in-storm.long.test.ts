// After a restart of the server all terminals sign in at once, and one terminal may sign in again and again. What the server
// does for them then must not hold up what units send.
import { type AnsweringLink, openAnsweringLink } from '@ridewatch/unit/src/answering-link.ts';
import { createAnswerReader } from '@ridewatch/unit/src/jt808/answer.ts';
import { JT808, signInBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { createClock } from '../../core/clock.ts';
import { at, type TestJt808 } from '../../test/jt808.ts';
import { createRegistrarWorld } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from '../jt808/codes.ts';
import { createCodeLoader, type TerminalCodes } from '../jt808/terminal-codes.ts';

const TERMINALS = 3000;
const TERMINALS_OF_A_LINK = 750;
const REPEATS = 200_000;
/**
 * Statements that wait for a connection of the pool at the same time: those of the 100 lists that may begin together, and
 * some more. They were 6,600.
 */
const MOST_WAITING = 300;

const world = useWorld(createRegistrarWorld);
const links: AnsweringLink<unknown>[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

interface Terminal {
  readonly unitId: number;
  readonly phone: string;
}

/** Units with a bus and three cameras each whose states nobody knows. */
async function insertUnits(): Promise<readonly Terminal[]> {
  const { rows } = await sql<Terminal>`
    with buses as (
      insert into workplaces (name, created_at)
      select 'Автобус ' || n, now() from generate_series(1, ${TERMINALS}::int) as n
      returning id),
    doors as (
      insert into cameras (workplace_id, name, stream_id, live, door)
      select id, 'Дверь ' || door, 'ch' || door, false, door
      from buses, generate_series(1, 3) as door)
    insert into units
      (device_id, workplace_id, created_at, protocol, protocol_id, protocol_settings)
    select 'storm-' || id, id, now(), 'jt808', (15000000000 + id)::text, '{}' from buses
    returning id as "unitId", protocol_id as phone`.execute(world.server.deps.database.db);
  return rows;
}

const signInOf = ({ unitId, phone }: Terminal, codes: TerminalCodes, serial = 1): Buffer => {
  const body = signInBody('2013', codes.codeOf(unitId, phone));
  return jt808Frame({ form: '2013', phone, id: JT808.signIn, serial: serial % 0x10000, body });
};

/** Sends messages through a connection of their own. @returns when so many are answered */
async function send(port: TestJt808, bytes: Buffer, count: number): Promise<void> {
  const read = createAnswerReader();
  const { promise, resolve } = Promise.withResolvers<void>();
  let answers = 0;
  const link = await openAnsweringLink(port.listener.openPort(), '127.0.0.1', (some) => {
    answers += read(some).filter(({ kind }) => kind === 'answer').length;
    if (answers === count) resolve();
    return [];
  });
  links.push(link);
  link.send(bytes);
  await promise;
}

/** Sends locations of a bus one after the other until something is done. @returns the times to their answers, sorted, ms */
async function locateUntil(port: TestJt808, done: () => Promise<unknown>): Promise<number[]> {
  const bus = await world.freshBus();
  const terminal = await port.terminal(bus.phone);
  await terminal.signIn();
  const times: number[] = [];
  let isDone = false;
  const work = done().finally(() => {
    isDone = true;
  });
  for (let second = 0; !isDone; second += 1) {
    const sentMs = performance.now();
    expect(await terminal.ask(JT808.location, at(second), 120_000)).toBe(RESULT.ok);
    times.push(performance.now() - sentMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await work;
  return times.sort((a, b) => a - b);
}

/** Watches how many statements wait for a connection. @returns ends it, and gives the most */
function watchPool(): () => number {
  const { pool } = world.server.deps.database;
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, pool.waitingCount);
  }, 1);
  return () => {
    clearInterval(looking);
    return most;
  };
}

const told = (times: readonly number[]): string =>
  [0.5, 0.99, 1].map((part) => times[Math.ceil(times.length * part) - 1]?.toFixed(0)).join(' / ');

it('terminals that all sign in at once hold up no other one, and the states of all their cameras are stored', async () => {
  const units = await insertUnits();
  // Lists become due by the clock, too.
  const port = await world.startAnother({ clock: createClock(0) });
  const codes = await createCodeLoader(world.server.deps)();
  const { db } = world.server.deps.database;
  const mostWaiting = watchPool();
  const times = await locateUntil(port, async () => {
    const storms: Promise<void>[] = [];
    for (let from = 0; from < units.length; from += TERMINALS_OF_A_LINK) {
      const some = units.slice(from, from + TERMINALS_OF_A_LINK);
      const bytes = Buffer.concat(some.map((unit) => signInOf(unit, codes)));
      storms.push(send(port, bytes, some.length));
    }
    await Promise.all(storms);
    const stateless = db.selectFrom('cameras').select('cameras.id').where('status', 'is', null);
    const ofStorm = stateless
      .innerJoin('units', 'units.workplace_id', 'cameras.workplace_id')
      .where('device_id', 'like', 'storm-%')
      .limit(1);
    await vi.waitFor(async () => expect(await ofStorm.execute()).toEqual([]), {
      ...{ timeout: 100_000, interval: 500 },
    });
  });
  expect(mostWaiting(), `ms to an answer: ${told(times)}`).toBeLessThan(MOST_WAITING);
}, 200_000);

it('a terminal that signs in again and again holds up no other one', async () => {
  const port = await world.startAnother();
  const bus = await world.freshBus();
  const codes = await createCodeLoader(world.server.deps)();
  const bytes = Buffer.concat([...Array(REPEATS).keys()].map((n) => signInOf(bus, codes, n)));
  const mostWaiting = watchPool();
  const times = await locateUntil(port, () => send(port, bytes, REPEATS));
  expect(mostWaiting(), `ms to an answer: ${told(times)}`).toBeLessThan(MOST_WAITING);
}, 200_000);
