// Makes requests from the description: valid ones, or with one invalid part.
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { bodyOf } from './bodies.ts';
import type { Operation, Parameter } from './description.ts';
import { makeValue, oddities, pick, type Stuff, spoil, whole } from './values.ts';

/** Users of the world with a credential. */
export const userNames = ['admin', 'integrator', 'operator', 'owner1', 'owner2', 'leaver'] as const;
export const unitNames = ['unit1', 'unit2'] as const;
export type Asker = (typeof userNames)[number] | (typeof unitNames)[number] | 'nobody' | 'stranger';

export interface FuzzRequest {
  readonly method: string;
  /** Path with its query, as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly asker: Asker;
}

/** Share of requests with an invalid part. */
const SPOILED = 0.55;

/** Calls that end sessions: made by one user only, who signs in again. */
const ENDS_SESSIONS = /^(POST \/api\/auth\/logout|DELETE \/api\/auth\/sessions)/;

/** Makes a request of a call. */
export function makeRequest(stuff: Stuff, operation: Operation): FuzzRequest {
  const { chance } = stuff;
  const isSpoiled = chance.happens(SPOILED);
  const spoils = (share: number): boolean => isSpoiled && chance.happens(share);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters.find((one) => one.name === name);
    const value = parameter === undefined ? '' : makeValue(stuff, parameter.schema, name);
    return pathPart(spoils(0.3) ? spoil(chance, value) : value);
  });
  const query = queryOf(stuff, operation.parameters, spoils);
  const { body, type } = bodyOf(stuff, operation, spoils);
  const headers: Record<string, string> = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...headersOf(stuff, operation, spoils),
  };
  if (operation.path === '/oauth/token' && !spoils(0.1)) headers.authorization = CLIENT;
  if (spoils(0.25)) Object.assign(headers, oddHeaders(chance));
  const method = spoils(0.03) ? pick(chance, methods) : operation.method;
  return {
    method,
    url: query === '' ? path : `${path}?${query}`,
    headers,
    body,
    asker: askerOf(chance, { ...operation, method }),
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const CLIENT = `Basic ${Buffer.from('ridewatch-web:').toString('base64')}`;

function askerOf(chance: Chance, { method, path, security, ...operation }: Operation): Asker {
  if (ENDS_SESSIONS.test(`${method} ${path}`)) return chance.happens(0.8) ? 'leaver' : 'nobody';
  const anybody: readonly Asker[] = ['nobody', 'stranger', 'unit1', 'owner2', 'admin'];
  if (chance.happens(0.12)) return pick(chance, anybody);
  if (security?.[0]?.unit !== undefined) return chance.happens(0.8) ? 'unit1' : 'unit2';
  if (security === undefined)
    return chance.happens(0.7) ? 'nobody' : pick(chance, userNames.slice(0, -1));
  if (operation['x-role'] === 'ADMIN') return chance.happens(0.85) ? 'admin' : 'operator';
  return pick(chance, userNames.slice(0, -1));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// An empty path segment would be another address.
function pathPart(value: unknown): string {
  const text = textOf(value).slice(0, 300) || ' ';
  return text === '.' || text === '..' ? '%2e' : encode(text);
}

// Lone surrogates cannot be encoded in an address; the server gets the bytes that a careless client would send.
function encode(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replace(/./gsu, (sign) =>
        sign.isWellFormed() ? encodeURIComponent(sign) : '%ED%A0%BD',
      );
}

function queryOf(
  stuff: Stuff,
  parameters: readonly Parameter[],
  spoils: (share: number) => boolean,
): string {
  const { chance } = stuff;
  const pairs: string[] = [];
  for (const { name, required, schema, in: where } of parameters) {
    if (where !== 'query') continue;
    if (!required && chance.happens(0.4)) continue;
    if (spoils(0.08)) continue;
    const value = makeValue(stuff, schema, name);
    const said = spoils(0.3) ? spoil(chance, value) : value;
    for (const one of Array.isArray(said) ? said : [said])
      pairs.push(`${name}=${encode(textOf(one))}`);
    if (spoils(0.1))
      pairs.push(
        `${name}${pick(chance, ['', '[]', '%00', '[0]'])}=${pick(chance, ['1', '', '%zz'])}`,
      );
  }
  if (spoils(0.06)) pairs.push(`${pick(chance, ['__proto__', 'a%00', '%ff', '&&', 'x='])}=1`);
  if (spoils(0.01)) pairs.push('a=1&'.repeat(whole(chance, 10, 2000)));
  return pairs.join('&');
}

function headersOf(
  stuff: Stuff,
  { parameters }: Operation,
  spoils: (share: number) => boolean,
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { name, schema, in: where } of parameters) {
    if (where !== 'header' || spoils(0.15)) continue;
    const value = makeValue(stuff, schema, name);
    made[name.toLowerCase()] = headerText(spoils(0.3) ? spoil(stuff.chance, value) : value);
  }
  return made;
}

// Restricts text to what a header can contain: no line ends, no NUL, one byte a character.
function headerText(value: unknown): string {
  return textOf(value)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 4000)
    .trim();
}

