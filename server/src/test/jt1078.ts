// Terminals of JT/T 808 that send live video over real sockets, and users who watch it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LiveStream } from '@ridewatch/contract/live';
import type { Jt808Form } from '@ridewatch/unit/src/jt808/message.ts';
import type { Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { type CodedPicture, picturesOf } from '@ridewatch/unit/src/jt1078/elementary-stream.ts';
import {
  type Recorder,
  type RecorderOptions,
  serveLive,
} from '@ridewatch/unit/src/jt1078/recorder.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { expect, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import type { Deps } from '../deps.ts';
import type { TcpListener } from '../ingest/by-id/tcp-listener.ts';
import { createJt1078Listener } from '../ingest/jt1078/listener.ts';
import type { StreamLimits } from '../ingest/jt1078/session.ts';
import { addLive } from '../live/api.ts';
import { watchLiveJob } from '../live/watch-job.ts';
import { ffmpeg } from './clip.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import { adoptJt808, startTestJt808, type TestJt808 } from './jt808.ts';
import { createTestServer, type TestServer } from './test-deps.ts';

/** A step between two pictures of a terminal, ms. */
export const STEP_MS = 50;
const LIMITS: StreamLimits = {
  ...{ firstMs: 10_000, idleMs: 10_000, lookMs: 50, mostStreams: 4, connections: 200 },
};

/** A bus whose unit speaks JT/T 808, and whose cabin camera is channel 1. */
export type LiveBus = TestBus & { readonly phone: string; readonly camera: number };
/** Manner of a terminal unless a test says otherwise. */
export type Manner = Partial<RecorderOptions> & { readonly form?: Jt808Form };

/** A server with the ports of JT/T 808 and JT/T 1078. */
export interface Jt1078World {
  readonly server: TestServer;
  readonly jt808: TestJt808;
  readonly jt1078: TcpListener;
  /** @param key of the camera */
  freshBus(key?: string): Promise<LiveBus>;
  /** Connects a terminal that has signed in and serves live video. */
  recorder(bus: LiveBus, manner?: Manner): Promise<Recorder & { readonly terminal: Jt808Terminal }>;
  /** A user begins to watch. @returns the address of the playlist */
  watch(bus: LiveBus): Promise<string>;
  stateOf(bus: LiveBus): Promise<LiveStream>;
  /** Runs the job that looks after the stream of a bus. */
  lookAfter(bus: LiveBus): Promise<void>;
  /** How many connections have ended so far, by reason. */
  ends(): Promise<Record<string, number>>;
  /** Waits until so many streams come. */
  streaming(count: number): Promise<void>;
  close(): Promise<void>;
}

/** The two ports of a process. */
export interface Jt1078Ports {
  readonly jt808: TestJt808;
  readonly jt1078: TcpListener;
  close(): Promise<void>;
}

/** Opens both. @param more other dependencies than the server's */
export async function openJt1078Ports(
  server: TestServer,
  more: Partial<Deps> = {},
  limits: Partial<StreamLimits> = {},
): Promise<Jt1078Ports> {
  const deps = { ...server.deps, ...more };
  const jt1078 = createJt1078Listener(deps, 0, { ...LIMITS, ...limits });
  await jt1078.start();
  const config = { ...deps.config, jt1078Port: jt1078.openPort(), unitPublicHost: '127.0.0.1' };
  const jt808 = await startTestJt808({ ...deps, config });
  return {
    ...{ jt808, jt1078 },
    close: async () => {
      await jt808.stop();
      await jt1078.stop();
    },
  };
}

/** Creates it. @param limits other limits of streams */
export async function createJt1078World(limits: Partial<StreamLimits> = {}): Promise<Jt1078World> {
  const server = await createTestServer([addAuth, addLive], { HOST: '127.0.0.1' });
  server.clock.set(Date.UTC(2026, 10, 20, 6));
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db);
  const token = await server.signIn('first');
  const headers = { authorization: `Bearer ${token}` };
  const ports = await openJt1078Ports(server, {}, limits);
  const { jt808, jt1078 } = ports;
  const stopping = new AbortController();
  let phones = 13_900_000_000;
  return {
    ...{ server, jt808, jt1078 },
    freshBus: async (key = 'ch1') => {
      phones += 1;
      const phone = String(phones);
      const bus = await insertTestBus(db, first, `Автобус ${phone}`);
      const camera = bus.cameras.cabin;
      await adoptJt808(db, bus.unitId, phone);
      await db.updateTable('cameras').set({ stream_id: key }).where('id', '=', camera).execute();
      return { ...bus, phone, camera };
    },
    recorder: async ({ phone }, { form = '2013', ...manner } = {}) => {
      const terminal = await jt808.terminal(phone, form);
      await terminal.signIn();
      const recorder = serveLive(terminal, {
        ...{ phone, codec: 'h264', pictures: [], stepMs: STEP_MS, timers: createTimers(0) },
        ...{ signal: stopping.signal, ...manner },
      });
      return { ...recorder, terminal };
    },
    watch: async ({ camera }) => {
      const url = `/api/live/${camera}`;
      const answer = await server.app.inject({ method: 'POST', url, headers });
      return answer.json<{ uri: string }>().uri;
    },
    stateOf: async ({ camera }) =>
      (await server.app.inject({ url: `/api/live/${camera}`, headers })).json<LiveStream>(),
    lookAfter: async ({ camera }) => {
      const { id: streamId } = await db
        .selectFrom('live_streams')
        .select('id')
        .where('camera_id', '=', camera)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const job = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
      await watchLiveJob(server.deps).run({ streamId }, job);
    },
    ends: async () => {
      const { values } = await server.deps.metrics.streamConnections.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.end ?? '', value]));
    },
    streaming: (count) =>
      vi.waitFor(async () => {
        const { values } = await server.deps.metrics.terminalStreams.get();
        expect(values[0]?.value).toBe(count);
      }),
    close: async () => {
      stopping.abort();
      await ports.close();
      await server.close();
    },
  };
}

