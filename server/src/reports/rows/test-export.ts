// Every raw passenger event with its source: what units sent, and what a program saw in the video, whichever of the two
// counts.

import { addDays } from '@ridewatch/contract/day';
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import { type Words, wordIn } from '@ridewatch/contract/words';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { Question } from '../question.ts';
import { headings, NO, YES } from '../words.ts';
import type { Column, Row } from '../writing/table.ts';
import {
  type DayRange,
  listZoneParts,
  PART_ROWS,
  partsOf,
  type ZonePart,
  zoneNameAt,
} from './parts.ts';
import { oneByOne, type ReportRows } from './rows.ts';

const words = {
  time: ['Время', 'Time'],
  sentTime: ['Время по часам блока', "Time by the unit's clock"],
  door: ['Дверь', 'Door'],
  passenger: ['Пассажир', 'Passenger'],
  count: ['Количество', 'Count'],
  source: ['Источник', 'Source'],
  counts: ['Учитывается', 'Counts'],
  unit: ['Блок, №', 'Unit, no.'],
  stream: ['Поток, №', 'Stream, no.'],
  seq: ['Запись, №', 'Record, no.'],
  fragment: ['Фрагмент, №', 'Fragment, no.'],
  camera: ['Камера', 'Camera'],
} as const satisfies Record<string, Words>;
const values: Readonly<Record<string, Words>> = {
  entered: ['вход', 'entered'],
  exited: ['выход', 'exited'],
  adult: ['взрослый', 'adult'],
  child: ['ребёнок', 'child'],
};
const sources: Readonly<Record<'unit' | 'video', Words>> = {
  unit: ['датчик', 'unit'],
  video: ['видео', 'video'],
};

/** Rows of the test export. */
export function testExport({ buses, parameters: { from, to }, language }: Question): ReportRows {
  const say = (text: Words): string => wordIn(language, text);
  const columns: Column[] = [
    { title: say(headings.bus), type: 'text' },
    { title: say(words.time), type: 'moment' },
    { title: say(headings.zone), type: 'text', width: 18 },
    { title: say(words.door), type: 'integer' },
    { title: say(headings.direction), type: 'text', width: 14 },
    { title: say(words.passenger), type: 'text', width: 14 },
    { title: say(words.count), type: 'integer' },
    { title: say(words.source), type: 'text', width: 12 },
    { title: say(words.counts), type: 'text', width: 14 },
    { title: say(words.sentTime), type: 'moment', width: 22 },
    { title: say(words.unit), type: 'integer' },
    { title: say(words.stream), type: 'integer' },
    { title: say(words.seq), type: 'integer' },
    { title: say(words.fragment), type: 'integer', width: 14 },
    { title: say(words.camera), type: 'text', width: 18 },
  ];
  const wordOf = new Map(Object.entries(values).map(([key, text]) => [key, say(text)]));
  const rowOf = (bus: string, part: ZonePart, source: ZonePart['source'], event: Seen): Row => [
    ...[bus, event.wallMs, zoneNameAt(part.zone, event.timeUs / 1000), event.door],
    wordOf.get(event.direction) ?? event.direction,
    wordOf.get(event.passenger) ?? event.passenger,
    ...[event.count, say(sources[source]), say(source === part.source ? YES : NO)],
    ...[event.sentWallMs ?? null, event.unitId, event.streamId ?? null, event.seq ?? null],
    ...[event.fragmentId ?? null, event.camera ?? null],
  ];
  return {
    columns,
    count: (db, most) =>
      countEvents(
        db,
        buses.map(({ id }) => id),
        { from, to },
        most,
      ),
    read: (db, onShare) =>
      oneByOne(buses, onShare, async function* ({ id, name, days }) {
        const cameras = await listCameras(db, id);
        for (const part of await listZoneParts(db, { id, days })) {
          for await (const events of unitEvents(db, id, part)) {
            yield events.map((event) => rowOf(name, part, 'unit', event));
          }
          for (const camera of cameras) {
            const seenBy = { door: camera.door, camera: camera.name };
            for await (const events of videoEvents(db, camera, part)) {
              yield events.map((event) => rowOf(name, part, 'video', { ...event, ...seenBy }));
            }
          }
        }
      }),
  };
}

