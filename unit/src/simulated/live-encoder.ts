// Draws what a service camera sees in real time, and encodes it by ffmpeg.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Timers } from '../uplink/timers.ts';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { cabinClip } from './clip/cabin-clip.ts';
import type { Clip } from './clip/clip.ts';
import { FRAME_BYTES, HEIGHT, RATE, WIDTH } from './clip/frame.ts';
import { type BusDay, onBoardAt } from './day.ts';
import { hashOf } from './random.ts';

const FRAME_MS = 1000 / RATE;
const MINUTE_MS = 60_000;
/** Beyond this delay frames are skipped. */
const MOST_BEHIND_FRAMES = 2 * RATE;

/** The bus of a camera, its days, and the ffmpeg that encodes. */
export interface LiveWorld {
  bus: SimulatedBus;
  dayAt: (momentMs: number) => BusDay;
  seed: number;
  ffmpegPath: string;
  timers: Timers;
}

/** The way of the video out of ffmpeg. */
export interface LiveOutput {
  /** Arguments of ffmpeg for its output. */
  readonly output: readonly string[];
  /** Seconds from key picture to key picture. */
  readonly keyEveryS: number;
  /** Called before a frame goes into ffmpeg, with its moment, ms since 1970 UTC. */
  readonly onFrame?: (momentMs: number) => void;
  /** Takes what ffmpeg writes to its standard output. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/**
 * Encodes a camera until the signal is aborted.
 * @throws Error when ffmpeg cannot be run or fails, with its output
 */
export async function encodeLive(
  world: LiveWorld,
  camera: SimulatedCamera,
  { output, keyEveryS, onFrame, onBytes }: LiveOutput,
  signal: AbortSignal,
): Promise<void> {
  const { timers, ffmpegPath } = world;
  const ffmpeg = spawn(ffmpegPath, [...input(keyEveryS), ...output], { stdio: 'pipe' });
  ffmpeg.stdout.on('data', (bytes: Buffer) => onBytes?.(bytes));
  let told = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-500);
  });
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const closed = new Promise<void>((resolve, reject) => {
    ffmpeg.once('error', (cause) => reject(new Error(`Cannot run ${ffmpegPath}.`, { cause })));
    ffmpeg.once('close', (code) => {
      if (signal.aborted || code === 0) resolve();
      else reject(new Error(`ffmpeg ended with ${code}: ${told.trim()}`));
    });
  }).finally(() => over.abort());
  // A broken pipe has no reason; the end of the process reports it.
  ffmpeg.stdin.on('error', () => over.abort());
  const draw = createLiveFrames(world, camera);
  const startMs = timers.nowMs();
  try {
    for (let frame = 0; !both.aborted; frame += 1) {
      const behind = Math.floor((timers.nowMs() - startMs) / FRAME_MS) - frame;
      if (behind > MOST_BEHIND_FRAMES) frame += behind;
      const momentMs = startMs + frame * FRAME_MS;
      await timers.sleep(Math.max(0, momentMs - timers.nowMs()), both);
      const bytes = new Uint8Array(FRAME_BYTES);
      draw(momentMs, bytes);
      onFrame?.(momentMs);
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
  { bus, dayAt, seed }: LiveWorld,
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

function input(keyEveryS: number): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'yuv420p'],
    ...['-s', `${WIDTH}x${HEIGHT}`, '-r', String(RATE), '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1'],
    ...['-profile:v', 'baseline', '-qp', '28', '-g', String(keyEveryS * RATE)],
    ...['-sc_threshold', '0'],
  ];
}
