// Commands of units whose terminals are signed in: they become messages, and their answers become words of the unit.
import { randomUUID } from 'node:crypto';
import { answerBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { serveLive } from '@ridewatch/unit/src/jt1078/recorder.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { insertCommand } from '../../fetching/commands.ts';
import { closePort } from '../../test/closed-port.ts';
import { startTestJt808 } from '../../test/jt808.ts';
import { createJt1078World, type Jt1078World, type LiveBus } from '../../test/jt1078.ts';
import { ofAnotherProcess } from '../../test/test-deps.ts';
import type { TerminalAnswer, TerminalRequest } from '../jt808/requests.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { createLiveCommands } from './live-commands.ts';
import { createTerminalCommands } from './terminal-commands.ts';

const WAIT = { timeout: 10_000, interval: 20 };
let world: Jt1078World;
beforeAll(async () => {
  world = await createJt1078World();
});
afterAll(() => world.close());

const commandsOf = ({ unitId }: LiveBus) =>
  world.server.deps.database.db
    .selectFrom('unit_commands')
    .select(['kind', 'result', 'reason'])
    .where('unit_id', '=', unitId)
    .orderBy('id')
    .execute();

describe('a user who begins to watch', () => {
  it('has the terminal asked for the smaller stream without sound, and to end it afterwards', async () => {
    const bus = await world.freshBus('ch12');
    const recorder = await world.recorder(bus);
    await world.watch(bus);
    await vi.waitFor(() => expect(recorder.requests).toHaveLength(1), WAIT);
    expect(recorder.requests[0]).toEqual({
      ...{ host: '127.0.0.1', port: world.jt1078.openPort(), channel: 12, kind: 1, stream: 1 },
    });
    const started = { kind: 'start_live', result: 'done', reason: null };
    await vi.waitFor(async () => expect(await commandsOf(bus)).toEqual([started]), WAIT);
    world.server.clock.advance(41_000);
    await world.lookAfter(bus);
    const stopped = { kind: 'stop_live', result: 'done', reason: null };
    await vi.waitFor(async () => expect(await commandsOf(bus)).toEqual([started, stopped]), WAIT);
  });

  it('has a terminal asked once it signs in', async () => {
    const bus = await world.freshBus();
    await world.watch(bus);
    const recorder = await world.recorder(bus);
    await vi.waitFor(() => expect(recorder.requests).toHaveLength(1), WAIT);
  });

  it('has a terminal asked in its first connection once a later one has ended', async () => {
    const bus = await world.freshBus();
    const recorder = await world.recorder(bus);
    const later = await world.jt808.terminal(bus.phone);
    await later.signIn();
    later.link.close();
    await world.watch(bus);
    await vi.waitFor(() => {
      recorder.terminal.send(JT808.heartbeat, Buffer.alloc(0));
      expect(recorder.requests).toHaveLength(1);
    }, WAIT);
  });

  it('has a terminal asked for the main stream that has no smaller one', async () => {
    const bus = await world.freshBus();
    const recorder = await world.recorder(bus, {
      answerTo: ({ stream }) => (stream === 1 ? 1 : 0),
    });
    await world.watch(bus);
    await vi.waitFor(
      async () => expect(await commandsOf(bus)).toMatchObject([{ result: 'done' }]),
      WAIT,
    );
    expect(recorder.requests.map(({ stream }) => stream)).toEqual([1, 0]);
  });

  it('sees why a terminal refuses', async () => {
    const bus = await world.freshBus();
    await world.recorder(bus, { answerTo: () => 3 });
    await world.watch(bus);
    await vi.waitFor(async () => {
      expect(await world.stateOf(bus)).toMatchObject({
        ...{ state: 'failed', reason: 'unit_failed', detail: '0x9101: 3, not supported' },
      });
    }, WAIT);
    expect(await commandsOf(bus)).toMatchObject([{ result: 'failed' }]);
  });

  it('sees that a terminal never answers, as of any unit', async () => {
    const bus = await world.freshBus();
    const recorder = await world.recorder(bus, { answerTo: () => undefined });
    await world.watch(bus);
    await vi.waitFor(() => expect(recorder.requests).toHaveLength(1), WAIT);
    world.server.clock.advance(41_000);
    await world.lookAfter(bus);
    expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'no_answer' });
  });

  it('sees that nobody knows which camera of the terminal it is', async () => {
    const bus = await world.freshBus('cabin');
    const recorder = await world.recorder(bus);
    await world.watch(bus);
    await vi.waitFor(async () => {
      expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'no_channel' });
    }, WAIT);
    expect(recorder.requests).toEqual([]);
  });
});

describe('a server without a port for live video', () => {
  it('says so, and asks no terminal', async () => {
    const { deps } = world.server;
    const without = await startTestJt808({ ...deps, config: { ...deps.config, jt1078Port: 0 } });
    const bus = await world.freshBus();
    const terminal = await without.terminal(bus.phone);
    await terminal.signIn();
    const recorder = serveLive(terminal, {
      ...{ phone: bus.phone, codec: 'h264', pictures: [], stepMs: 50, timers: createTimers(0) },
      signal: AbortSignal.any([]),
    });
    await world.watch(bus);
    await vi.waitFor(async () => {
      expect(await world.stateOf(bus)).toMatchObject({
        state: 'failed',
        reason: 'live_not_set_up',
      });
    }, WAIT);
    expect(recorder.requests).toEqual([]);
    await without.stop();
  });
});