const oddHeader: readonly (readonly [string, readonly string[]])[] = [
  ['accept', ['text/html', '*/*;q=0', 'application/xml']],
  ['accept-encoding', ['gzip', 'br', 'gzip;q=0', 'identity', '*', ',,;;']],
  ['accept-language', ['en', 'ru-RU,ru;q=0.9', 'zz', ';;;', 'x'.repeat(2000)]],
  [
    'authorization',
    ['Bearer ', 'Basic !!!', 'Bearer a.b.c', 'Digest x', `Bearer ${'a'.repeat(4097)}`],
  ],
  ['content-encoding', ['gzip', 'br', 'deflate', 'identity', 'x']],
  [
    'content-type',
    [
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      '/',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/x-www-form-urlencoded',
      'application/json',
    ],
  ],
  ['cookie', ['a=b', '\xff'.repeat(100)]],
  ['forwarded', ['for=1.2.3.4;host=x;proto=ftp']],
  ['host', ['elsewhere.example', '[::1', 'a b', '']],
  ['if-match', ['*', '"x"', 'W/"x"', ',']],
  ['if-modified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'never']],
  ['if-none-match', ['*', '"x"', 'W/"x", "y"', '\xff']],
  ['if-range', ['"x"', 'W/"x"', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['origin', ['null', 'https://elsewhere.example']],
  [
    'range',
    [
      'bytes=0-',
      'bytes=0-0',
      'bytes=-1',
      'bytes=9-1',
      'bytes=0-0,2-3',
      'bytes=99999999999999999999-',
      'lines=1-2',
      'bytes=-0',
    ],
  ],
  ['tus-resumable', ['0.2.2', '1.0.0, 1.0.0']],
  ['upgrade-insecure-requests', ['1']],
  ['upload-checksum', ['sha1 AAAA', 'x']],
  ['upload-concat', ['partial', 'final;/unit/v1/uploads/a', 'x', 'final;']],
  ['upload-defer-length', ['1', '0']],
  ['upload-length', ['0', '-1', '1e3', '9007199254740993', '4294967297', 'x']],
  [
    'upload-metadata',
    ['', 'seq', 'seq MQ==,seq MQ==', 'stream !!', '__proto__ MQ==', 'x '.repeat(500)],
  ],
  ['upload-offset', ['-1', '0', '1', '9007199254740993', '0, 0']],
  ['user-agent', ['', '\xff\xfe', 'x'.repeat(5000)]],
  ['x-forwarded-for', ['1.2.3.4', 'unknown', '\xff', '1.2.3.4, 5.6.7.8', 'x'.repeat(300)]],
  ['x-forwarded-host', ['a b', 'elsewhere.example']],
  ['x-forwarded-proto', ['ftp', 'https']],
  ['x-http-method-override', ['DELETE', 'TRACE', 'OPTIONS', 'x']],
  ['x-request-id', ['x'.repeat(300)]],
];

/** Headers that no client sends, or not with these calls. */
export function oddHeaders(chance: Chance): Record<string, string> {
  const made: Record<string, string> = {};
  for (let left = whole(chance, 1, 3); left > 0; left -= 1) {
    const [name, values] = pick(chance, oddHeader);
    made[name] = chance.happens(0.85) ? pick(chance, values) : headerText(pick(chance, oddities));
  }
  return made;
}
