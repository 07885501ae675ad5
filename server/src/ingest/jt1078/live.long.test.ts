// Live video of terminals of JT/T 808 over real sockets, with real ffmpeg: from a user who begins to watch to pictures that
// play, and to the end.
import { connect } from 'node:net';
import type { CodedPicture } from '@ridewatch/unit/src/jt1078/elementary-stream.ts';
import { jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createJt1078World,
  type Jt1078World,
  type LiveBus,
  makePictures,
  play,
  STEP_MS,
} from '../../test/jt1078.ts';

const WAIT = { timeout: 20_000, interval: 50 };
let world: Jt1078World;
let clips: Record<'h264' | 'h265', CodedPicture[]>;
beforeAll(async () => {
  world = await createJt1078World();
  clips = { h264: makePictures('h264', 6), h265: makePictures('h265', 6) };
});
afterAll(() => world.close());

/** The playlist once it lists so many segments. */
const playlistOf = (uri: string, segments: number): Promise<string> =>
  vi.waitFor(async () => {
    const told = (await world.server.app.inject({ url: uri })).body;
    expect(told.match(/m4s/g)?.length ?? 0).toBeGreaterThanOrEqual(segments);
    return told;
  }, WAIT);

const noticed = (bus: LiveBus, state: string): Promise<void> =>
  vi.waitFor(async () => expect(await world.stateOf(bus)).toMatchObject({ state }), WAIT);

describe.each([
  { codec: 'h264', form: '2013', phoneBytes: 6, name: 'h264', tag: 'avc1' },
  { codec: 'h265', form: '2019', phoneBytes: 10, name: 'hevc', tag: 'hvc1' },
] as const)(
  'live video in $codec of a terminal of $form',
  ({ codec, form, phoneBytes, name, tag }) => {
    it('comes when somebody begins to watch, plays without sound, and ends when nobody does', async () => {
      const bus = await world.freshBus();
      const manner = { codec, form, phoneBytes, pictures: clips[codec], hasSound: true } as const;
      const recorder = await world.recorder(bus, manner);
      const uri = await world.watch(bus);
      const playlist = await playlistOf(uri, 3);
      expect(recorder.requests).toEqual([
        { host: '127.0.0.1', port: world.jt1078.openPort(), channel: 1, kind: 1, stream: 1 },
      ]);
      expect(await world.stateOf(bus)).toMatchObject({ state: 'running', reason: null, codec });
      const played = await play(world.server, playlist);
      expect(played).toMatchObject({ codec: name, tag, sounds: 0 });
      // Twenty pictures a second, at the terminal's own times.
      expect(played.pictures).toBeGreaterThanOrEqual(60);
      expect(played.seconds).toBeCloseTo((played.pictures - 1) * 0.05, 1);
      expect(playlist).toMatch(/#EXTINF:1\.0\d+,/);

      world.server.clock.advance(50_000);
      await world.lookAfter(bus);
      await vi.waitFor(() => expect(recorder.running()).toEqual([]), WAIT);
      await noticed(bus, 'ended');
      expect((await world.server.app.inject({ url: uri })).statusCode).toBe(404);
    });
  },
);

describe('live video of a terminal', () => {
  it('goes on after the terminal has connected again, with times and numbers that rise', async () => {
    const bus = await world.freshBus();
    const recorder = await world.recorder(bus, { pictures: clips.h264 });
    const uri = await world.watch(bus);
    await playlistOf(uri, 2);
    recorder.terminal.link.close();
    await recorder.ended;
    await world.streaming(0);
    world.server.clock.advance(13_000);
    await world.recorder(bus, { pictures: clips.h264 });
    await world.server.app.inject({ url: uri });
    await world.lookAfter(bus);
    const first = Number(
      /MEDIA-SEQUENCE:(\d+)/.exec((await world.server.app.inject({ url: uri })).body)?.[1],
    );
    const playlist = await vi.waitFor(async () => {
      const told = (await world.server.app.inject({ url: uri })).body;
      expect(Number(/MEDIA-SEQUENCE:(\d+)/.exec(told)?.[1])).toBeGreaterThanOrEqual(first + 10);
      return told;
    }, WAIT);
    const played = await play(world.server, playlist);
    expect(played.pictures).toBeGreaterThanOrEqual(20);
    // The clock went on by 13 s between the two connections.
    expect(played.startS).toBeGreaterThanOrEqual(13);
  });

  it('with B pictures plays at its own speed', async () => {
    const bus = await world.freshBus();
    const uri = await world.watch(bus);
    // The order of sending in each second: a picture, and then the two that are shown before it.
    const row = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11, 15, 13, 14, 18, 16, 17, 19];
    let serial = 0;
    const packets = makePictures('h264', 6, 2).flatMap(({ isKey, bytes }, n) => {
      const shown = Math.floor(n / row.length) * row.length + (row[n % row.length] ?? 0);
      const frame = { kind: isKey ? 'key' : 'predicted', timeMs: shown * STEP_MS, bytes } as const;
      const some = jt1078Packets({ phone: bus.phone, channel: 1, codec: 'h264' }, frame, serial);
      serial += some.length;
      return some;
    });
    const socket = connect(world.jt1078.openPort(), '127.0.0.1');
    socket.write(Buffer.concat(packets));
    const playlist = await playlistOf(uri, 5);
    socket.destroy();
    const played = await play(world.server, playlist);
    expect(played.pictures).toBe(100);
    // The first three wait for each other.
    expect(played.seconds).toBeGreaterThanOrEqual(99 * 0.05);
    expect(played.seconds).toBeLessThanOrEqual(102 * 0.05);
    const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].map(([, length]) =>
      Number(length),
    );
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(5.05, 1);
  });
});
