// Terminals that all send at the same time, as after an outage, are taken in turns.
import { Socket } from 'node:net';
import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { batchBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { at, createJt808World } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { createConnectionTurns } from '../by-id/connection-turns.ts';
import { openSession, type SessionDeps } from './session.ts';
import { createSplitRoom } from './split-messages.ts';
import { createTerminals } from './terminals.ts';

/** Connections whose messages are read and stored at the same time. */
const AT_ONCE = 32;

const world = useWorld(createJt808World);

const nothing = () => undefined;

/** Opens a session of its own on a socket that is connected to nothing. @param own what differs from the usual */
function openOne(own: Partial<SessionDeps>): Socket {
  const socket = new Socket();
  onTestFinished(() => void socket.destroy());
  vi.spyOn(socket, 'write').mockReturnValue(true);
  const { clock, deps } = world.server;
  openSession(socket, {
    ...{ clock, log: deps.log, terminals: createTerminals(nothing), takeTold: async () => [] },
    ...{ inTurn: createConnectionTurns(), splitRoom: createSplitRoom() },
    ...{ limits: { firstMs: 60_000, idleMs: 60_000 }, knocks: { note: nothing } },
    heardUnits: { note: nothing },
    noteNoNumber: nothing,
    place: { keep: nothing, leave: nothing },
    events: { heard: nothing, located: nothing, listedLate: nothing, uploadEnded: nothing },
    loadCodes: async () => ({ codeOf: () => '', isRight: () => true }),
    findUnits: async () => new Map(),
    ...own,
  });
  return socket;
}

it('messages of few connections are taken at the same time, and all are answered', async () => {
  const waiting = new Set<() => void>();
  let most = 0;
  const findUnits = () =>
    new Promise<Map<never, never>>((resolve) => {
      waiting.add(() => resolve(new Map<never, never>()));
      most = Math.max(most, waiting.size);
    });
  const inTurn = createConnectionTurns();
  const sockets = Array.from({ length: AT_ONCE + 4 }, () => openOne({ inTurn, findUnits }));
  const message = { form: '2013', phone: '13900000000', id: JT808.heartbeat, serial: 1 } as const;
  const frame = jt808Frame({ ...message, body: Buffer.alloc(0) });
  for (const socket of sockets) socket.emit('data', frame);
  await vi.waitFor(() => expect(waiting.size).toBe(AT_ONCE));
  await vi.waitFor(() => {
    for (const goOn of waiting) goOn();
    waiting.clear();
    expect(sockets.every(({ write }) => vi.mocked(write).mock.calls.length === 1)).toBe(true);
  });
  expect(most).toBe(AT_ONCE);
});

it('long split messages that end together are read one by one', async () => {
  const [ITEMS, PART_BYTES] = [1200, 1000];
  const sizes: number[] = [];
  const unit = { unitId: 7, deviceId: '7', busId: 1, assignedFromMs: 0, pastAssignments: [] };
  const units = new Map([['13912345678', { unit, settings: Jt808Settings.parse({}) }]]);
  const takeTold: SessionDeps['takeTold'] = async (told) => {
    sizes.push(told.length);
    return told.map(() => 'stored' as const);
  };
  const socket = openOne({ takeTold, findUnits: async () => units });
  const message = { form: '2013', phone: '13912345678' } as const;
  const body = batchBody(Array.from({ length: ITEMS }, (_, n) => at(n)));
  const total = Math.ceil(body.length / PART_BYTES);
  const partsOf = (serial: number): Buffer[] =>
    Array.from({ length: total }, (_, n) => {
      const part = body.subarray(n * PART_BYTES, (n + 1) * PART_BYTES);
      const own = { ...message, id: JT808.locations, serial: serial + n, body: part };
      return jt808Frame(own, [total, n + 1]);
    });
  const all = [partsOf(100), partsOf(500), partsOf(900)];
  const signIn = { ...message, id: JT808.signIn, serial: 1, body: Buffer.from('code') };
  const frames = [
    jt808Frame(signIn),
    ...all.flatMap((parts) => parts.slice(0, -1)),
    ...all.flatMap((parts) => parts.slice(-1)),
  ];
  socket.emit('data', Buffer.concat(frames));
  await vi.waitFor(() =>
    expect(sizes.reduce((sum, size) => sum + size, 0) === 3 * ITEMS).toBe(true),
  );
  expect(Math.max(...sizes)).toBe(ITEMS);
});
