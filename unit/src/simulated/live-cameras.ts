// The service cameras of a simulated bus while a viewer watches: frames are drawn in real time, encoded by ffmpeg to
// HLS and uploaded by the uplink. A camera has one stream, however often the server sends the start command.
import { LIVE_PLAYLIST } from '@ridewatch/contract/unit';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { GoneError } from '../uplink/commands.ts';
import type { Connection } from '../uplink/connection.ts';
import { openLiveRelay } from '../uplink/live-relay.ts';
import type { SimulatedCamera } from './bus.ts';
import { cameraStateAt } from './day.ts';
import { encodeLive, type LiveWorld } from './live-encoder.ts';

interface LiveOptions extends LiveWorld {
  connection: Pick<Connection, 'request'>;
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
      const output = outputTo(relay.url);
      await encodeLive(options, camera, { output, keyEveryS: SEGMENT_S }, signal);
    } finally {
      await relay.close();
    }
  });
  const failed = ended.then(() => {
    throw new Error('The stream ended before its first frame.');
  });
  return { begun: Promise.race([first.promise, failed]), ended };
}

/** Length of an HLS segment, s. */
const SEGMENT_S = 2;

function outputTo(url: string): string[] {
  return [
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
