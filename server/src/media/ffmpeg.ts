import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Config } from '../core/config.ts';

export interface Ffmpeg {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/**
 * Finds ffmpeg and ffprobe: the configured ones, else those on the PATH, else those of npm.
 * @throws Error that says what to do when there are none
 */
export function findFfmpeg(config: Config): Ffmpeg {
  return {
    ffmpegPath: findProgram('ffmpeg', config.ffmpegPath),
    ffprobePath: findProgram('ffprobe', config.ffprobePath),
  };
}

function findProgram(name: 'ffmpeg' | 'ffprobe', configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const folders = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];
  const onPath = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  if (onPath !== undefined) return onPath;
  try {
    const require = createRequire(import.meta.url);
    const packed = require(`@${name}-installer/${name}`) as { path: string };
    return packed.path;
  } catch (cause) {
    throw new Error(`${name} was not found. Install it or set ${name.toUpperCase()}_PATH.`, {
      cause,
    });
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
