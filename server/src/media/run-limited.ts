// Runs ffmpeg and ffprobe on received media, which may be hostile: only files of the job's own folder are opened (a
// playlist inside a .mp4 could name other files of the server); time, memory and output are limited.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';

/** For every input: only the file protocol, and no format that refers to other files. */
export const READ_LIMITS = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,matroska,webm,mpegts,mpeg,avi,h264,hevc,flv',
];
/** Address space of one process, KiB: 4K video decodes in far less. */
const MEMORY_LIMIT_KIB = 2 * 1024 * 1024;
const TIME_LIMIT_MS = 120_000;
/** Media beyond this length gives a program no more time, ms: a file may claim any length. */
const LONGEST_MEDIA_MS = MAX_FRAGMENT_MS;
/** Four hours of video and audio are 60 MiB of packets. */
const OUTPUT_LIMIT_BYTES = 128 * 1024 * 1024;

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  /** A file in the working directory of the process. */
  readonly beside: string;
  /** ms; two minutes unless given. */
  readonly timeLimitMs?: number;
  /** The output that is read; `stdout` unless given. */
  readonly reads?: 'stdout' | 'stderr';
  /** Called with each line of the output. */
  readonly onLine?: (line: string) => void;
  /** Kills the process; the run then fails. */
  readonly signal?: AbortSignal;
}

/**
 * The timeout of a program that decodes a file.
 * @param mediaMs length of the file; four hours count at most
 * @param perMediaMs ms of work for each ms of media
 * @returns ms
 */
export function timeLimitOf(mediaMs: number, perMediaMs: number): number {
  return TIME_LIMIT_MS + perMediaMs * Math.min(mediaMs, LONGEST_MEDIA_MS);
}

/**
 * Starts a program with little memory and a low priority, and without the server's environment.
 * @param folder its working directory
 */
export function spawnLimited(
  program: string,
  args: readonly string[],
  { folder, stdio }: { readonly folder: string; readonly stdio: StdioOptions },
): ChildProcess {
  const limited = `ulimit -v ${MEMORY_LIMIT_KIB} 2>/dev/null; exec nice -n 10 "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limited, program, ...args], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    stdio,
  });
}

/**
 * Runs a program on a received file.
 * @returns whether it succeeded; false when it refused the file or exceeded a limit
 * @throws Error when the program cannot be started or times out: that says nothing about the file
 */
export async function runLimited(run: Run): Promise<boolean> {
  const { program, args, beside, timeLimitMs = TIME_LIMIT_MS, onLine, signal } = run;
  const readsErrors = run.reads === 'stderr';
  const child = spawnLimited(program, args, {
    folder: path.dirname(beside),
    stdio: readsErrors ? ['ignore', 'ignore', 'pipe'] : ['ignore', 'pipe', 'ignore'],
  });
  const output = (readsErrors ? child.stderr : child.stdout) as Readable;
  const stop = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeLimitMs);
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > OUTPUT_LIMIT_BYTES) stop();
  });
  if (onLine !== undefined) createInterface(output).on('line', onLine);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (isLate) throw new Error(`${program} exceeded its timeout of ${timeLimitMs} ms.`);
    if (code === 126 || code === 127) throw new Error(`${program} cannot be started`);
    return code === 0;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
