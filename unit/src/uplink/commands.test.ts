import type { UnitCommand } from '@ridewatch/contract/unit';
import { expect, it } from 'vitest';
import { runCommandLoop } from './commands.ts';
import { UplinkError } from './connection.ts';

const command: UnitCommand = {
  id: 5,
  kind: 'report_camera_states',
  created_at: '2026-11-20T08:00:00.000Z',
};

/** A server that shows its command until it is acknowledged as over, and then ends the test. */
function fakeServer(stop: AbortController, failFirst = false) {
  const said: string[] = [];
  let polls = 0;
  return {
    said,
    pollCommands: async () => {
      polls += 1;
      if (failFirst && polls === 1) throw new UplinkError('no answer', 0, '');
      if (said.length > 1) stop.abort();
      return stop.signal.aborted ? [] : [command];
    },
    acknowledge: async (_id: number, result: string, reason?: string) => {
      said.push(reason === undefined ? result : `${result}: ${reason}`);
    },
  };
}

const timers = {
  nowMs: () => 0,
  sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

it('takes a command once although it is shown again, and says when it is done', async () => {
  const stop = new AbortController();
  const server = fakeServer(stop, true);
  let carriedOut = 0;
  const carryOut = async (): Promise<void> => {
    carriedOut += 1;
    await timers.sleep();
    await timers.sleep();
  };
  await runCommandLoop({ connection: server, timers, carryOut, signal: stop.signal });
  expect(server.said).toEqual(['accepted', 'done']);
  expect(carriedOut).toBe(1);
});

it('tells the server why a command failed', async () => {
  const stop = new AbortController();
  const server = fakeServer(stop);
  const carryOut = () => Promise.reject(new Error('the registrar has no such fragment'));
  await runCommandLoop({ connection: server, timers, carryOut, signal: stop.signal });
  expect(server.said).toEqual(['accepted', 'failed: the registrar has no such fragment']);
});
