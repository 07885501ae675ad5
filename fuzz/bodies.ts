// Makes bodies of requests: JSON, forms, forms with files, bytes; as described, or with invalid values or bytes.
import { gzipSync } from 'node:zlib';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import type { Operation } from './description.ts';
import { makeValue, nested, oddities, pick, type Stuff, spoil, whole } from './values.ts';

interface Body {
  readonly body: Buffer | undefined;
  readonly type: string | undefined;
}

type Spoils = (share: number) => boolean;

/** Above the limit of every call except those with files, bytes. */
const TOO_MANY_BYTES = 1_100_000;

/** Makes the body of a call; mostly undefined for a call without a body. */
export function bodyOf(stuff: Stuff, { requestBody, method }: Operation, spoils: Spoils): Body {
  const content = Object.entries(requestBody?.content ?? {});
  if (content.length === 0) {
    if (method === 'GET' || method === 'HEAD' || !spoils(0.3)) return none;
    return { body: Buffer.from(pick(stuff.chance, broken)), type: 'application/json' };
  }
  if (spoils(0.03)) return none;
  const [type, { schema = {} }] = pick(stuff.chance, content);
  const value = makeValue(stuff, schema);
  const said = spoils(0.7) ? spoil(stuff.chance, value) : value;
  switch (type) {
    case 'application/json':
      return { body: jsonOf(stuff.chance, said, spoils), type };
    case 'application/x-www-form-urlencoded':
      return { body: Buffer.from(formOf(said)), type };
    case 'multipart/form-data':
      return multipartOf(stuff.chance, said, spoils);
    default:
      return { body: bytesOf(stuff.chance), type };
  }
}

const none: Body = { body: undefined, type: undefined };

const broken: readonly string[] = [
  ...['', '{', '[', '{"a":', 'null', '"', '{"a":1}}', '{a:1}', "{'a':1}", '\ufeff{}', '1e400', '-'],
  ...[
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    '\0',
    '[1,]',
    'NaN',
    '{"a":"\\ud800"}',
    '"\\u0000"',
  ],
  `[${'1,'.repeat(20_000)}1]`,
];

function jsonOf(chance: Chance, value: unknown, spoils: Spoils): Buffer {
  if (spoils(0.02)) return Buffer.from(JSON.stringify(nested(whole(chance, 60, 70), value)));
  if (spoils(0.01)) return Buffer.from('['.repeat(whole(chance, 1000, 200_000)));
  if (spoils(0.004)) return Buffer.from(JSON.stringify({ a: 'x'.repeat(TOO_MANY_BYTES) }));
  if (spoils(0.04)) return Buffer.from(pick(chance, broken));
  const text = JSON.stringify(value) ?? '';
  if (spoils(0.03)) return Buffer.from(text.slice(0, whole(chance, 0, text.length)));
  if (spoils(0.03)) return Buffer.from(text, chance.happens(0.5) ? 'latin1' : 'utf16le');
  if (spoils(0.02)) return gzipSync(text);
  return Buffer.from(text);
}

function formOf(value: unknown): string {
  const fields =
    typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]];
  return fields
    .map(
      ([name, one]) =>
        `${form(String(name))}=${form(typeof one === 'object' ? JSON.stringify(one) : String(one))}`,
    )
    .join('&');
}

function form(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const files: readonly (readonly [string, string])[] = [
  ['a.csv', 'name,lat,lon\nВокзал,55.7,37.6\nРынок,55.71,37.6\n'],
  ['b.csv', 'name;lat;lon\n"A\0";55,7;37,6\n"B";"55,8";37,6'],
  [
    'c.gpx',
    '<gpx><trk><trkseg><trkpt lat="55.7" lon="37.6"/><trkpt lat="55.71" lon="37.6"/></trkseg></trk></gpx>',
  ],
  [
    'd.gpx',
    `<gpx><wpt lat="55.7" lon="37.6"><name>${'🚌'.repeat(200)}&#0;&#xD800;</name></wpt><wpt lat="91" lon="181"/></gpx>`,
  ],
  [
    'e.kml',
    '<kml><Document><Placemark><LineString><coordinates>37.6,55.7 37.61,55.7</coordinates></LineString></Placemark></Document></kml>',
  ],
  ['f.json', '{"type":"LineString","coordinates":[[37.6,55.7],[37.61,55.7]]}'],
  [
    'g.json',
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"\\ud800\\u0000"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}]}',
  ],
  ['h.json', `${'['.repeat(3000)}`],
  ['i.zip', 'PK\x03\x04'],
  ['j.kmz', 'PK\x05\x06\0\0'],
  ['k.xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['', ''],
];

const fileNames: readonly string[] = [
  'Линия 5.csv',
  '.csv',
  'a"b.gpx',
  'a\0b.csv',
  '🚌'.repeat(140),
  '',
];

function multipartOf(chance: Chance, value: unknown, spoils: Spoils): Body {
  const boundary = `----${whole(chance, 1e6, 1e7)}`;
  const parts: Buffer[] = [];
  const add = (name: string, text: string, file = ''): void => {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`,
      ),
    );
  };
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  for (const [name, one] of fields) {
    if (name === 'file') {
      const [usual, text] = pick(chance, files);
      const called = spoils(0.3) ? pick(chance, fileNames) : usual;
      if (!spoils(0.05)) add(name, spoils(0.1) ? text.slice(1) : text, `; filename="${called}"`);
      if (spoils(0.05)) add(name, 'no file');
    } else add(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    if (spoils(0.05)) add(name, String(pick(chance, oddities)));
  }
  if (spoils(0.02)) for (let at = 0; at < 300; at += 1) add(`f${at}`, '');
  const end = spoils(0.05) ? '' : `--${boundary}--\r\n`;
  const said = spoils(0.05) ? 'other' : boundary;
  return {
    body: Buffer.concat([...parts, Buffer.from(end)]),
    type: `multipart/form-data; boundary=${said}`,
  };
}

function bytesOf(chance: Chance): Buffer {
  const texts = ['', 'x', '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2.0,\n1.m4s\n', '#EXTM3U\n'];
  if (chance.happens(0.6)) return Buffer.from(pick(chance, texts));
  return Buffer.alloc(whole(chance, 1, 40_000), whole(chance, 0, 255));
}
