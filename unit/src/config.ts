import { SetUpError } from './fleet-set-up.ts';

/** The variables of the environment that the unit's programs read. */
export interface UnitConfig {
  /** The password for setting up a fleet, unless the command line has it. */
  readonly password: string | undefined;
  readonly ffmpegPath: string;
  /** How far the program's clock is ahead of the machine's, ms. */
  readonly clockOffsetMs: number;
}

/**
 * Reads the environment once.
 * @throws SetUpError if CLOCK_OFFSET_MS is not a whole number
 */
export function readUnitConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): UnitConfig {
  const offset = environment.CLOCK_OFFSET_MS || '0';
  if (!/^-?\d{1,13}$/.test(offset)) {
    throw new SetUpError('CLOCK_OFFSET_MS is invalid: must be a whole number of milliseconds');
  }
  return Object.freeze({
    password: environment.RIDEWATCH_PASSWORD,
    ffmpegPath: environment.FFMPEG_PATH ?? 'ffmpeg',
    clockOffsetMs: Number(offset),
  });
}
