import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Config } from '../core/config.ts';
import { StartError } from '../core/errors.ts';
import type { VideoOff } from '../core/video-off.ts';

export interface Ffmpeg {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Folders of a system in which ffmpeg is looked for. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

/**
 * Finds ffmpeg and ffprobe: the configured ones, else those on the PATH, else those of npm.
 * @throws Error that says what to do when there are none
 */
export function findFfmpeg(config: Pick<Config, 'ffmpegPath' | 'ffprobePath'>): Ffmpeg {
  return {
    ffmpegPath: findProgram('ffmpeg', config.ffmpegPath, FOLDERS),
    ffprobePath: findProgram('ffprobe', config.ffprobePath, FOLDERS),
  };
}

/**
 * Checks the configured programs. The system finds one that is named without a folder.
 * @throws StartError that names the variable of a program that cannot be run
 */
export function expectPrograms(config: Pick<Config, 'ffmpegPath' | 'ffprobePath'>): void {
  const { ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH } = config;
  for (const [name, file] of Object.entries({ FFMPEG_PATH, FFPROBE_PATH })) {
    if (file === undefined || path.basename(file) === file || isExecutable(file)) continue;
    throw new StartError(`${name} is invalid: ${file} cannot be run`);
  }
}

/**
 * Says why a process works without video. The packaged ffmpeg is of 2018 and gets no security fixes, and files that units
 * send may be hostile: outside the demo it reads video only where that was allowed.
 * @param folders of the system in which ffmpeg is looked for
 * @returns undefined: it works with video
 */
export function whyNoVideo(
  config: Pick<Config, 'ffmpegPath' | 'ffprobePath' | 'demo' | 'allowOldFfmpeg'>,
  folders: readonly string[] = FOLDERS,
): VideoOff | undefined {
  const todo = 'Install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH';
  try {
    const found = findProgram('ffmpeg', config.ffmpegPath, folders);
    findProgram('ffprobe', config.ffprobePath, folders);
    // Set-up names the packaged one, too.
    if (found !== packedPath('ffmpeg') || config.demo || config.allowOldFfmpeg) return undefined;
    const old = 'There is only the packaged ffmpeg of 2018, which gets no security fixes.';
    return {
      reason: 'old_ffmpeg',
      todo: `${old} ${todo}; ALLOW_OLD_FFMPEG=yes uses it all the same.`,
    };
  } catch {
    return { reason: 'no_ffmpeg', todo: `ffmpeg was not found. ${todo}.` };
  }
}

function findProgram(
  name: 'ffmpeg' | 'ffprobe',
  configured: string | undefined,
  folders: readonly string[],
): string {
  const onPath = folders.map((folder) => path.join(folder, name)).find(isExecutable);
  const found = configured ?? onPath ?? packedPath(name);
  if (found !== undefined) return found;
  throw new Error(`${name} was not found. Install it or set ${name.toUpperCase()}_PATH.`);
}

/** The program of npm; undefined on a system for which there is none. */
function packedPath(name: 'ffmpeg' | 'ffprobe'): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    return (require(`@${name}-installer/${name}`) as { path: string }).path;
  } catch {
    return undefined;
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
