// Rows of the queue become records of EGTS, and the results of records become what happens to their rows.
import { MAX_PACKET_BYTES, RESULT, SERVICE } from '../ingest/egts/codes.ts';
import type { DueRow } from './due-rows.ts';
import type { PacketAnswer } from './link.ts';
import type { OutRecord } from './packets.ts';
import type { DoneRow, Outcome, Refused } from './settle.ts';
import { countsSubrecords, extendedSubrecord, positionSubrecord } from './subrecords.ts';
import type { TurnOf } from './turns.ts';

/** Records of a packet: some kilobytes, as few seconds have crowds. */
const MOST_RECORDS = 64;
/** Most bytes of a packet and of a record beside subrecords. */
const PACKET_HEAD_BYTES = 13;
const RECORD_HEAD_BYTES = 15;
/** A record is sent again after a refusal that may pass so often, for about 14 hours. */
const MOST_TRIES = 20;

/** It was stored by this record or an earlier one. */
const isConfirmed = (code: number): boolean =>
  code === RESULT.ok || code === RESULT.alreadyProcessed;

/**
 * Damage on the way, a route or a permission that is missing, no answer from behind, and faults of the other side's
 * machines (GOST 33472-2015, annex В).
 */
const MAY_PASS: ReadonlySet<number> = new Set([
  137, 138, 140, 141, 142, 145, 149, 151, 155, 156, 157, 158, 159, 160, 161, 162, 163,
]);

/** The object is not found there: of objects in general, and of ids (the same annex). */
const NOT_KNOWN: ReadonlySet<number> = new Set([146, RESULT.unknownId]);

/** The records of a row. */
export function recordsOf(row: DueRow, turnOf: TurnOf): OutRecord[] {
  return row.seconds.map(({ seconds, point, people }): OutRecord => {
    const counts = people.length === 0 ? [] : countsSubrecords(people, turnOf(row.id, seconds));
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
    done: [] as DoneRow[],
    refused: [] as Refused[],
    later: [] as number[],
    unregistered: [] as number[],
    knownBuses: [] as number[],
    nextBuses: [],
  };
  let at = 0;
  for (const { id, busId, tries, seconds } of rows) {
    const codes = answer.records.slice(at, at + seconds.length);
    at += seconds.length;
    // All records of a row are of one bus.
    if (codes.some((code) => NOT_KNOWN.has(code))) {
      outcome.unregistered.push(id);
      continue;
    }
    if (codes.some(isConfirmed)) outcome.knownBuses.push(busId);
    if (tries < MOST_TRIES && codes.some((code) => MAY_PASS.has(code))) {
      outcome.later.push(id);
      continue;
    }
    outcome.done.push({ id, confirmed: codes.filter(isConfirmed).length });
    for (const code of codes) {
      if (!isConfirmed(code)) outcome.refused.push({ code, records: 1, bus: busId });
    }
  }
  return outcome;
}
