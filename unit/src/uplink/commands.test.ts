import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { expect, it } from 'vitest';
import { GoneError, runCommandLoop } from './commands.ts';
import { UplinkError } from './connection.ts';

const command: UnitCommand = {
  id: 5,
  kind: 'report_camera_states',
  created_at: '2026-11-20T08:00:00.000Z',
};

/** A server that delivers its command until it is acknowledged as finished, and then ends the test. */
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
    acknowledge: async (_id: number, result: string, reason?: string, isFinal?: boolean) => {
      const words = reason === undefined ? result : `${result}: ${reason}`;
      said.push(isFinal ? `${words}, for good` : words);
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
  let executed = 0;
  const execute = async (): Promise<void> => {
    executed += 1;
    await timers.sleep();
    await timers.sleep();
  };
  await runCommandLoop({ connection: server, timers, execute, signal: stop.signal });
  expect(server.said).toEqual(['accepted', 'done']);
  expect(executed).toBe(1);
});

it.each([
  ['a failure', new Error('the disk is busy'), 'failed: the disk is busy'],
  ['what is gone', new GoneError('it was overwritten'), 'failed: it was overwritten, for good'],
])('tells the server of %s', async (_name, error, said) => {
  const stop = new AbortController();
  const server = fakeServer(stop);
  const execute = () => Promise.reject(error);
  await runCommandLoop({ connection: server, timers, execute, signal: stop.signal });
  expect(server.said).toEqual(['accepted', said]);
});

it('does not call a lost link a failure: the command is shown and taken up again', async () => {
  const stop = new AbortController();
  const server = fakeServer(stop);
  let tries = 0;
  const execute = async (): Promise<void> => {
    tries += 1;
    if (tries === 1) throw new UplinkError('no answer', 0, '');
  };
  await runCommandLoop({ connection: server, timers, execute, signal: stop.signal });
  expect(server.said.filter((word) => word !== 'accepted')).not.toContain('failed: no answer');
  expect(server.said).toEqual(['accepted', 'accepted', 'done']);
});

it('stops what the server has taken back, says nothing more of it, and says when it has stopped', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const fetching: UnitCommand = { ...command, id: 6, kind: 'fetch_segment' };
  const stopping: UnitCommand = {
    ...command,
    id: 7,
    kind: 'stop_fetch',
    stop: { commands: [6, 3] },
  };
  const server = {
    pollCommands: async () => {
      if (said.includes('7 done')) stop.abort();
      if (stop.signal.aborted) return [];
      return said.includes('6 accepted') ? [stopping] : [fetching];
    },
    acknowledge: async (id: number, result: string) => {
      said.push(`${id} ${result}`);
    },
  };
  const execute = (_command: UnitCommand, signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  await runCommandLoop({ connection: server, timers, execute, signal: stop.signal });
  expect(said).toEqual(['6 accepted', '7 accepted', '7 done']);
});
