// Cuts a request into elements, each with the fields of one moment of one unit: of a query and a form one; of JSON one for
// each object, in the flat form of Traccar Client 10 or the nested one of Traccar Client 9.
import { AppError } from '../../core/errors.ts';
import { checkJsonDepth } from '../../core/http/json-body.ts';

/** Elements, and records, of a request. */
export const MOST_RECORDS = 1000;

/** A value as text, and its place in the request, for errors. */
export interface Field {
  readonly text: string;
  readonly path: string;
}

/** One moment of one unit, as a request tells it. */
export interface Element {
  /** By name in the query form; empty ones are missing. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The path of the object that has the fields, before their names; errors need it for fields that are missing. */
  readonly prefix: string;
  /** The nested form has speeds in m/s, and another name of the id. */
  readonly isNested: boolean;
}

/** A request without its method and its address. */
export interface OsmandBody {
  /** Without the question mark. */
  readonly query: string;
  /** The Content-Type header. */
  readonly contentType: string | undefined;
  /** Empty for GET. */
  readonly body: Buffer;
}

export interface OsmandParts {
  readonly form: 'query' | 'json';
  readonly elements: readonly Element[];
}

type Json = Readonly<Record<string, unknown>>;

/** Names of the nested form within `coords`, and those of the same fields in the query form. */
const OF_COORDINATES: readonly (readonly [name: string, own: string])[] = [
  ['latitude', 'lat'],
  ['longitude', 'lon'],
  ['speed', 'speed'],
  ['heading', 'heading'],
  ['hdop', 'hdop'],
  ['satellites', 'satellites'],
  ['sat', 'sat'],
];
const OF_LOCATION = ['timestamp', 'valid', 'mock', 'hdop', 'satellites', 'sat'];
const COUNTERS = ['in', 'out', 'door'];
/** The names that an id has, the better one first. */
export const ID_NAMES = ['id', 'deviceid', 'device_id'] as const;

/** Some programs write a byte order mark before JSON. */
const MARK = /^\uFEFF/;

/**
 * Cuts a request. A body is JSON if its type or its first character says so, else a form.
 * @throws AppError invalid_request when it is no JSON of objects, too_large when it has too many elements
 */
export function readElements({ query, contentType, body }: OsmandBody): OsmandParts {
  const text = body.toString('utf8').replace(MARK, '');
  const isJson = /^application\/json\b/i.test(contentType ?? '') || /^\s*[[{]/.test(text);
  if (text === '' || !isJson) return { form: 'query', elements: [elementOfForm(query, text)] };
  return { form: 'json', elements: elementsOfJson(body, text) };
}

// The last one of two fields with the same name counts, and the body goes before the query: a counter may name its door in
// the address.
function elementOfForm(query: string, form: string): Element {
  const fields = new Map<string, Field>();
  for (const part of [query, form]) {
    for (const [path, value] of new URLSearchParams(part)) addField(fields, path, value, path);
  }
  return { fields, prefix: '', isNested: false };
}

function elementsOfJson(body: Buffer, text: string): Element[] {
  checkJsonDepth(body);
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
  const items: readonly unknown[] = Array.isArray(root) ? root : [root];
  const elements: Element[] = [];
  for (const [n, item] of items.entries()) {
    if (!isObject(item)) {
      throw new AppError('invalid_request', 'The body must be an object or a list of objects.');
    }
    const prefix = Array.isArray(root) ? `${n}.` : '';
    const { location } = item;
    const isNested = typeof location === 'object' && location !== null;
    elements.push(...(isNested ? elementsOfNested(item, location, prefix) : [flat(item, prefix)]));
    if (elements.length > MOST_RECORDS) throw tooMany();
  }
  return elements;
}

/** Finds the field that has the id of an element; undefined: there is none. */
export const idFieldOf = ({ fields }: Pick<Element, 'fields'>): Field | undefined =>
  ID_NAMES.map((name) => fields.get(name)).find((one) => one !== undefined);

/** The refusal of a request with too many records. */
export const tooMany = (): AppError =>
  new AppError('too_large', `A request has at most ${MOST_RECORDS} records.`);

function flat(item: Json, prefix: string): Element {
  const fields = new Map<string, Field>();
  for (const [name, value] of Object.entries(item)) addField(fields, name, value, prefix + name);
  addCounters(fields, item.extras, `${prefix}extras.`);
  return { fields, prefix, isNested: false };
}

function elementsOfNested(item: Json, location: object, prefix: string): Element[] {
  const ids = new Map<string, Field>();
  for (const name of ID_NAMES) addField(ids, name, item[name], prefix + name);
  if (!Array.isArray(location)) {
    return [nested(ids, location as Json, `${prefix}location.`)];
  }
  // Nothing to store, but the unit lives.
  if (location.length === 0) return [{ fields: ids, prefix, isNested: true }];
  return location.map((one: unknown, n) => {
    const place = `${prefix}location.${n}`;
    if (isObject(one)) return nested(ids, one, `${place}.`);
    throw new AppError('invalid_request', 'must be an object', { field: place });
  });
}

function nested(ids: ReadonlyMap<string, Field>, location: Json, place: string): Element {
  const fields = new Map(ids);
  for (const name of OF_LOCATION) addField(fields, name, location[name], place + name);
  const coordinates = isObject(location.coords) ? location.coords : {};
  for (const [name, own] of OF_COORDINATES) {
    addField(fields, own, coordinates[name], `${place}coords.${name}`);
  }
  addCounters(fields, location, place);
  addCounters(fields, location.extras, `${place}extras.`);
  return { fields, prefix: place, isNested: true };
}

function addCounters(fields: Map<string, Field>, from: unknown, place: string): void {
  if (!isObject(from)) return;
  for (const name of COUNTERS) addField(fields, name, from[name], place + name);
}

function addField(fields: Map<string, Field>, name: string, value: unknown, path: string): void {
  if (value === null || value === undefined) return;
  // A list or an object is no value of any field.
  const text = typeof value === 'object' ? '{}' : String(value).trim();
  if (text !== '') fields.set(name, { text, path });
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
