// Times in the forms that senders of the OsmAnd form use.

/** Numbers below it are seconds (until the year 5138), others ms (from 1973 on). */
const FIRST_MS = 1e11;
/** The end of the year 9999, ms since 1970 UTC. */
const LAST_MS = 253_402_300_799_999;

const NUMBER = /^\d{1,16}(\.\d{1,9})?$/;
/** A plus that was not encoded arrives as a space. */
const DATE =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?Z|([+ -])(\d\d):?(\d\d)?)?$/i;

/**
 * Reads a time: seconds or ms since 1970, ISO 8601, or `yyyy-MM-dd HH:mm:ss`. Without a zone it is UTC: the zone of a
 * machine is an accident, and an hour of the bus's clock comes twice a year.
 * @returns whole ms since 1970 UTC; undefined: it is none of them
 */
export function readTime(text: string): number | undefined {
  if (NUMBER.test(text)) {
    const value = Number(text);
    const timeMs = Math.round(value < FIRST_MS ? value * 1000 : value);
    return timeMs <= LAST_MS ? timeMs : undefined;
  }
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const part = (n: number): number => Number(parts[n] ?? 0);
  const [year, month] = [part(1), part(2)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const dayMs = Date.UTC(year, month - 1, part(3));
  const date = new Date(dayMs);
  const isDate = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined;
  const [zoneHours, zoneMinutes] = [part(9), part(10)];
  if (zoneHours > 14 || zoneMinutes > 59) return undefined;
  const aheadMs = (parts[8] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
  const fraction = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const timeMs = dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - aheadMs;
  return timeMs >= 0 && timeMs <= LAST_MS ? timeMs : undefined;
}
