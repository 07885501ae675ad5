// Makes segments of a live stream of pictures as they come. ffmpeg only packs them anew: nothing is decoded, nothing is
// written to a disk, and no other input than the pipe can be opened.
import type { Readable, Writable } from 'node:stream';
import { createFragmentCutter, type LivePiece } from './mp4/fragments.ts';
import { spawnLimited } from './run-limited.ts';
import { createTransportStream, type LiveCodec, type LivePicture } from './transport-stream.ts';

/** Shortest segment, µs; it ends before the next key picture. */
const LEAST_SEGMENT_US = 1_000_000;
/** Longest look at a stream before its head is written, µs and bytes. */
const LOOK = ['-analyzeduration', '500000', '-probesize', '2000000'];

export interface LiveRemux {
  /** Takes a picture. @returns whether more may come at once; otherwise wait for `drained` */
  write(picture: LivePicture): boolean;
  /** Resolves when more may come, and when it is over. */
  drained(): Promise<void>;
  /** Resolves when the program has ended and the last piece is put. */
  readonly ended: Promise<LiveEnd>;
  kill(): void;
}

/** How a stream ended: killed, with pictures that cannot be read, with too long a piece, or because `put` threw. */
export type LiveEnd = 'killed' | 'unreadable' | 'too_long' | 'not_put';

export interface LiveRemuxOptions {
  readonly ffmpegPath: string;
  /** The program's working directory. */
  readonly folder: string;
  readonly codec: LiveCodec;
  /** The time of the first picture in the stream, s. */
  readonly startS: number;
  readonly mostPieceBytes: number;
  /** Takes the pieces one after another; ffmpeg waits meanwhile. */
  readonly put: (piece: LivePiece) => Promise<void>;
}

/** Starts it. */
export function openLiveRemux(options: LiveRemuxOptions): LiveRemux {
  const { codec, folder, ffmpegPath } = options;
  const child = spawnLimited(ffmpegPath, argumentsFor(codec), {
    folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [input, output] = [child.stdin as Writable, child.stdout as Readable];
  const stream = createTransportStream(codec);
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    child.kill('SIGKILL');
  };
  // A broken pipe has no reason; the end of the program is the news.
  input.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const taken = takePieces(output, options).finally(() => child.kill('SIGKILL'));
  const ended = Promise.all([taken, closed]).then(([end]) => (isKilled ? 'killed' : end));
  return {
    kill,
    ended,
    write: (picture) => input.destroyed || input.write(stream.write(picture)),
    drained: () =>
      new Promise((resolve) => {
        if (!input.writableNeedDrain) resolve();
        else {
          input.once('drain', resolve);
          void closed.then(resolve);
        }
      }),
  };
}

async function takePieces(
  output: Readable,
  { mostPieceBytes, startS, put }: LiveRemuxOptions,
): Promise<LiveEnd> {
  const cut = createFragmentCutter(mostPieceBytes, startS);
  try {
    for await (const bytes of output as AsyncIterable<Buffer>) {
      let pieces: LivePiece[];
      try {
        pieces = cut(bytes);
      } catch {
        return 'too_long';
      }
      for (const piece of pieces) await put(piece);
    }
    return 'unreadable';
  } catch {
    return 'not_put';
  }
}

function argumentsFor(codec: LiveCodec): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'quiet', '-protocol_whitelist', 'pipe'],
    ...['-format_whitelist', 'mpegts', '-fpsprobesize', '0', ...LOOK],
    ...['-f', 'mpegts', '-i', 'pipe:0', '-map', '0:v:0', '-c', 'copy'],
    // Safari plays H.265 under this name only.
    ...['-tag:v', codec === 'h264' ? 'avc1' : 'hvc1'],
    ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
    ...['-min_frag_duration', String(LEAST_SEGMENT_US), '-flush_packets', '1'],
    ...['-f', 'mp4', 'pipe:1'],
  ];
}
