// The service cameras of a simulated bus while a viewer watches: frames are drawn in real time, encoded by ffmpeg to
// HLS and uploaded by the uplink. A camera has one stream, however often the server sends the start command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LIVE_PLAYLIST } from '@ridewatch/contract/unit';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { GoneError } from '../uplink/commands.ts';
import type { Connection } from '../uplink/connection.ts';
import { type LiveRelay, openLiveRelay } from '../uplink/live-relay.ts';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { cabinClip } from './clip/cabin-clip.ts';
import type { Clip } from './clip/clip.ts';
import { FRAME_BYTES, HEIGHT, RATE, WIDTH } from './clip/frame.ts';
import { type BusDay, cameraStateAt, onBoardAt } from './day.ts';
import { hashOf } from './random.ts';

const FRAME_MS = 1000 / RATE;
const MINUTE_MS = 60_000;
/** Beyond this delay frames are skipped. */
const MOST_BEHIND_FRAMES = 2 * RATE;

interface LiveOptions {
  bus: SimulatedBus;
  dayAt: (momentMs: number) => BusDay;
  seed: number;
  connection: Pick<Connection, 'request'>;
  ffmpegPath: string;
  timers: Timers;
  isLinked: () => boolean;
  onFailure: (error: Error) => void;
}

export interface LiveCameras {
  /** Resolves when the server has the first frames. @throws Error when ffmpeg cannot be run */
  start(command: UnitCommand, signal: AbortSignal): Promise<void>;
  stop(command: UnitCommand): Promise<void>;
}

interface Running {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly stop: AbortController;
}

/** Creates the live cameras of a bus. */
export function createLiveCameras(options: LiveOptions): LiveCameras {
  const { bus, dayAt, timers } = options;
  const running = new Map<string, Running>();
  return {
    start: async ({ live }, signal) => {
      const camera = bus.cameras.find((one) => one.streamId === live?.camera && one.live);
      if (live === undefined || camera === undefined)
        throw new GoneError('The bus has no such service camera.');
      const nowMs = timers.nowMs();
      if (cameraStateAt(dayAt(nowMs), camera, nowMs) === 'offline') {
        throw new Error('The camera is offline.');
      }
      const { path } = live;
      const known = running.get(path);
      if (known !== undefined) return known.begun;
      const stop = new AbortController();
      const both = AbortSignal.any([signal, stop.signal]);
      const stream = beginStream(options, camera, path, both, () => stop.abort());
      const ended = stream.ended
        .catch((error: unknown) => {
          if (!both.aborted) options.onFailure(asError(error));
        })
        .finally(() => running.delete(path));
      running.set(path, { begun: stream.begun, ended, stop });
      return stream.begun;
    },
    stop: async ({ live }) => {
      const stream = running.get(live?.path ?? '');
      stream?.stop.abort();
      await stream?.ended;
    },
  };
}

function beginStream(
  { connection, isLinked, ...options }: LiveOptions,
  camera: SimulatedCamera,
  path: string,
  signal: AbortSignal,
  end: () => void,
): { begun: Promise<void>; ended: Promise<void> } {
  const first = Promise.withResolvers<void>();
  const opened = openLiveRelay({
    connection,
    path,
    isLinked,
    onPlaylist: () => first.resolve(),
    onRefused: end,
  });
  const ended = opened.then(async (relay) => {
    try {
      await encodeLive(options, camera, relay, signal);
    } finally {
      await relay.close();
    }
  });
  const failed = ended.then(() => {
    throw new Error('The stream ended before its first frame.');
  });
  return { begun: Promise.race([first.promise, failed]), ended };
}

async function encodeLive(
  options: Pick<LiveOptions, 'bus' | 'dayAt' | 'seed' | 'ffmpegPath' | 'timers'>,
  camera: SimulatedCamera,
  relay: LiveRelay,
  signal: AbortSignal,
): Promise<void> {
  const { timers, ffmpegPath } = options;
  const ffmpeg = spawn(ffmpegPath, argumentsFor(relay.url), {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-500);
  });
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const closed = new Promise<void>((resolve, reject) => {
    ffmpeg.once('error', (cause) => reject(new Error(`Cannot run ${ffmpegPath}.`, { cause })));
    ffmpeg.once('close', (code) => {
      if (signal.aborted || code === 0) resolve();
      else reject(new Error(`ffmpeg ended with ${code}: ${output.trim()}`));
    });
  }).finally(() => over.abort());
  // A broken pipe has no reason; the end of the process reports it.
  ffmpeg.stdin.on('error', () => over.abort());
  const draw = createLiveFrames(options, camera);
  const startMs = timers.nowMs();
  try {
    for (let frame = 0; !both.aborted; frame += 1) {
      const behind = Math.floor((timers.nowMs() - startMs) / FRAME_MS) - frame;
      if (behind > MOST_BEHIND_FRAMES) frame += behind;
      const momentMs = startMs + frame * FRAME_MS;
      await timers.sleep(Math.max(0, momentMs - timers.nowMs()), both);
      const bytes = new Uint8Array(FRAME_BYTES);
      draw(momentMs, bytes);
      if (!ffmpeg.stdin.write(bytes)) {
        // `both` ends the wait when the program ends, and the program reports the reason.
        await once(ffmpeg.stdin, 'drain', { signal: both }).catch(() => undefined);
      }
    }
  } finally {
    ffmpeg.kill('SIGKILL');
    await closed;
  }
}

// A clip covers one minute and one load; another load begins another clip.
function createLiveFrames(
  { bus, dayAt, seed }: Pick<LiveOptions, 'bus' | 'dayAt' | 'seed'>,
  camera: SimulatedCamera,
): (momentMs: number, frame: Uint8Array) => void {
  let shown: { key: string; startMs: number; clip: Clip } | undefined;
  return (momentMs, frame) => {
    const startMs = Math.floor(momentMs / MINUTE_MS) * MINUTE_MS;
    const onBoard = onBoardAt(dayAt(momentMs), momentMs);
    const key = `${startMs}:${onBoard}`;
    if (shown?.key !== key) {
      const span = { startMs, endMs: startMs + MINUTE_MS };
      const place = { busName: bus.name, camera: camera.name, zone: bus.zone };
      const look = hashOf(seed, bus.deviceId, camera.streamId, 'live');
      shown = { key, startMs, clip: cabinClip({ ...place, ...span, onBoard, seed: look }) };
    }
    shown.clip.draw(Math.floor((momentMs - startMs) / FRAME_MS), frame);
  };
}

/** Length of an HLS segment, s. */
const SEGMENT_S = 2;

function argumentsFor(url: string): string[] {
  const keyframes = String(SEGMENT_S * RATE);
  return [
    ...['-hide_banner', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'yuv420p'],
    ...['-s', `${WIDTH}x${HEIGHT}`, '-r', String(RATE), '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1'],
    ...['-profile:v', 'baseline', '-qp', '28', '-g', keyframes, '-sc_threshold', '0'],
    ...['-f', 'hls', '-hls_time', String(SEGMENT_S), '-hls_list_size', '6'],
    ...['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4'],
    // Numbers keep rising when a stream starts again.
    ...['-hls_start_number_source', 'epoch', '-hls_flags', 'delete_segments+omit_endlist'],
    ...['-method', 'PUT', '-hls_segment_filename', `${url}/%d.m4s`, `${url}/${LIVE_PLAYLIST}`],
  ];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
