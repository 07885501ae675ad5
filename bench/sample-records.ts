// Makes records like those of units: with turns, stops and GPS noise, so that they do not compress better than real
// ones.
interface Position {
  readonly seq: number;
  readonly type: 'position';
  readonly time: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed_kmh: number;
  readonly course: number;
}

interface Rider {
  readonly seq: number;
  readonly type: 'passenger';
  readonly time: string;
  readonly door: number;
  readonly direction: 'entered';
  readonly passenger: 'adult';
}

export type Sent = Position | Rider;

const MOST_KMH = 48;
const STOP_EVERY_S = 90;
const NOISE_DEGREES = 2e-5;
const DEGREES_A_METRE = 9e-6;

/**
 * Positions of one bus, one a second.
 * @param first number of the first one, and its second after the start
 * @param startMs when the bus started, ms since 1970 UTC
 * @param noiseDegrees width of the GPS noise; by default that of a good receiver
 */
export function drive(
  first: number,
  count: number,
  startMs: number,
  noiseDegrees = NOISE_DEGREES,
): Position[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = first + index;
    const phase = (seq % STOP_EVERY_S) / STOP_EVERY_S;
    // The bus stands for the last third of the time between two stops.
    const speed = phase > 2 / 3 ? 0 : MOST_KMH * Math.sin(phase * 1.5 * Math.PI);
    const angle = seq / 700;
    const radius = 3000 * DEGREES_A_METRE;
    const noise = (salt: number): number => (scatter(seq * 3 + salt) - 0.5) * noiseDegrees;
    return {
      seq,
      type: 'position',
      time: new Date(startMs + seq * 1000).toISOString(),
      latitude: rounded(55.7 + radius * Math.sin(angle) + noise(0), 6),
      longitude: rounded(37.6 + radius * Math.cos(angle) + noise(1), 6),
      speed_kmh: rounded(speed + (speed > 0 ? scatter(seq * 3 + 2) : 0), 1),
      course: Math.round((((90 - (angle * 180) / Math.PI) % 360) + 360) % 360),
    };
  });
}

/** Replaces every `every`th position by a passenger. */
export function ridersAmong(positions: readonly Position[], every: number): Sent[] {
  return positions.map(({ seq, time, ...position }) =>
    seq % every === 0
      ? { seq, type: 'passenger', time, door: 1, direction: 'entered', passenger: 'adult' }
      : { seq, time, ...position },
  );
}

// A pseudo-random number between 0 and 1 for a seed.
function scatter(seed: number): number {
  let bits = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
