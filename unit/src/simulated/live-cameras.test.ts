import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { describe, expect, it } from 'vitest';
import { UplinkError } from '../uplink/connection.ts';
import { createTimers } from '../uplink/timers.ts';
import { busDay } from './day.ts';
import { createLiveCameras } from './live-cameras.ts';
import { planFleet } from './plan.ts';

const [bus] = planFleet(1).buses;
if (bus === undefined) throw new Error('no bus');
const commandOf = (kind: 'start_live' | 'stop_live', camera = 'cabin1'): UnitCommand => ({
  id: 1,
  kind,
  created_at: '2026-11-20T08:00:00Z',
  live: { camera, path: '/unit/v1/live/key' },
});

/** A server that accepts uploads until the test ends the stream. */
function fakeServer() {
  const server = {
    puts: [] as string[],
    isOver: false,
    heads: [] as string[],
    request: async (path: string, init: RequestInit): Promise<Response> => {
      if (server.isOver) throw new UplinkError('404', 404, 'not_found');
      server.puts.push(`${init.method} ${path.split('/').at(-1)}`);
      if (init.body instanceof Uint8Array) {
        server.heads.push(Buffer.from(init.body.subarray(4, 8)).toString());
      }
      return new Response(null, { status: 204 });
    },
  };
  return server;
}

function camerasAt(server: ReturnType<typeof fakeServer>, failures: string[] = []) {
  return createLiveCameras({
    bus: bus as NonNullable<typeof bus>,
    // A day without camera failures.
    dayAt: () => ({
      ...busDay(1, bus as NonNullable<typeof bus>, '2026-11-20'),
      cameraChanges: [],
    }),
    seed: 1,
    connection: server,
    ffmpegPath: 'ffmpeg',
    timers: createTimers(0),
    isLinked: () => true,
    onFailure: (error) => failures.push(error.message),
  });
}

const { signal } = new AbortController();

describe('a simulated camera that is watched', () => {
  it('sends the init segment, segments and playlist once, until it is told to stop', async () => {
    const server = fakeServer();
    const failures: string[] = [];
    const cameras = camerasAt(server, failures);
    const start = commandOf('start_live');
    await Promise.all([cameras.start(start, signal), cameras.start(start, signal)]);
    await cameras.stop(commandOf('stop_live'));
    const begun = server.puts.length;
    expect(server.puts.slice(0, 3)).toEqual([
      'PUT init.mp4',
      expect.stringMatching(/^PUT \d+\.m4s$/),
      'PUT live.m3u8',
    ]);
    expect(server.puts.filter((one) => one === 'PUT init.mp4')).toHaveLength(1);
    expect(server.heads[0]).toBe('ftyp');
    expect(failures).toEqual([]);
    await cameras.stop(commandOf('stop_live'));
    expect(server.puts).toHaveLength(begun);
  });

  it('says why it cannot be watched', async () => {
    const cameras = camerasAt(fakeServer());
    await expect(cameras.start(commandOf('start_live', 'door1'), signal)).rejects.toThrow(
      'no such service camera',
    );
  });

  it('stops by itself when the server takes no more', async () => {
    const server = fakeServer();
    server.isOver = true;
    await expect(camerasAt(server).start(commandOf('start_live'), signal)).rejects.toThrow(
      'ended before its first frame',
    );
  });
});
