// The OsmAnd form for the run of its parser: requests of the sender's encoder, and the server's reader behind that of HTTP,
// which is Node's.
import type { OsmandSettings } from '@ridewatch/contract/unit-protocols';
import { AppError } from '@ridewatch/server/src/core/errors.ts';
import { readElements } from '@ridewatch/server/src/ingest/osmand/elements.ts';
import { queryOf } from '@ridewatch/server/src/ingest/osmand/http-request.ts';
import { isFault, readId, readMoment } from '@ridewatch/server/src/ingest/osmand/moments.ts';
import { recordsOf } from '@ridewatch/server/src/ingest/osmand/unit-records.ts';
import { type OsmandRecord, osmandJson, osmandQuery } from '@ridewatch/unit/src/osmand/request.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { FIRST_OBJECT } from '../../harness/told-objects.ts';
import { pick, whole } from '../values.ts';
import { checkRecord } from './check-record.ts';
import type { RequestParser } from './parser.ts';

const HEAD_END = '\r\n\r\n';
const SETTINGS: readonly OsmandSettings[] = [{ speed: 'knots' }, { speed: 'kmh' }, { speed: 'ms' }];
/** The records that each sound request tells. */
const told = new WeakMap<Buffer, string>();

/** The OsmAnd form. */
export const osmandParser: RequestParser = {
  ...{ protocol: 'osmand', makeFrame, changeLength, repair },
  toldBy: (frame) => told.get(frame) ?? '',
  read: (request, chance) => {
    const at = request.indexOf(HEAD_END);
    const head = request.toString('latin1', 0, at < 0 ? undefined : at);
    const [, method, url = ''] = /^(GET|POST) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
    if (method === undefined) return undefined;
    const contentType = /^content-type: *(.*)$/im.exec(head)?.[1];
    const body = request.subarray(at < 0 ? request.length : at + HEAD_END.length);
    const settings = pick(chance, SETTINGS);
    try {
      const { elements } = readElements({ query: queryOf(url), contentType, body });
      const parts = elements.flatMap((element) => {
        const [id, moment] = [readId(element), readMoment(element)];
        if (isFault(id) || isFault(moment) || moment === null) return [];
        const records = recordsOf(moment, settings);
        for (const one of records) checkRecord(one, 1);
        const people = records.flatMap((one) =>
          one.type === 'passenger' ? [`${one.door} ${one.direction} ${one.count}`] : [],
        );
        const place = moment.position?.place;
        return [partOf(id, moment.sentMs, place ?? undefined, people)];
      });
      return parts.length === 0 ? undefined : parts.join('; ');
    } catch (error) {
      // A refusal with its reason.
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  },
};

const partOf = (
  id: string,
  timeMs: number,
  place: { readonly latitude: number; readonly longitude: number } | undefined,
  people: readonly string[],
): string => [id, timeMs, place?.latitude, place?.longitude, ...people].join(' ');

function makeFrame(chance: Chance): Buffer {
  const id = chance.happens(0.5) ? String(FIRST_OBJECT.osmand + 1) : `phone-${whole(chance, 0, 9)}`;
  const records = Array.from({ length: whole(chance, 1, 4) }, () => makeRecord(chance));
  const isJson = chance.happens(0.6);
  const sent = isJson ? records : records.slice(0, 1);
  const [first] = records;
  const frame =
    isJson || first === undefined
      ? requestOf('POST /', 'application/json', JSON.stringify(osmandJson(id, records)))
      : queryRequest(chance, osmandQuery(id, first));
  told.set(frame, sent.map((one) => toldOf(id, one)).join('; '));
  return frame;
}

function queryRequest(chance: Chance, query: URLSearchParams): Buffer {
  return chance.happens(0.5)
    ? requestOf(`GET /?${query}`, undefined, '')
    : requestOf('POST /', 'application/x-www-form-urlencoded', String(query));
}

function makeRecord(chance: Chance): OsmandRecord {
  const timeMs = Date.UTC(2015) + whole(chance, 0, 300_000_000_000);
  if (chance.happens(0.3)) {
    const [entered, exited] = [whole(chance, 0, 9), whole(chance, 0, 9)];
    return { timeMs, door: whole(chance, 1, 8), entered, exited };
  }
  return {
    ...{ timeMs, latitude: whole(chance, -90e6, 90e6) / 1e6 },
    ...{ longitude: whole(chance, -180e6, 180e6) / 1e6, speedKmh: chance.between(0, 120) },
    course: whole(chance, 0, 359),
  };
}

function toldOf(id: string, record: OsmandRecord): string {
  if (!('door' in record)) return partOf(id, record.timeMs, record, []);
  const { timeMs, door, entered, exited } = record;
  const people = [
    ...(entered > 0 ? [`${door} entered ${entered}`] : []),
    ...(exited > 0 ? [`${door} exited ${exited}`] : []),
  ];
  return partOf(id, timeMs, undefined, people);
}

function requestOf(line: string, contentType: string | undefined, body: string): Buffer {
  const head = [
    ...[`${line} HTTP/1.1`, 'Host: buses.example'],
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}${HEAD_END}${body}`);
}

function changeLength(chance: Chance, frame: Buffer): Buffer {
  return withLength(frame, String(whole(chance, 0, chance.happens(0.8) ? 400 : 200_000)));
}

function repair(frame: Buffer): Buffer {
  const at = frame.indexOf(HEAD_END);
  return at < 0 ? frame : withLength(frame, String(frame.length - at - HEAD_END.length));
}

function withLength(frame: Buffer, length: string): Buffer {
  const changed = frame.toString('latin1').replace(/(content-length: *)\d+/i, `$1${length}`);
  return Buffer.from(changed, 'latin1');
}
