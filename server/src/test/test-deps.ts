import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENT_ID } from '@ridewatch/contract/auth';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { createAuthenticators } from '../auth/authenticators.ts';
import { createBacklogWork } from '../core/backlog-work.ts';
import type { Clock } from '../core/clock.ts';
import { readConfig } from '../core/config.ts';
import type { Disk, DiskLimits, DiskRoom } from '../core/disk.ts';
import { createLog } from '../core/log.ts';
import { createMetrics } from '../core/metrics.ts';
import type { Deps, Feature } from '../deps.ts';
import { openStorage } from '../storage/open.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A clock that stands still until it is set. */
export interface TestClock extends Clock {
  /** Lets the time until a later moment pass; an earlier one sets the clock back, and no time passes. */
  set(ms: number): void;
  advance(ms: number): void;
}

/** Creates a test clock. @param startMs the machine's present by default */
export function createTestClock(startMs = Date.now()): TestClock {
  let nowMs = startMs;
  let elapsedMs = 0;
  const set = (ms: number): void => {
    elapsedMs += Math.max(0, ms - nowMs);
    nowMs = ms;
  };
  return {
    nowMs: () => nowMs,
    elapsedMs: () => elapsedMs,
    set,
    advance: (ms) => set(nowMs + ms),
  };
}

/** A disk with a settable fill level; half full by default. */
export interface TestDisk extends Disk {
  set(room: DiskRoom): void;
}

function createTestDisk(limits: DiskLimits): TestDisk {
  let room: DiskRoom = { totalBytes: 2e12, freeBytes: 1e12 };
  return {
    machine: 'test-machine',
    limits,
    read: async () => room,
    set: (next) => {
      room = next;
    },
  };
}

export interface TestServer {
  readonly disk: TestDisk;
  readonly deps: Deps;
  readonly clock: TestClock;
  readonly app: FastifyInstance;
  /** Another process over the same database. */
  another(): Promise<FastifyInstance>;
  /** Access token of a login. */
  signIn(login: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

/** The password of every fixture user. */
export const PASSWORD = 'a long password';

/** Within this every process knows of a lost right or an ended credential, ms. */
export const KNOWN_MS = 5000;

/** Within this every process knows of a unit that got an id, or lost it, ms. */
export const UNIT_KNOWN_MS = 3000;

/** The same database as another process has it: what a process shares by its database is not shared. */
export function ofAnotherProcess({ deps }: Pick<TestServer, 'deps'>): Pick<Deps, 'database'> {
  return { database: { ...deps.database } };
}

/**
 * Creates a server with some features; requests go through `app.inject`.
 * @param own its database, by default a migrated one without rows; it is dropped with the server
 * @param more other dependencies than usual
 */
export async function createTestServer(
  features: readonly Feature[],
  environment: Readonly<Record<string, string>> = {},
  own?: TestDatabase,
  more: Partial<Deps> = {},
): Promise<TestServer> {
  const database = own ?? (await createTestDatabase());
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ridewatch-test-data-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment });
  const clock = createTestClock();
  const disk = createTestDisk(config.diskLimits);
  const deps: Deps = {
    config,
    database,
    clock,
    disk,
    storage: await openStorage(config),
    log: createLog(config.logLevel),
    metrics: createMetrics(),
    backlogWork: createBacklogWork(),
    videoOff: undefined,
    ...more,
  };
  const apps: FastifyInstance[] = [];
  const another = async (): Promise<FastifyInstance> => {
    const app = await buildApp(deps, await createAuthenticators(deps), features);
    apps.push(app);
    return app;
  };
  const app = await another();
  return {
    deps,
    clock,
    disk,
    app,
    another,
    signIn: async (login, password = PASSWORD) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ grant_type: 'password', username: login, password }).toString(),
      });
      if (answer.statusCode !== 200) throw new Error(`${login}: ${answer.body}`);
      return answer.json<{ access_token: string }>().access_token;
    },
    close: async () => {
      for (const one of apps) await one.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
