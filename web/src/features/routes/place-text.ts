import { Point } from '@ridewatch/contract/primitives';

const DIGITS = 6;

/**
 * Reads a place as maps and people write it: `55.7512, 37.6184`, also with decimal commas (`55,7512 37,6184`).
 * @returns undefined if it is not a place
 */
export function readPlace(typed: string): Point | undefined {
  const numbers = typed
    .trim()
    .replace(/(\d),(\d)/g, '$1.$2')
    .split(/[\s,;]+/);
  if (numbers.length !== 2 || numbers.some((one) => !/^[-+−]?\d+(\.\d+)?°?$/.test(one))) {
    return undefined;
  }
  const [latitude, longitude] = numbers.map((one) => Number.parseFloat(one.replace('−', '-')));
  const checked = Point.safeParse({ latitude, longitude });
  return checked.success ? checked.data : undefined;
}

/** Formats a place for `readPlace`, with six decimals, which are a tenth of a metre. */
export function showPlace({ latitude, longitude }: Point): string {
  return `${inDigits(latitude)}, ${inDigits(longitude)}`;
}

/** Rounds a place to the decimals that `showPlace` writes. */
export function roundPlace({ latitude, longitude }: Point): Point {
  return { latitude: inDigits(latitude), longitude: inDigits(longitude) };
}

const inDigits = (degrees: number): number => Number(degrees.toFixed(DIGITS));
