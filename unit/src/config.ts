/** What the programs of this room take from the environment. */
export interface UnitConfig {
  /** The password for setting up a fleet, when it is not on the command line. */
  readonly password: string | undefined;
  readonly ffmpegPath: string;
}

/** Reads the environment once. */
export function readUnitConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): UnitConfig {
  return Object.freeze({
    password: environment.RIDEWATCH_PASSWORD,
    ffmpegPath: environment.FFMPEG_PATH ?? 'ffmpeg',
  });
}
