// U2: the cost of the product while it is idle: a depot at night.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl, sendRecords, setUpFleet, startProduct, waitFor } from '../harness/product.ts';
import { phaseOf } from './driven-hours.ts';
import { type Bench, ofBudget } from './measure.ts';
import { cpuOf, processesOf } from './processes.ts';
import { LAP_S, planOfStreet, saidIn } from './street.ts';

const BUSES = 12;
/** Most CPU of an idle fleet, in cores. */
const MOST_CPU = 0.03;
const MINUTES = 5;
const MINUTE_S = 60;
/** Length of a unit's long poll, s (docs/unit-interface.md). */
const HELD_S = 25;
/** Driven time before the bus was parked, and time since then, s: its last lap has ended. */
const DRIVEN_S = 2 * LAP_S;
const PARKED_S = 3 * 3600;
/** A job that has been due for this long is late, s. */
const LATE_S = 30;
/** Most time until the laps of the evening are computed, ms. */
const DRAIN_LIMIT_MS = 300_000;

interface Unit {
  readonly credential: string;
  readonly parkedS: number;
  readonly phaseS: number;
}

/** Measures server and database of a parked fleet. */
export const idle: Bench = {
  ids: ['U2'],
  run: async (_, { minutes = MINUTES }) => {
    const product = await startProduct();
    const client = new pg.Client({ connectionString: await databaseUrl(product) });
    await client.connect();
    const over = new AbortController();
    let asking: Promise<unknown> = Promise.resolve();
    try {
      const issued = await setUpFleet(product.url, planOfStreet(BUSES));
      const nowS = Math.floor(Date.now() / 1000);
      const units = issued.map(({ credential }, index) => ({
        credential,
        parkedS: nowS - PARKED_S,
        phaseS: phaseOf(index),
      }));
      for (const unit of units)
        await sendRecords(product.url, unit.credential, eveningOf(unit, nowS));
      asking = Promise.all(units.map((unit) => askForCommands(product.url, unit, over.signal)));
      await waitFor(
        async () => (await waiting(client, 0)) === 0,
        'the laps of the evening, no job left to do',
        DRAIN_LIMIT_MS,
      );
      const processes = await processesOf(product);
      const before = await cpuOf(processes);
      const beganMs = performance.now();
      for (let minute = 0; minute < minutes; minute += 1) {
        for (const unit of units) {
          // Units do not send in the same second.
          await pause((MINUTE_S * 1000) / BUSES);
          const position = standing(unit, Math.floor(Date.now() / 1000));
          await sendRecords(product.url, unit.credential, position);
        }
      }
      const tookS = (performance.now() - beganMs) / 1000;
      const after = await cpuOf(processes);
      const left = await waiting(client, LATE_S);
      const server = (after.server - before.server) / tookS;
      const database = (after.database - before.database) / tookS;
      const row = {
        id: 'U2',
        what: `${BUSES} parked buses, ${minutes} min`,
        unit: 'CPU-s/s',
        counters: { server: rounded(server), database: rounded(database), 'jobs held up': left },
      };
      return [ofBudget(row, server + database, MOST_CPU)];
    } finally {
      over.abort();
      await asking;
      await client.end();
      await product.remove();
    }
  },
};

// Two laps, then the parked place once a minute.
function eveningOf(unit: Unit, nowS: number): Readonly<Record<string, unknown>>[] {
  const said: Readonly<Record<string, unknown>>[] = [];
  for (let second = unit.parkedS - DRIVEN_S; second < unit.parkedS; second += 5) {
    said.push(...saidIn(second, unit.phaseS).filter(({ type }) => type === 'position'));
  }
  for (let second = unit.parkedS; second < nowS; second += MINUTE_S) {
    said.push(...standing(unit, second));
  }
  return said;
}

function standing(unit: Unit, second: number): Readonly<Record<string, unknown>>[] {
  const time = new Date(second * 1000).toISOString();
  return saidIn(unit.parkedS, unit.phaseS)
    .filter(({ type }) => type === 'position')
    .map((position) => ({ ...position, time, speed_kmh: 0 }));
}

async function askForCommands(url: string, unit: Unit, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${unit.credential}` };
  while (!signal.aborted) {
    await fetch(`${url}/unit/v1/commands?wait=${HELD_S}`, { headers, signal })
      .then((answer) => answer.text())
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }
}

async function waiting(client: pg.Client, lateS: number): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from graphile_worker.jobs where run_at <= now() - make_interval(secs => $1)',
    [lateS],
  );
  return Number(rows[0]?.count);
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
