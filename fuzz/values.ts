// Makes values from schemas, and the values of hostile or broken clients.
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { type Description, resolve, type Schema } from './description.ts';

/** Inputs of the generator. */
export interface Stuff {
  readonly chance: Chance;
  readonly schemas: Description['schemas'];
  /** Existing ids of buses, stops and others, by field name. */
  readonly known: ReadonlyMap<string, readonly (string | number)[]>;
  /** Middle of generated times, ms since 1970 UTC. */
  readonly nowMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ids start at 1; of most kinds there are fewer objects than this. */
const LOW_ID = 80;

/** Picks an item of a list, which must not be empty. */
export function pick<T>(chance: Chance, list: readonly T[]): T {
  return list[Math.floor(chance.between(0, list.length))] as T;
}

/** A whole number in [from, to]. */
export function whole(chance: Chance, from: number, to: number): number {
  return Math.floor(chance.between(from, to + 1));
}

// Few names, so that set-up finds most of them existing and the fleet does not grow with every request.
const names = ['A', 'Маршрут 5', 'Вокзал', 'Школа №1', '🚌 7', 'Речной', 'Иван', '5'];

/** Makes a value that the schema allows. @param name of the field */
export function makeValue(stuff: Stuff, given: Schema, name = ''): unknown {
  const { chance } = stuff;
  const schema = resolve(given, stuff.schemas);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return pick(chance, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return makeValue(stuff, pick(chance, choices), name);
  switch ([schema.type ?? 'object'].flat()[0]) {
    case 'object':
      return makeObject(stuff, schema);
    case 'array':
      return makeList(stuff, schema, name);
    case 'integer':
      return makeWhole(stuff, schema, name);
    case 'number':
      return makeNumber(chance, schema);
    case 'boolean':
      return chance.happens(0.5);
    case 'null':
      return null;
    default:
      return makeText(stuff, schema, name);
  }
}

function makeObject(stuff: Stuff, { properties = {}, required = [] }: Schema): unknown {
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (!required.includes(name) && stuff.chance.happens(0.4)) continue;
    made[name] = makeValue(stuff, schema, name);
  }
  return made;
}

function makeList(stuff: Stuff, schema: Schema, name: string): unknown[] {
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const length = Math.max(minItems, whole(stuff.chance, 0, Math.min(maxItems, 3)));
  return Array.from({ length }, () => makeValue(stuff, items, name));
}

function makeWhole({ chance, known }: Stuff, schema: Schema, name: string): number {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const there = known.get(name)?.filter((one) => typeof one === 'number');
  if (there !== undefined && there.length > 0 && chance.happens(0.85)) return pick(chance, there);
  if (chance.happens(0.06)) return pick(chance, [minimum, maximum, Number.MAX_SAFE_INTEGER]);
  return whole(chance, minimum, Math.min(maximum, minimum + LOW_ID));
}

function makeNumber(chance: Chance, { minimum = -1e6, maximum = 1e6 }: Schema): number {
  if (chance.happens(0.1)) return pick(chance, [minimum, maximum, 0]);
  // Mostly latitudes near the fleet.
  if (minimum === -90 && chance.happens(0.7)) return 55.7 + chance.between(0, 0.05);
  if (minimum === -180 && chance.happens(0.7)) return 37.6 + chance.between(0, 0.05);
  return chance.between(minimum, maximum);
}

function makeText({ chance, known, nowMs }: Stuff, schema: Schema, name: string): string {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (name === 'sent_at' && chance.happens(0.8)) return new Date(nowMs).toISOString();
  if (format === 'date-time') return momentOf(chance, nowMs);
  const there = known.get(name);
  if (there !== undefined && there.length > 0 && chance.happens(0.85)) {
    return String(pick(chance, there));
  }
  if (format === 'uuid') return uuidOf(chance);
  if (format === 'date') return momentOf(chance, nowMs).slice(0, 10);
  if (pattern !== undefined) return textLike(chance, pattern);
  if (chance.happens(0.9)) return pick(chance, names).slice(0, maxLength);
  return 'ы'.repeat(whole(chance, minLength, Math.min(maxLength, 300)));
}

function momentOf(chance: Chance, nowMs: number): string {
  // Mostly steps of ten minutes over the driven hours, where data exist.
  if (chance.happens(0.5)) return new Date(nowMs - whole(chance, 0, 12) * 600_000).toISOString();
  const days = chance.happens(0.9) ? chance.between(-3, 0.2) : chance.between(-400, 400);
  return new Date(nowMs + days * DAY_MS).toISOString();
}

function uuidOf(chance: Chance): string {
  const digits = Array.from({ length: 32 }, () => whole(chance, 0, 15).toString(16)).join('');
  // Version 4, variant 1 (RFC 9562).
  const text = `${digits.slice(0, 12)}4${digits.slice(13, 16)}8${digits.slice(17)}`;
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** Texts for the patterns of the description; an unknown pattern is an error, so that it is added here. */
const forms: readonly [RegExp, (chance: Chance) => string][] = [
  [
    /^\^\[A-Za-z\]/,
    (chance) => pick(chance, ['Europe/Moscow', 'Asia/Tokyo', 'UTC', 'Europe/Berlin']),
  ],
  [/^\^\(\[A-Za-z0-9\]/, (chance) => pick(chance, ['egts.example', '10.0.0.7', 'a', '::1'])],
  [/@\(/, (chance) => pick(chance, ['ivan@example.org', 'a.b+c@mail.example'])],
  [/^\^\(\[01\]/, (chance) => pick(chance, ['00:00', '07:30', '23:59'])],
  [/^\\S$/, (chance) => pick(chance, names)],
  [
    /init\\\.mp4\|\\d\{1,12\}/,
    (chance) => pick(chance, ['init.mp4', '1.m4s', '17.m4s', 'live.m3u8', '1-init.mp4', '2-7.m4s']),
  ],
  [/init\\\.mp4/, (chance) => pick(chance, ['init.mp4', '0.m4s', '3.m4s', '99999.m4s'])],
  [/\\d\{1,7\}\(\\\./, (chance) => pick(chance, ['45', '45.5', '0.01', '9999999.99'])],
  [/\\d\{1,7\}\\\./, (chance) => pick(chance, ['45.00', '0.00', '9999999.99'])],
  [/^\^\(100000/, (chance) => pick(chance, ['45', '45.5', '0', '100000.00'])],
  [/^\^\(100\(/, (chance) => pick(chance, ['18', '18.50', '0', '100'])],
  [/^\^-\?/, (chance) => pick(chance, ['-100', '0', '6120.50', '-99999999.99'])],
  [/^\^\[1-7\]\$$/, (chance) => String(whole(chance, 1, 7))],
  [/^\^\(\[1-9\]/, (chance) => String(whole(chance, 1, 100))],
  [/^\^20\\d\\d-/, () => '2026-03-03'],
  [/^\^\\d\{1,2\}\$$/, (chance) => pick(chance, ['0', '1'])],
  [/^\^\[?[\d\\]/, (chance) => String(whole(chance, 1, 40))],
];

function textLike(chance: Chance, pattern: string): string {
  const form = forms.find(([known]) => known.test(pattern));
  if (form === undefined) throw new Error(`There is no text for the pattern ${pattern}.`);
  return form[1](chance);
}

/** Values that no call expects anywhere. */
export const oddities: readonly unknown[] = [
  ...[null, true, false, {}, [], [[]], { a: 1 }],
  ...[
    0,
    -0,
    -1,
    1.5,
    1e308,
    -1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    10_000_000_000_000_000,
  ],
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    '0x10',
    'NaN',
    'null',
    'true',
    '01',
    '9'.repeat(16),
    '9'.repeat(40),
  ],
  ...['\0', 'a\0b', '\ud800', '\udc00\ud800', 'a\ud83d', '\u202e\u0007\r\n', '\ufeff', '\uffff'],
  ...['🚌'.repeat(130), 'x'.repeat(255), 'x'.repeat(256), 'ы'.repeat(5000)],
  ...['0000-01-01', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  ...['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z', '2026-02-30', '2000-01-01'],
  ...['2099-12-31', '1999-12-31', '2016-12-31T23:59:60Z', '2026-03-29T02:30:00Z', '24:00'],
  ...['__proto__', 'constructor', 'toString', '../../etc/passwd', '%00', "' or 1=1 --", '{}', '$1'],
];

/** Makes the value of a broken or hostile client: the given one with one invalid place. */
export function spoil(chance: Chance, value: unknown): unknown {
  const isOpen = typeof value === 'object' && value !== null;
  const keys = isOpen ? Object.keys(value) : [];
  if (keys.length === 0 || chance.happens(0.12)) return spoiled(chance, value);
  const key = pick(chance, keys);
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === key ? spoil(chance, one) : one));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const how = chance.between(0, 1);
  if (how < 0.12)
    return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
  if (how < 0.2) return { ...fields, [String(pick(chance, oddities))]: pick(chance, oddities) };
  return { ...fields, [key]: spoil(chance, fields[key]) };
}

function spoiled(chance: Chance, value: unknown): unknown {
  const how = chance.between(0, 1);
  if (how < 0.75) return pick(chance, oddities);
  if (how < 0.8) return Array.from({ length: whole(chance, 2, 200) }, () => value);
  if (how < 0.85) return nested(whole(chance, 2, 300), value);
  if (how < 0.9) return typeof value === 'number' ? String(value) : Number(value);
  if (how < 0.95) return [value];
  return typeof value === 'number' ? -value : { value };
}

/** Nests a value in lists. */
export function nested(depth: number, value: unknown): unknown {
  let made = value;
  for (let at = 0; at < depth; at += 1) made = [made];
  return made;
}
