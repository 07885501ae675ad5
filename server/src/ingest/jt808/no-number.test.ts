// A number of nothing but zeros names no terminal, so no unit can have it: no list shows it, and a counter and the log tell of it.
import { JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import type { Jt808Form } from '@ridewatch/unit/src/jt808/message.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { at, createJt808World, startTestJt808 } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { REGISTRATION, RESULT } from './codes.ts';

const world = useWorld(createJt808World);
const NOTHING = Buffer.alloc(0);
const HOUR_MS = 3_600_000;
const counted = async (): Promise<number> => {
  const { values } = await world.server.deps.metrics.records.get();
  return values.find(({ labels }) => labels.outcome === 'no_number')?.value ?? 0;
};

it.each(['2013', '2019'] as const satisfies Jt808Form[])(
  'a terminal of %s without a number is refused and not listed, and its messages are counted',
  async (form) => {
    const before = await counted();
    const port = await startTestJt808(world.server.deps);
    const terminal = await port.terminal('0', form);
    terminal.send(JT808.register, NOTHING);
    expect(await terminal.link.next()).toMatchObject({
      ...{ kind: 'registered', result: REGISTRATION.unknownTerminal, code: '' },
    });
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.failed);
    expect(await terminal.ask(JT808.heartbeat, NOTHING)).toBe(RESULT.ok);
    expect(await counted()).toBe(before + 3);
    // At its end a port writes whom it has heard.
    await port.stop();
    const { db } = world.server.deps.database;
    expect(await db.selectFrom('unknown_units').select('protocol_id').execute()).toEqual([]);
  },
);

it('terminals without a number have a line of the log an hour, with the address of one', async () => {
  const { clock, deps } = world.server;
  const warn = vi.spyOn(deps.log, 'warn');
  onTestFinished(() => warn.mockRestore());
  const port = await startTestJt808(deps);
  onTestFinished(() => port.stop());
  const line = [
    { listener: 'jt808', address: '127.0.0.1' },
    'the number of a terminal is nothing but zeros: no unit can have it',
  ];
  const said: number[] = [];
  for (const waitMs of [0, HOUR_MS - 1, 1]) {
    clock.advance(waitMs);
    const terminal = await port.terminal('0');
    await terminal.ask(JT808.heartbeat, NOTHING);
    said.push(warn.mock.calls.length);
  }
  expect(said).toEqual([1, 1, 2]);
  expect(warn.mock.calls).toEqual([line, line]);
});