/**
 * Pictures of a test clip in the order of sending, a key picture a second.
 * @param between B pictures between two others; in H.264 only
 */
export function makePictures(codec: 'h264' | 'h265', seconds: number, between = 0): CodedPicture[] {
  const rate = 1000 / STEP_MS;
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-live-'));
  const file = path.join(folder, 'clip');
  const scene = ['-f', 'lavfi', '-i', `testsrc=size=320x240:rate=${rate}:duration=${seconds}`];
  const coding =
    codec === 'h264'
      ? [
          ...['-c:v', 'libx264', '-bf', String(between), '-g', String(rate), '-f', 'h264'],
          ...['-x264-params', 'b-adapt=0:b-pyramid=none:scenecut=0'],
        ]
      : [
          ...['-c:v', 'libx265', '-f', 'hevc', '-x265-params'],
          `bframes=0:keyint=${rate}:min-keyint=${rate}:repeat-headers=1:log-level=none`,
        ];
  try {
    const args = ['-v', 'error', ...scene, '-pix_fmt', 'yuv420p', '-threads', '1', ...coding, file];
    execFileSync(ffmpeg.ffmpegPath, args);
    return picturesOf(readFileSync(file), codec);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Content of a playlist's segments. */
export interface Played {
  readonly codec: string;
  readonly tag: string;
  readonly pictures: number;
  readonly sounds: number;
  /** When the first picture is, and how long all are, by their own times, s. */
  readonly startS: number;
  readonly seconds: number;
}

/** Reads all segments of a playlist as a player does. */
export async function play(server: TestServer, playlist: string): Promise<Played> {
  const lines = playlist.match(/\d+\/\d+-[\w.]+\?hash=[\w-]+/g) ?? [];
  const parts: Buffer[] = [];
  for (const line of lines) {
    const answer = await server.app.inject({ url: `/api/video_feed2/live/${line}` });
    parts.push(answer.rawPayload);
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-live-'));
  const file = path.join(folder, 'stream.mp4');
  try {
    writeFileSync(file, Buffer.concat(parts));
    const entries = 'stream=codec_type,codec_name,codec_tag_string,nb_read_frames';
    const args = ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries'];
    const told = execFileSync(ffmpeg.ffprobePath, [...args, `${entries}:packet=pts_time`, file]);
    const { streams, packets } = JSON.parse(String(told)) as {
      streams: Record<string, string>[];
      packets: { pts_time: string }[];
    };
    const times = packets.map(({ pts_time }) => Number(pts_time));
    const video = streams.find(({ codec_type }) => codec_type === 'video');
    return {
      ...{ codec: video?.codec_name ?? '', tag: video?.codec_tag_string ?? '' },
      pictures: Number(video?.nb_read_frames ?? 0),
      sounds: streams.filter(({ codec_type }) => codec_type === 'audio').length,
      startS: Math.min(...times),
      seconds: Math.max(...times) - Math.min(...times),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