/** An event, with local wall times as ms since 1970 as if they were UTC. */
interface Seen {
  /** µs since 1970 UTC */
  readonly timeUs: number;
  readonly wallMs: number;
  readonly sentWallMs?: number;
  readonly door: number | null;
  readonly direction: string;
  readonly passenger: string;
  readonly count: number;
  readonly unitId: number;
  readonly streamId?: number;
  readonly seq?: number;
  readonly fragmentId?: number;
  readonly camera?: string;
}

type UnitEvent = Seen & {
  readonly streamId: number;
  readonly seq: number;
};

const wallOf = (column: string, zone: string) =>
  sql`(extract(epoch from ${sql.ref(column)} at time zone ${zone}::text) * 1000)::float8`;
const usOf = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;
const momentOf = (us: number) =>
  sql`timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond'`;

function unitEvents(db: Db, busId: number, { zone, startMs, endMs }: ZonePart) {
  return partsOf<UnitEvent>(PART_ROWS, async (after) => {
    const isNext =
      after === undefined
        ? sql`true`
        : sql`time >= ${momentOf(after.timeUs)} and (time, unit_id, stream_id, seq) > (
            ${momentOf(after.timeUs)}, ${after.unitId}, ${after.streamId}, ${after.seq})`;
    const { rows } = await sql<UnitEvent>`
      select ${wallOf('time', zone)} as "wallMs", ${wallOf('sent_time', zone)} as "sentWallMs",
        door, direction, passenger, count, unit_id as "unitId", stream_id as "streamId", seq,
        ${usOf('time')} as "timeUs"
      from passenger_events
      where workplace_id = ${busId} and time >= ${new Date(startMs)}
        and time < ${new Date(endMs)} and ${isNext}
      order by time, unit_id, stream_id, seq limit ${PART_ROWS}`.execute(db);
    return rows;
  });
}

interface CountingCamera {
  readonly id: number;
  readonly name: string;
  readonly door: number | null;
}

async function listCameras(db: Db, busId: number): Promise<CountingCamera[]> {
  return db
    .selectFrom('cameras')
    .select(['id', 'name', 'door'])
    .where('workplace_id', '=', busId)
    .where('live', '=', false)
    .orderBy(sql`stream_id collate natural_ru`)
    .execute();
}

type VideoEvent = Omit<Seen, 'door' | 'camera'> & {
  readonly startUs: number;
  readonly fragmentId: number;
  readonly position: number;
};

// By fragment: that is how they are indexed.
function videoEvents(db: Db, camera: CountingCamera, { zone, startMs, endMs }: ZonePart) {
  return partsOf<VideoEvent>(PART_ROWS, async (after) => {
    const isNext =
      after === undefined
        ? sql`true`
        : sql`start_time >= ${momentOf(after.startUs)} and (start_time, segments.id, position) > (
            ${momentOf(after.startUs)}, ${after.fragmentId}, ${after.position})`;
    const { rows } = await sql<VideoEvent>`
      select ${wallOf('time', zone)} as "wallMs", direction, passenger, count,
        unit_id as "unitId", segments.id as "fragmentId", position, ${usOf('start_time')} as "startUs",
        ${usOf('time')} as "timeUs"
      from segments join video_events on segment_id = segments.id
      where camera_id = ${camera.id} and start_time >= ${new Date(startMs - MAX_FRAGMENT_MS)}
        and start_time < ${new Date(endMs)}
        and time >= ${new Date(startMs)} and time < ${new Date(endMs)} and ${isNext}
      order by start_time, segments.id, position limit ${PART_ROWS}`.execute(db);
    return rows;
  });
}

// In UTC days: an estimate needs no zones.
async function countEvents(
  db: Db,
  busIds: readonly number[],
  { from, to }: DayRange,
  most: number,
): Promise<number> {
  const fromTime = new Date(`${from}T00:00:00Z`);
  const toTime = new Date(`${addDays(to, 1)}T00:00:00Z`);
  const isWithin = sql`time >= ${fromTime} and time < ${toTime}`;
  const { rows } = await sql<{ events: number }>`
    select count(*)::int as events from (
      (select from passenger_events
        where workplace_id = any(${[...busIds]}::bigint[]) and ${isWithin} limit ${most})
      union all
      (select from cameras join segments on camera_id = cameras.id
        join video_events on segment_id = segments.id
        where workplace_id = any(${[...busIds]}::bigint[]) and not live
          and start_time >= ${new Date(fromTime.getTime() - MAX_FRAGMENT_MS)}
          and start_time < ${toTime} and ${isWithin} limit ${most})
      limit ${most}) as counted`.execute(db);
  return rows[0]?.events ?? 0;
}
