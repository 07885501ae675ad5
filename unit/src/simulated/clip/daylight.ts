import { formatMoment } from '@ridewatch/contract/day';

/** Brightness of street and bus, 0 (black) to about 1.1 (full sun), and the offset of shadows. */
export interface Light {
  street: number;
  bus: number;
  /** Horizontal offset of a shadow, pixels; from left to right over the day. */
  shadowPx: number;
}

const LONGEST_DAY = 172;
const NOON_HOUR = 13;
/** Few steps of light, so that few backdrops are painted. */
const LIGHT_STEPS = 20;

/**
 * Computes the light of a moment: the sun by local hour and season of the middle latitudes, street lamps at night,
 * lamps in the bus.
 * @param zone IANA zone
 */
export function lightAt(momentMs: number, zone: string): Light {
  const [hour = 0, minute = 0, month = 1, day = 1] = formatMoment(momentMs, zone, 'H m M D')
    .split(' ')
    .map(Number);
  const dayOfYear = (month - 1) * 30.4 + day;
  const season = Math.cos(((dayOfYear - LONGEST_DAY) / 365) * 2 * Math.PI);
  const fromNoon = hour + minute / 60 - NOON_HOUR;
  const height = Math.cos((fromNoon / 24) * 2 * Math.PI) + 0.55 * season;
  const brightness = Math.min(1, Math.max(0, (height + 0.15) / 0.9));
  const sun = Math.round(brightness * LIGHT_STEPS) / LIGHT_STEPS;
  return {
    street: 0.5 + 0.55 * sun,
    bus: 0.78 + 0.14 * sun,
    shadowPx: Math.round(Math.max(-12, Math.min(12, fromNoon * 2.2))),
  };
}
