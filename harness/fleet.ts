import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BusList } from '@ridewatch/contract/buses';
import { ask, type Product, signIn } from './product.ts';
import { ZONE } from './zone.ts';

const root = path.resolve(import.meta.dirname, '..');

export interface RunningFleet {
  /** The truth of a bus's day. */
  truthOf(deviceId: string, day: string): Promise<Truth>;
  /** Ids of the buses on the server, by device id. */
  readonly busIds: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface People {
  readonly adult: number;
  readonly kids: number;
}

/** The fields of docs/truth-file.md that tests compare. */
export interface Truth {
  readonly entered: People;
  readonly exited: People;
  readonly fare: { readonly type: 'FIXED' | 'CALCULATION'; readonly total: string } | null;
  readonly hours: readonly { start: string; entered: People; exited: People }[];
  readonly laps: readonly {
    number: number;
    departure: string;
    fare: string | null;
    boarded: People;
    alighted: People;
    stops: readonly { index: number; name: string; boarded: People; alighted: People }[];
  }[];
  readonly fragments: readonly {
    camera: string;
    start: string;
    entered: People;
    exited: People;
  }[];
}

export interface FleetOptions {
  /** Further arguments of the simulated fleet. */
  readonly more?: readonly string[];
  readonly zone?: string;
}

/**
 * Runs a simulated fleet on a product: a day of history, then the present, until it is stopped. A product with a fleet
 * goes on with it. Five buses have every kind of fare, camera and working day that stories look at.
 */
export async function startFleet(
  product: Product,
  buses = 5,
  { more = [], zone = ZONE }: FleetOptions = {},
): Promise<RunningFleet> {
  await moveState(product);
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'unit/src/simulated/main.ts'),
      ...['--url', product.url, '--buses', String(buses), '--days', '1', '--zone', zone],
      ...['--login', 'admin', '--password', 'demo', '--data', product.dataDir],
      ...more,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await untilReady(child);
  const token = await signIn(product.url, 'admin');
  const list = await ask<BusList>(product.url, token, 'GET', '/api/bus_list');
  return {
    busIds: new Map(list.items.map((bus) => [bus.group_device_id ?? '', bus.id])),
    truthOf: async (deviceId, day) => {
      const file = path.join(product.dataDir, 'simulated/truth', deviceId, `${day}.json`);
      return JSON.parse(await readFile(file, 'utf8')) as Truth;
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

// A fleet goes on only on the server that it was on; the copy of a product has another address.
async function moveState({ dataDir, url }: Product): Promise<void> {
  const file = path.join(dataDir, 'simulated/state.json');
  if (!existsSync(file)) return;
  const state = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...state, url }));
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/^ready$/m.test(text)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the fleet ended with ${code}:\n${text}`)));
  });
}
