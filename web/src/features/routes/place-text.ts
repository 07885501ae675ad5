import { Point } from '@ridewatch/contract/primitives';

const DIGITS = 6;

/**
 * Reads a place as maps and people write it: `55.7512, 37.6184`, also with commas as decimal marks (`55,7512 37,6184`).
 * @returns undefined for what is no place
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

/** A place as it can be read again: six decimals are a tenth of a metre. */
export function showPlace({ latitude, longitude }: Point): string {
  return `${rounded(latitude)}, ${rounded(longitude)}`;
}

/** A place as exact as it is shown. */
export function roundPlace({ latitude, longitude }: Point): Point {
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

const rounded = (degrees: number): number => Number(degrees.toFixed(DIGITS));
