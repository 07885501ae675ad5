// Reads an element: its id, time and place, and the people who got on and off. A value that cannot be stored is a fault that
// names its field; a wrong speed, course or quality of the fix is left out.
import { roundTo } from '@ridewatch/contract/round';
import { protocolIdFault } from '@ridewatch/contract/unit-protocols';
import { type Element, type Field, idFieldOf } from './elements.ts';
import { readTime } from './times.ts';

/** As in the contract of the unit interface; more is a faulty receiver. */
const MOST = { course: 360, satellites: 99, hdop: 100, people: 255, door: 8 } as const;
/** Decimals of a degree that are stored: 11 cm. */
const PLACE_DECIMALS = 6;

export interface OsmandPosition {
  /** Degrees; null without a valid fix, and of a place that an app made up. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  /** Not below 0, in the unit of the settings or in m/s. */
  readonly speed: number | null;
  readonly isSpeedInMs: boolean;
  /** Degrees clockwise from north. */
  readonly course: number | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
  /** The place is made up. */
  readonly isMock: boolean;
}

/** People at a door since its last count. */
export interface OsmandCounts {
  /** From 1. */
  readonly door: number;
  readonly entered: number;
  readonly exited: number;
}

/** A moment of a unit: its position, the people at a door, or both. */
export interface OsmandMoment {
  readonly sentMs: number;
  readonly position: OsmandPosition | null;
  readonly counts: OsmandCounts | null;
}

/** Why an element cannot be read: a field, and the end of a sentence about it. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** Reads the id of an element. */
export function readId({ fields, prefix, isNested }: Element): string | Fault {
  const field = idFieldOf({ fields });
  if (field === undefined) {
    const root = isNested ? prefix.replace(/location\.(\d+\.)?$/, '') : prefix;
    return { field: `${root}${isNested ? 'device_id' : 'id'}`, message: 'is missing' };
  }
  const message = protocolIdFault('osmand', field.text);
  if (message !== undefined) return { field: field.path, message };
  // A part of a text keeps all of it in memory, and ids are kept by the ten thousand: a copy, of ASCII.
  return Buffer.from(field.text, 'latin1').toString('latin1');
}

/** Reads what an element tells. @returns null: only that its unit lives */
export function readMoment(element: Element): OsmandMoment | Fault | null {
  const place = readPlace(element);
  if (isFault(place)) return place;
  const counts = readCounts(element);
  if (isFault(counts)) return counts;
  if (place === null && counts === null) return null;
  const field = element.fields.get('timestamp');
  // The time of arrival is none: a request that is sent again would be another moment, and its people would count twice.
  if (field === undefined) return { field: `${element.prefix}timestamp`, message: 'is missing' };
  const sentMs = readTime(field.text);
  if (sentMs === undefined) {
    const message = 'must be seconds or milliseconds since 1970, or a date with a time';
    return { field: field.path, message };
  }
  return { sentMs, position: place && positionOf(element, place), counts };
}

/** Whether it says why something cannot be read. */
export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'message' in value;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

function readPlace({ fields, prefix }: Element): Place | Fault | null {
  const [latitude, longitude] = [fields.get('lat'), fields.get('lon')];
  const both = fields.get('location');
  if (latitude === undefined && longitude === undefined) {
    if (both === undefined) return null;
    const [first = '', second = '', ...more] = both.text.split(',');
    const place = { latitude: degreesOf(first, 90), longitude: degreesOf(second, 180) };
    return more.length === 0 && isPlace(place)
      ? place
      : { field: both.path, message: 'must be a latitude and a longitude with a comma between' };
  }
  if (latitude === undefined) return { field: `${prefix}lat`, message: 'is missing' };
  if (longitude === undefined) return { field: `${prefix}lon`, message: 'is missing' };
  const place = {
    latitude: degreesOf(latitude.text, 90),
    longitude: degreesOf(longitude.text, 180),
  };
  if (isPlace(place)) return place;
  return place.latitude === undefined
    ? { field: latitude.path, message: 'must be degrees from -90 to 90' }
    : { field: longitude.path, message: 'must be degrees from -180 to 180' };
}

const isPlace = (place: { readonly [K in keyof Place]: number | undefined }): place is Place =>
  place.latitude !== undefined && place.longitude !== undefined;

function degreesOf(text: string, most: number): number | undefined {
  const degrees = numberOf(text.trim());
  if (degrees === undefined || Math.abs(degrees) > most) return undefined;
  return roundTo(degrees, PLACE_DECIMALS);
}

function positionOf({ fields, isNested }: Element, place: Place): OsmandPosition {
  const [valid, mock] = [fields.get('valid'), fields.get('mock')];
  const isMock = mock !== undefined && isTrue(mock);
  const isValid = valid === undefined || isTrue(valid);
  const within = (field: Field | undefined, most: number): number | null => {
    const value = field && numberOf(field.text);
    return value !== undefined && value >= 0 && value <= most ? value : null;
  };
  const satellites = within(fields.get('satellites') ?? fields.get('sat'), MOST.satellites);
  const tenths = (value: number | null): number | null =>
    value === null ? null : roundTo(value, 1);
  return {
    place: isValid && !isMock ? place : null,
    speed: within(fields.get('speed'), Number.MAX_SAFE_INTEGER),
    isSpeedInMs: isNested,
    course: tenths(within(fields.get('bearing') ?? fields.get('heading'), MOST.course)),
    satellites: satellites === null ? null : Math.floor(satellites),
    hdop: tenths(within(fields.get('hdop'), MOST.hdop)),
    isMock,
  };
}

function readCounts({ fields }: Element): OsmandCounts | Fault | null {
  const [entered, exited] = [fields.get('in'), fields.get('out')];
  // Other devices say by `door` that one is open.
  if (entered === undefined && exited === undefined) return null;
  const counts = { door: fields.get('door'), entered, exited };
  const read = { door: 1, entered: 0, exited: 0 };
  for (const name of ['door', 'entered', 'exited'] as const) {
    const field = counts[name];
    if (field === undefined) continue;
    const [least, most] = name === 'door' ? [1, MOST.door] : [0, MOST.people];
    const value = numberOf(field.text);
    if (value === undefined || !Number.isInteger(value) || value < least || value > most) {
      return { field: field.path, message: `must be a whole number from ${least} to ${most}` };
    }
    read[name] = value;
  }
  return read;
}

const isTrue = ({ text }: Field): boolean => /^(true|1)$/i.test(text);

function numberOf(text: string): number | undefined {
  // Number() also takes '', '0x10' and 'Infinity'.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
