// Rows of the queue become records of EGTS, and the results of records become what happens to their rows.
import { Cache } from '../core/cache.ts';
import { MAX_PACKET_BYTES, RESULT, SERVICE } from '../ingest/egts/codes.ts';
import type { DueRow, Second } from './due-rows.ts';
import type { PacketAnswer } from './link.ts';
import type { OutRecord } from './packets.ts';
import type { Outcome, Refused } from './settle.ts';
import { countsSubrecords, extendedSubrecord, positionSubrecord } from './subrecords.ts';

/** Records of a packet: some kilobytes, as few seconds have crowds. */
const MOST_RECORDS = 64;
/** Seconds with people of which a process remembers the rows. */
const MOST_SECONDS = 20_000;
/** Rows of one of them that it tells apart. */
const MOST_ROWS_OF_SECOND = 32;
/** Most bytes of a packet and of a record beside subrecords. */
const PACKET_HEAD_BYTES = 13;
const RECORD_HEAD_BYTES = 15;
/** A record is sent again after a refusal that may pass so often, for about 17 hours. */
const MOST_TRIES = 20;

/** It was stored by this record or an earlier one. */
const isConfirmed = (code: number): boolean =>
  code === RESULT.ok || code === RESULT.alreadyProcessed;

/** Damage on the way, no answer from behind, and faults of the other side's machines (GOST 33472-2015, annex В). */
const MAY_PASS: ReadonlySet<number> = new Set([
  137, 138, 145, 155, 156, 157, 158, 159, 160, 161, 162, 163,
]);

/** Tells rows of one bus and second apart. */
export type TurnOf = (row: DueRow, second: Second) => number;

/** Makes the memory of one upstream. */
export function createTurnsOfSeconds(): TurnOf {
  const known = new Cache<string, readonly number[]>({ most: MOST_SECONDS });
  return ({ id, object }, { seconds }) => {
    const key = `${object} ${seconds}`;
    const rows = known.get(key) ?? [];
    const isNew = !rows.includes(id) && rows.length < MOST_ROWS_OF_SECOND;
    if (isNew) known.set(key, [...rows, id]);
    return rows.includes(id) ? rows.indexOf(id) : rows.length;
  };
}

/** The records of a row. */
export function recordsOf(row: DueRow, turnOf: TurnOf): OutRecord[] {
  return row.seconds.map((second): OutRecord => {
    const { seconds, point, people } = second;
    const counts = people.length === 0 ? [] : countsSubrecords(people, turnOf(row, second));
    const own = { service: SERVICE.teledata, object: row.object };
    if (point === undefined) return { ...own, seconds, subrecords: counts };
    const extended = extendedSubrecord(point) ?? [];
    const subrecords = [positionSubrecord(point, { seconds }), extended, counts].flat();
    return { ...own, subrecords };
  });
}

/** Whether records have room in one packet. */
export function haveRoom(records: readonly OutRecord[]): boolean {
  const parts = records.flatMap(({ subrecords }) => subrecords);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  return PACKET_HEAD_BYTES + records.length * RECORD_HEAD_BYTES + bytes <= MAX_PACKET_BYTES;
}

/** The answer to records that were not sent, because no packet has room for them. */
export const TOO_LONG: PacketAnswer = { result: RESULT.length, records: [] };

/**
 * Groups rows for packets, in order.
 * @param alone ids of rows that share no packet
 */
export function packetsOf(rows: readonly DueRow[], alone: ReadonlySet<number>): DueRow[][] {
  const packets: { rows: DueRow[]; records: number }[] = [];
  for (const row of rows) {
    const last = packets.at(-1);
    const before = last?.rows.at(-1);
    const isApart = alone.has(row.id) || (before !== undefined && alone.has(before.id));
    const records = row.seconds.length;
    if (last === undefined || isApart || last.records + records > MOST_RECORDS) {
      packets.push({ rows: [row], records });
    } else {
      last.rows.push(row);
      last.records += records;
    }
  }
  return packets.map((packet) => packet.rows);
}

/**
 * Reads from an answer what becomes of the rows of a packet.
 * @returns null when the packet was refused as a whole: each row has to go alone
 */
export function outcomeOf(rows: readonly DueRow[], answer: PacketAnswer): Outcome | null {
  const isWhole = answer.result !== RESULT.ok && !MAY_PASS.has(answer.result);
  if (isWhole && !isConfirmed(answer.result) && rows.length > 1) return null;
  const outcome = {
    done: [] as number[],
    confirmed: 0,
    refused: [] as Refused[],
    later: [] as number[],
  };
  let at = 0;
  for (const { id, busId, tries, seconds } of rows) {
    const codes = answer.records.slice(at, at + seconds.length);
    at += seconds.length;
    if (tries < MOST_TRIES && codes.some((code) => MAY_PASS.has(code))) {
      outcome.later.push(id);
      continue;
    }
    outcome.done.push(id);
    outcome.confirmed += codes.filter(isConfirmed).length;
    for (const code of codes) {
      if (!isConfirmed(code)) outcome.refused.push({ code, records: 1, bus: busId });
    }
  }
  return outcome;
}
