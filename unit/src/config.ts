import { SetUpError } from './fleet-set-up.ts';

/** What the programs of this room take from the environment. */
export interface UnitConfig {
  /** The password for setting up a fleet, when it is not on the command line. */
  readonly password: string | undefined;
  readonly ffmpegPath: string;
  /** So far the program's clock is ahead of the machine's, ms. */
  readonly clockOffsetMs: number;
}

/**
 * Reads the environment once.
 * @throws SetUpError when CLOCK_OFFSET_MS is no whole number
 */
export function readUnitConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): UnitConfig {
  const offset = environment.CLOCK_OFFSET_MS || '0';
  if (!/^-?\d{1,13}$/.test(offset)) {
    throw new SetUpError('CLOCK_OFFSET_MS is not usable: must be a whole number of milliseconds');
  }
  return Object.freeze({
    password: environment.RIDEWATCH_PASSWORD,
    ffmpegPath: environment.FFMPEG_PATH ?? 'ffmpeg',
    clockOffsetMs: Number(offset),
  });
}
