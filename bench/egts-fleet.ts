// A product whose units speak EGTS, and the process that sends for them.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import pg from 'pg';
import { databaseUrl, type Product, setUpFleet, startProduct } from '../harness/product.ts';
import type { EgtsLoad, EgtsPace, EgtsReport } from './egts-load.ts';
import { planOf } from './sample-data.ts';

/** Numbers of the units in EGTS begin here. */
const FIRST_OBJECT = 100_000;
/** A fleet is made in parts of so many buses. */
const MADE_AT_ONCE = 1000;
/** No round may take longer; one that does has lost something, ms. */
const MOST_MS = 600_000;

/** A unit of the fleet. */
export interface FleetUnit {
  readonly unitId: number;
  readonly busId: number;
  readonly object: number;
}

export interface EgtsFleet {
  readonly product: Product;
  readonly client: pg.Client;
  readonly units: readonly FleetUnit[];
  readonly port: number;
  /** A port for a process of ingest alone, and which one it was. */
  freePort(): Promise<number>;
  ingestPort(): number;
  /** Opens connections for a round. */
  open(load: Omit<EgtsLoad, 'port' | 'objects'> & Partial<EgtsLoad>): Promise<void>;
  /** Sends, and waits for the end of the round. @throws Error when a packet was refused */
  send(pace?: Partial<EgtsPace>): Promise<EgtsReport>;
  /** The numbers since the last report; those of the whole round once it has ended. */
  report(): Promise<EgtsReport>;
  close(): Promise<void>;
}

/** Starts it. @param env variables of the server */
export async function startEgtsFleet(
  count: number,
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<EgtsFleet> {
  const port = await findFreePort();
  const product = await startProduct({ env: { ...env, EGTS_PORT: String(port) } });
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  client.on('error', () => undefined);
  await client.connect();
  const child = fork(path.join(import.meta.dirname, 'egts-load.ts'), {
    serialization: 'advanced',
  });
  const close = async (): Promise<void> => {
    child.kill();
    await client.end();
    await product.remove();
  };
  try {
    const units = await adopt(client, product, count);
    let second = 0;
    const ports = {
      freePort: async () => {
        second = await findFreePort();
        return second;
      },
      ingestPort: () => second,
    };
    return { product, client, units, port, ...ports, ...linkTo(child, port, units), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function adopt(client: pg.Client, product: Product, count: number): Promise<FleetUnit[]> {
  const plan = planOf(count);
  const customers = plan.customers.slice();
  const perCustomer = customers[0]?.buses.length ?? 1;
  while (customers.length > 0) {
    const some = customers.splice(0, Math.max(1, Math.floor(MADE_AT_ONCE / perCustomer)));
    await setUpFleet(product.url, { customers: some });
  }
  const { rows } = await client.query<{ unitId: string; busId: string; object: string }>(
    `update units set protocol = 'egts', protocol_settings = '{}',
       protocol_id = ($1 + substring(device_id from 'bench-(.*)')::int)::text
     where device_id like 'bench-%'
     returning id as "unitId", workplace_id as "busId", protocol_id as object`,
    [FIRST_OBJECT],
  );
  await client.query('vacuum (analyze) units');
  return rows
    .map((row) => ({
      unitId: Number(row.unitId),
      busId: Number(row.busId),
      object: Number(row.object),
    }))
    .sort((a, b) => a.object - b.object);
}

type Link = Pick<EgtsFleet, 'open' | 'send' | 'report'>;

function linkTo(child: ChildProcess, port: number, units: readonly FleetUnit[]): Link {
  // The end of a round may come while a report is asked for: who waits for the end gets the end.
  const isEnd = (message: unknown): boolean =>
    typeof message === 'object' && message !== null && (message as EgtsReport).isDone;
  const next = (isWanted: (message: unknown) => boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(late);
        child.off('message', take).off('exit', gone);
        settle();
      };
      const take = (message: unknown): void => {
        if (isWanted(message)) end(() => resolve(message));
      };
      const gone = (): void => end(() => reject(new Error('the load has ended')));
      const late = setTimeout(
        () => end(() => reject(new Error('a round takes too long'))),
        MOST_MS,
      );
      child.on('message', take).on('exit', gone);
    });
  const end = async (): Promise<EgtsReport> => {
    const report = (await next(isEnd)) as EgtsReport;
    if (report.failures.length > 0) throw new Error(report.failures.join('\n'));
    return report;
  };
  return {
    open: async (load) => {
      const objects = units.map(({ object }) => object);
      const ready = next((message) => message === 'ready');
      child.send({ port, objects, ...load });
      await ready;
    },
    send: ({ framesPerS } = {}) => {
      const ended = end();
      const pace: EgtsPace = { framesPerS };
      child.send(pace);
      return ended;
    },
    report: async () => {
      const told = next((message) => message !== 'ready');
      child.send('report');
      return (await told) as EgtsReport;
    },
  };
}
