// How terminals and platforms say their names.
import { storableOf } from '../../core/storable.ts';

/** Longest id that is looked for, characters. */
const MOST_ID = 32;
/** A terminal's number and flags, before the fields that the flags name. */
const TERMINAL_BYTES = 5;
const IMEI_BYTES = 15;
/** A platform's type and number, before its description. */
const PLATFORM_BYTES = 5;
const FLAG = { homePlatform: 0x01, imei: 0x02, imsi: 0x04, language: 0x08 } as const;
const MORE_FLAGS = { network: 0x20, buffer: 0x40, phone: 0x80 } as const;

/**
 * Reads the ids of a terminal: its number, if it has one, then the IMEI of its modem.
 * @returns undefined when the fields do not fit
 */
export function readTerminalIds(data: Buffer): string[] | undefined {
  if (data.length < TERMINAL_BYTES) return undefined;
  const number = data.readUInt32LE(0);
  const flags = data[4] ?? 0;
  const has = (flag: number, bytes: number): number => ((flags & flag) === 0 ? 0 : bytes);
  const imeiAt = TERMINAL_BYTES + has(FLAG.homePlatform, 2);
  const imeiEnd = imeiAt + has(FLAG.imei, IMEI_BYTES);
  const end =
    imeiEnd +
    has(FLAG.imsi, 16) +
    has(FLAG.language, 3) +
    has(MORE_FLAGS.network, 3) +
    has(MORE_FLAGS.buffer, 2) +
    has(MORE_FLAGS.phone, 15);
  if (data.length < end) return undefined;
  const imei = data.toString('latin1', imeiAt, imeiEnd).replaceAll('\0', '').trim();
  return [...(number === 0 ? [] : [String(number)]), storableOf(imei, MOST_ID)].filter(
    (id) => id !== '',
  );
}

/** Whether a platform says its name in the standard's form. */
export function isPlatformIdentity(data: Buffer): boolean {
  return data.length >= PLATFORM_BYTES;
}
