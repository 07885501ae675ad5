// A server with the ports of JT/T 808 and FTP, its buses with registrars, and a user who wants recordings.
import type { RangeRequest } from '@ridewatch/contract/buses';
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusStatus } from '../buses/status-api.ts';
import type { Deps } from '../deps.ts';
import { insertCommand } from '../fetching/commands.ts';
import { ftpLimits } from '../ftp/limits.ts';
import { createFtpListener } from '../ftp/listener.ts';
import { addVideo } from '../video/api.ts';
import { addPreload } from '../video/preload-api.ts';
import {
  listBodyOf,
  type Manner,
  RECORDED_MS,
  serveRecordings,
  type TestFile,
  type TestRegistrar,
  WAIT,
} from './fake-registrar.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import type { FtpClient } from './ftp.ts';
import { adoptJt808, startTestJt808, type TestJt808 } from './jt808.ts';
import { createTestServer, type TestServer } from './test-deps.ts';

/**
 * A bus whose unit speaks JT/T 808 and has just been heard. Its cameras are online, with the keys ch1 and ch2 of the
 * doors and ch3 of the cabin.
 */
export type RegistrarBus = TestBus & { readonly phone: string };

/** A server with the ports of JT/T 808 and FTP. */
export interface RegistrarWorld {
  readonly server: TestServer;
  readonly jt808: TestJt808;
  /** The port of FTP. */
  readonly ftpPort: number;
  freshBus(settings?: Partial<Jt808Settings>): Promise<RegistrarBus>;
  /** Connects a registrar that has signed in. */
  registrar(bus: RegistrarBus, manner?: Manner, port?: TestJt808): Promise<TestRegistrar>;
  /** A user asks for minutes of a camera. @returns the requests of the bus, the newest first */
  ask(bus: RegistrarBus, camera: number, from: number, to: number): Promise<RangeRequest[]>;
  /** Makes a bus whose registrar is asked for the first hour of its first door. */
  asked(
    manner: Manner,
    settings?: Partial<Jt808Settings>,
  ): Promise<{ bus: RegistrarBus; registrar: TestRegistrar }>;
  /** Makes a bus whose registrar lists the files that `write` has set last, each for its channel. */
  listing(files: readonly TestFile[]): Promise<{
    readonly bus: RegistrarBus;
    readonly registrar: TestRegistrar;
    write(files: readonly TestFile[]): void;
  }>;
  requests(bus: RegistrarBus): Promise<RangeRequest[]>;
  /** Calls the API as the bus's customer. */
  call(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<unknown>;
  /** The fragments of a bus in order of time, with minutes after RECORDED_MS. */
  fragments(bus: RegistrarBus): Promise<ShownFragment[]>;
  commands(bus: RegistrarBus): Promise<{ kind: string; result: string | null }[]>;
  /** Waits until the commands of a kind have ended so; null: it has not. */
  ended(bus: RegistrarBus, kind: string, results: readonly (string | null)[]): Promise<void>;
  /** Lets the server look at the commands of a unit at once; without one as it does every few seconds. */
  look(bus?: RegistrarBus): Promise<void>;
  /** Withdraws no command, and waits until that is carried out. */
  stopNothing(bus: RegistrarBus): Promise<void>;
  /** Starts the port of another process. */
  startAnother(deps?: Partial<Deps>): Promise<TestJt808>;
  close(): Promise<void>;
}

/** A fragment. */
export interface ShownFragment {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly status: string;
  readonly fail_reason: string | null;
  readonly fail_detail: string | null;
}

/** A token is used for so long, ms; tests let hours pass. */
const TOKEN_MS = 5 * 60_000;

/** Creates it, three hours after the recordings began. */
export async function createRegistrarWorld(): Promise<RegistrarWorld> {
  const server = await createTestServer([addAuth, addBusStatus, addVideo, addPreload], {
    HOST: '127.0.0.1',
  });
  server.clock.set(RECORDED_MS + 3 * 3_600_000);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db);
  let signedIn = { atMs: Number.NEGATIVE_INFINITY, token: '' };
  const token = async (): Promise<string> => {
    const nowMs = server.clock.nowMs();
    if (nowMs - signedIn.atMs > TOKEN_MS) {
      signedIn = { atMs: nowMs, token: await server.signIn('first') };
    }
    return signedIn.token;
  };
  const ftp = createFtpListener(server.deps, 0, { ...ftpLimits, endMs: 50 });
  await ftp.start();
  const ftpPort = ftp.openPort();
  const config = { ...server.deps.config, ftpPort };
  const startAnother = async (deps: Partial<Deps> = {}): Promise<TestJt808> => {
    const one = await startTestJt808({ ...server.deps, config, ...deps });
    ports.push(one);
    return one;
  };
  const ports: TestJt808[] = [];
  const clients: FtpClient[] = [];
  const jt808 = await startAnother();
  let phones = 13_900_000_000;
  const call: RegistrarWorld['call'] = async (method, url, body) => {
    const headers = { authorization: `Bearer ${await token()}` };
    const answer = await server.app.inject({ method, url, headers, ...(body && { body }) });
    if (answer.statusCode >= 400) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
  const commands: RegistrarWorld['commands'] = ({ unitId }) =>
    db
      .selectFrom('unit_commands')
      .select(['kind', 'result'])
      .where('unit_id', '=', unitId)
      .orderBy('id')
      .execute();
  const requests = async ({ busId }: RegistrarBus): Promise<RangeRequest[]> =>
    ((await call('GET', `/api/workplaces/status/${busId}`)) as { requests: RangeRequest[] })
      .requests;
  const freshBus: RegistrarWorld['freshBus'] = async (settings) => {
    phones += 1;
    const phone = String(phones);
    const bus = await insertTestBus(db, first, `Автобус ${phone}`);
    await adoptJt808(db, bus.unitId, phone, settings);
    const keys = [bus.cameras.door1, bus.cameras.door2, bus.cameras.cabin];
    for (const [n, id] of keys.entries()) {
      const camera = { stream_id: `ch${n + 1}`, status: 'online' as const };
      await db.updateTable('cameras').set(camera).where('id', '=', id).execute();
    }
    const heard = { last_seen_at: new Date(server.clock.nowMs()) };
    await db.updateTable('units').set(heard).where('id', '=', bus.unitId).execute();
    return { ...bus, phone };
  };
  const registrar: RegistrarWorld['registrar'] = async (bus, manner = {}, port = jt808) => {
    const terminal = await port.terminal(bus.phone);
    await terminal.signIn();
    return serveRecordings(terminal, manner, clients);
  };
  const ask: RegistrarWorld['ask'] = async (bus, camera, from, to) => {
    const [startTime, endTime] = [from, to].map((minute) =>
      new Date(RECORDED_MS + minute * 60_000).toISOString(),
    );
    await call('POST', '/api/segments/set-downloading', { cameraId: camera, startTime, endTime });
    return requests(bus);
  };
  return {
    ...{ server, jt808, ftpPort, call, requests, startAnother, freshBus, registrar, ask },
    asked: async (manner, settings) => {
      const bus = await freshBus(settings);
      const own = await registrar(bus, manner);
      await ask(bus, bus.cameras.door1, 0, 60);
      return { bus, registrar: own };
    },
    listing: async (files) => {
      const bus = await freshBus();
      let listed = files;
      const own = await registrar(bus, {
        answerQuery: ({ serial, body }, terminal) => {
          const ofChannel = listed.filter(({ channel = 1 }) => channel === body[0]);
          terminal.send(0x1205, listBodyOf(serial, ofChannel));
        },
      });
      const write = (next: readonly TestFile[]): void => {
        listed = next;
      };
      return { bus, registrar: own, write };
    },
    fragments: async ({ unitId }) => {
      const rows = await db
        .selectFrom('segments')
        .select(['id', 'start_time', 'end_time', 'status', 'fail_reason', 'fail_detail'])
        .where('unit_id', '=', unitId)
        .orderBy('start_time')
        .execute();
      const minute = (time: Date): number => (time.getTime() - RECORDED_MS) / 60_000;
      return rows.map(({ start_time, end_time, ...row }) => ({
        ...{ ...row, from: minute(start_time), to: minute(end_time) },
      }));
    },
    commands,
    ended: (bus, kind, results) =>
      vi.waitFor(async () => {
        const own = (await commands(bus)).filter((command) => command.kind === kind);
        expect(own.map(({ result }) => result)).toEqual(results);
      }, WAIT),
    stopNothing: async (bus) => {
      const createdMs = server.clock.nowMs();
      const command = { unitId: bus.unitId, kind: 'stop_fetch', stops: [], createdMs } as const;
      const id = await insertCommand(db, command);
      const one = db.selectFrom('unit_commands').select('result').where('id', '=', id);
      await vi.waitFor(async () => expect(await one.execute()).toEqual([{ result: 'done' }]), WAIT);
    },
    look: async (bus) => {
      await sql`select pg_notify('unit_commands', ${String(bus?.unitId ?? '')})`.execute(db);
    },
    close: async () => {
      for (const client of clients) client.cut();
      for (const one of ports) await one.stop();
      await ftp.stop();
      await server.close();
    },
  };
}
