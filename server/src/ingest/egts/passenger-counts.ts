// People counted at doors, subrecord 28. The standard does not say whether a number is what came since the last one or
// what a counter shows, and devices differ in two more ways: so each unit has its settings.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';

/** Flags, doors present, doors that opened, module. */
const FIRST_BYTES = 5;
const DOORS = 8;
/** Least and most bytes of a form of the vendor's own. */
const RAW = { least: 2, most: 512 } as const;

/** People at one door. */
export interface DoorCount {
  /** From 1. */
  readonly door: number;
  readonly entered: number;
  readonly exited: number;
}

/** The numbers of a counter module by door; null: in a form that only its vendor knows. */
export interface ModuleCounts {
  readonly module: number;
  readonly doors: readonly DoorCount[] | null;
}

/** Reads counts. @returns undefined when their length is not the one that their fields tell */
export function readCounts(
  data: Buffer,
  { raw_flag, module_bytes }: EgtsSettings,
): ModuleCounts | undefined {
  if (data.length < FIRST_BYTES) return undefined;
  const module = module_bytes === 'little' ? data.readUInt16LE(3) : data.readUInt16BE(3);
  const length = data.length - FIRST_BYTES;
  if (isRaw(data[0] ?? 0, raw_flag)) {
    return length >= RAW.least && length <= RAW.most ? { module, doors: null } : undefined;
  }
  const present = data[1] ?? 0;
  const doors: DoorCount[] = [];
  let at = FIRST_BYTES;
  for (let bit = 0; bit < DOORS; bit += 1) {
    if ((present & (1 << bit)) === 0) continue;
    doors.push({ door: bit + 1, entered: data[at] ?? 0, exited: data[at + 1] ?? 0 });
    at += 2;
  }
  // A longer one may have doors that are not said to be present: whose people would be a guess.
  return at === data.length ? { module, doors } : undefined;
}

function isRaw(flags: number, flag: EgtsSettings['raw_flag']): boolean {
  if (flag === 'high') return (flags & 0x80) !== 0;
  return ((flags & 0x01) !== 0) !== (flag === 'inverted');
}
