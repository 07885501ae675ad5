// Subrecords of EGTS as a platform writes them (GOST 33472-2015, annexes Б and В).
import { EPOCH_MS, FULL_SCALE, SUBRECORD } from '../ingest/egts/codes.ts';
import { CONFIRMATION_BYTES, writeConfirmation } from '../ingest/egts/written-packets.ts';
import type { PeopleOfDoor } from '../ingest/store/queue-out.ts';
import type { StoredPoint } from '../positions/pack.ts';
import { MOST_TURNS } from './turns.ts';

const MOST_SPEED = 0x3fff;
/** A counter module has eight doors, and one byte for each number. */
const DOORS = 8;
const MOST_PEOPLE = 255;
/** Modules of a bus, for doors up to 16. */
const MODULES = 2;
/** Most modules for the people of one door, which 255,000 of them would fill. */
const PARTS = 1000;
/** Pairs of modules for the first part of the people of each turn; those for further parts come after them. */
const FIRST_PARTS = MOST_TURNS + 1;
/** Rows of a bus and second whose further parts are told apart: all that modules have numbers for. */
const TURNS_IN_PARTS = 22;

/** The parts of a position beside a stored point. */
interface Moment {
  /** s since 1970 UTC. */
  readonly seconds: number;
  /** Nothing stores one. */
  readonly odometerKm?: number;
}

/** s since 2010 UTC. @param seconds since 1970 UTC */
export const egtsSeconds = (seconds: number): number => seconds - EPOCH_MS / 1000;

/** A position (16). Without a speed or a course it says 0, as the form has no other way. */
export function positionSubrecord(
  { latitudeE6, longitudeE6, speedE1, course }: StoredPoint,
  { seconds, odometerKm = 0 }: Moment,
): Buffer {
  const data = Buffer.alloc(21);
  const speed = Math.min(speedE1 ?? 0, MOST_SPEED);
  const degrees = (course ?? 0) % 360;
  data.writeUInt32LE(egtsSeconds(seconds), 0);
  data.writeUInt32LE(scaled(latitudeE6, 90), 4);
  data.writeUInt32LE(scaled(longitudeE6, 180), 8);
  // Valid, in three dimensions, WGS-84.
  data[12] =
    3 | (speed > 0 ? 0x10 : 0) | (latitudeE6 < 0 ? 0x20 : 0) | (longitudeE6 < 0 ? 0x40 : 0);
  data.writeUInt16LE(speed | (degrees > 0xff ? 0x8000 : 0), 13);
  data[15] = degrees & 0xff;
  data.writeUIntLE(Math.round(odometerKm * 10), 16, 3);
  return subrecord(SUBRECORD.position, data);
}

const scaled = (degreesE6: number, most: number): number =>
  Math.trunc((Math.abs(degreesE6) / 1e6 / most) * FULL_SCALE);

/** Satellites and HDOP of the position before it (17); undefined when neither is known. */
export function extendedSubrecord({ satellites, hdopE1 }: StoredPoint): Buffer | undefined {
  if (satellites === null && hdopE1 === null) return undefined;
  const data = Buffer.from([(hdopE1 === null ? 0 : 0x02) | (satellites === null ? 0 : 0x08)]);
  const hdop = Buffer.alloc(hdopE1 === null ? 0 : 2);
  if (hdopE1 !== null) hdop.writeUInt16LE(Math.min(hdopE1 * 10, 0xffff));
  const seen = satellites === null ? [] : [Math.min(satellites, 0xff)];
  return subrecord(SUBRECORD.extendedPosition, Buffer.concat([data, hdop, Buffer.from(seen)]));
}

/**
 * People of one second (28), by module: the first one has doors 1 to 8, the second one those above. Receivers know a count
 * by bus, second, module and door, so people who come later for the same second are of further modules.
 * @param turn how many rows of this bus and second came before
 */
export function countsSubrecords(people: readonly PeopleOfDoor[], turn: number): Buffer[] {
  const counts = people.flatMap(([, door, entered, exited]) => {
    const needed = Math.max(1, Math.ceil(Math.max(entered, exited) / MOST_PEOPLE));
    const parts = Math.min(PARTS, needed);
    return Array.from({ length: parts }, (_, part) => ({
      module: 1 + Math.floor((door - 1) / DOORS) + MODULES * pairOf(turn, part),
      door: ((door - 1) % DOORS) + 1,
      numbers: [partOf(entered, part), partOf(exited, part)],
    }));
  });
  return [...Map.groupBy(counts, ({ module }) => module)].map(([module, doors]) =>
    moduleSubrecord(module, new Map(doors.map(({ door, numbers }) => [door, numbers]))),
  );
}

const pairOf = (turn: number, part: number): number =>
  part === 0 ? turn : FIRST_PARTS + (turn % TURNS_IN_PARTS) + TURNS_IN_PARTS * (part - 1);

const partOf = (count: number, part: number): number =>
  Math.min(MOST_PEOPLE, Math.max(0, count - part * MOST_PEOPLE));

function moduleSubrecord(module: number, doors: ReadonlyMap<number, readonly number[]>): Buffer {
  const sorted = [...doors].sort(([a], [b]) => a - b);
  const present = sorted.reduce((bits, [door]) => bits | (1 << (door - 1)), 0);
  const head = Buffer.from([0, present, present, 0, 0]);
  head.writeUInt16LE(module, 3);
  const numbers = Buffer.from(sorted.flatMap(([, both]) => both));
  return subrecord(SUBRECORD.passengers, Buffer.concat([head, numbers]));
}

/** The number of a terminal (1), which asks for nothing. */
export function terminalSubrecord(id: number): Buffer {
  const data = Buffer.alloc(5);
  data.writeUInt32LE(id);
  // A simple terminal: it cannot negotiate.
  data[4] = 0x10;
  return subrecord(SUBRECORD.termIdentity, data);
}

/** The number of a dispatcher and what it says about itself (5). @param text at most 255 bytes in UTF-8 count */
export function dispatcherSubrecord(id: number, text: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(id, 1);
  return subrecord(SUBRECORD.dispatcherIdentity, Buffer.concat([head, shortText(text)]));
}

// Half a character would be none.
function shortText(text: string): Buffer {
  let short = text;
  while (Buffer.byteLength(short) > 255) short = short.slice(0, -1);
  return Buffer.from(short);
}

/** The result of a record (0). */
export function confirmationSubrecord(record: number, result: number): Buffer {
  const bytes = Buffer.allocUnsafe(CONFIRMATION_BYTES);
  writeConfirmation(bytes, 0, record, result);
  return bytes;
}

function subrecord(type: number, data: Buffer): Buffer {
  const head = Buffer.from([type, 0, 0]);
  head.writeUInt16LE(data.length, 1);
  return Buffer.concat([head, data]);
}