it('a port that another program has gets no terminal, and the user is told', async () => {
  const bus = await world.freshBus();
  const recorder = await world.recorder(bus);
  const opens = await closePort(world.server.deps, 'jt1078', world.jt1078.openPort());
  await world.watch(bus);
  await vi.waitFor(async () => {
    expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'live_not_set_up' });
  }, WAIT);
  expect(recorder.requests).toEqual([]);
  await opens();
});

it('without a configured address a terminal is told the one that it has connected to', async () => {
  const { deps } = world.server;
  const config = { ...deps.config, jt1078Port: 1078, unitPublicHost: undefined };
  const own = await startTestJt808({ ...deps, config });
  const bus = await world.freshBus();
  const terminal = await own.terminal(bus.phone);
  await terminal.signIn();
  await world.watch(bus);
  const message = await terminal.link.next();
  expect(message).toMatchObject({ kind: 'message', id: 0x9101 });
  if (message.kind === 'message') {
    expect(message.body.toString('latin1', 1, 10)).toBe('127.0.0.1');
    expect(message.body.readUInt16BE(10)).toBe(1078);
  }
  await own.stop();
});

it('a command that was cancelled while the terminal thought costs no other one', async () => {
  const bus = await world.freshBus();
  const terminal = await world.jt808.terminal(bus.phone);
  await terminal.signIn();
  const { db } = world.server.deps.database;
  const failed = vi.spyOn(world.server.deps.log, 'error');
  await world.watch(bus);
  const first = await terminal.link.next();
  await db
    .updateTable('unit_commands')
    .set({ finished_at: new Date(world.server.clock.nowMs()), result: 'cancelled' })
    .where('unit_id', '=', bus.unitId)
    .execute();
  world.server.clock.advance(41_000);
  await world.lookAfter(bus);
  if (first.kind === 'message') terminal.send(JT808.answer, answerBody(first.serial, 0x9101, 0));
  expect(await terminal.link.next()).toMatchObject({ kind: 'message', id: 0x9102 });
  expect(failed).not.toHaveBeenCalled();
  failed.mockRestore();
  expect(await commandsOf(bus)).toMatchObject([{ result: 'cancelled' }, { result: null }]);
});

describe('live video of a terminal with a channel that does not answer', () => {
  // The commands of a bus: its cabin camera does not answer, that of its first door does.
  async function twoWatched() {
    const bus = await world.freshBus();
    const { deps, clock } = world.server;
    const { db } = deps.database;
    const { door1 } = bus.cameras;
    await db.updateTable('cameras').set({ stream_id: 'ch2' }).where('id', '=', door1).execute();
    const command = { unitId: bus.unitId, createdMs: clock.nowMs() };
    await insertCommand(db, { ...command, kind: 'report_camera_states' });
    await world.watch(bus);
    const live = { liveKey: randomUUID(), cameraId: door1 };
    await insertCommand(db, { ...command, ...live, kind: 'start_live' });
    await insertCommand(db, { ...command, ...live, kind: 'stop_live' });
    return bus;
  }
  const channelIn = ({ id, body }: TerminalRequest): number => {
    const bytes = typeof body === 'function' ? body('127.0.0.1') : body;
    return bytes[id === 0x9101 ? (bytes[0] ?? 0) + 5 : 0] ?? 0;
  };
  const report = async (): Promise<void> => {
    throw new AppError('unavailable', 'The disk is full.');
  };

  it('begins and ends in its order at once, and the silent one and one that waits for the disk are asked again', async () => {
    const bus = await twoWatched();
    const silence = Promise.withResolvers<TerminalAnswer>();
    const asked: number[] = [];
    const ask: Terminals['ask'] = async (_, request) => {
      if (channelIn(request) === 1) return silence.promise;
      asked.push(request.id);
      return { kind: 'result', result: 0 };
    };
    const lane = createLiveCommands(world.server.deps, { ask }, { report });
    const served = lane.serve(bus.unitId, () => false);
    const results = async () => (await commandsOf(bus)).map(({ result }) => result);
    const expected = [null, null, 'done', 'done'];
    await vi.waitFor(async () => expect(await results()).toEqual(expected), WAIT);
    expect(asked).toEqual([0x9101, 0x9102]);
    silence.resolve({ kind: 'silence' });
    await served;
    expect(await results()).toEqual(expected);
  });
});

it('a process learns by its own clock when a terminal has signed in at another one', async () => {
  const { deps, clock } = world.server;
  const { unitId } = await world.freshBus();
  const heard: number[][] = [];
  const none = {
    ask: async () => undefined,
    has: () => false,
    unitIds: () => [],
    arrivals: () => [],
  };
  const isElsewhere = (...one: number[]) => void heard.push(one);
  const ahead = { ...clock, nowMs: () => clock.nowMs() + 3_600_000 };
  const of = { ...deps, ...ofAnotherProcess(world.server), clock: ahead };
  const here = createTerminalCommands(deps, { ...none, isElsewhere });
  const there = createTerminalCommands(of, { ...none, isElsewhere: () => undefined });
  for (const one of [here, there]) {
    await one.start();
    onTestFinished(() => one.stop());
  }
  const { pool } = deps.database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    there.greet(unitId, ahead.nowMs() - 2000);
    // Also when it tells so late.
    await vi.waitFor(() => expect(pool.waitingCount).toBeGreaterThan(0), WAIT);
    clock.advance(5000);
  } finally {
    for (const one of held) one.release();
  }
  await vi.waitFor(() => expect(heard).toContainEqual([unitId, clock.nowMs() - 7000]), WAIT);
});
