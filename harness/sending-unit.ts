// A seeded unit: it makes records of every kind, sends them over the uplink that buses use, uploads the videos that it
// announced, and remembers its records and which of them the server acknowledged.
import { createHash, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchAnswer, Refusal, SegmentRecord, UnitRecord } from '@ridewatch/contract/unit';
import { chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { connect, UplinkError } from '@ridewatch/unit/src/uplink/connection.ts';
import { createCounter } from '@ridewatch/unit/src/uplink/counter.ts';
import { createMemoryOutbox } from '@ridewatch/unit/src/uplink/outbox.ts';
import { createSender } from '@ridewatch/unit/src/uplink/sender.ts';
import type { Timers } from '@ridewatch/unit/src/uplink/timers.ts';
import { uploadVideo } from '@ridewatch/unit/src/uplink/upload.ts';
import { contentOf, isVideo, recordMaker } from './made-records.ts';
import { createUploadLedger } from './upload-ledger.ts';

const BATCH_RECORDS = 40;
/** Error code of an answer that the test itself drops. */
export const LOST = 'lost';
/** Bytes of a video; it is uploaded in three chunks. */
const VIDEO_BYTES = 9_000_000;
/** Share of the server's answers that are lost; a weak unit loses every third. */
const LOST_ANSWERS = 0.05;

/** The fault of a broken uplink after a lost answer. */
export type Weakness = 'forgets what waits' | 'numbers what waits anew';

export interface SendingUnitOptions {
  readonly seed: number;
  readonly deviceId: string;
  readonly url: string;
  readonly credential: string;
  /** A playable video; each of the unit's videos is this clip with unique bytes appended. */
  readonly clip: Buffer;
  /** Folder of the videos until they are uploaded. */
  readonly folder: string;
  /** Videos that it announces after each start of the server. */
  readonly videos: number;
  /** Bytes that are appended to the clip; 9 MB by default. */
  readonly videoBytes?: number;
  readonly weakness?: Weakness;
  /** Days by which its records are older than yesterday's; 0 by default. */
  readonly daysBack?: number;
  /** Called before every batch. */
  readonly onBatch: () => void;
  /** Called after every batch, with the status, 0 without an answer, and the start, ms as of `performance`. */
  readonly onAnswer?: (status: number, code: string, sinceMs: number) => void;
  /** Called after every request of an upload, in the same way. */
  readonly onPiece?: (status: number, code: string, sinceMs: number) => void;
  /** Resolves when the server is up. */
  readonly serverIsUp: () => Promise<void>;
}

export interface SendingUnit {
  readonly deviceId: string;
  /** Records by content, and whether the server has acknowledged them. */
  readonly records: ReadonlyMap<string, { readonly record: UnitRecord; acknowledged: boolean }>;
  /** SHA-256 of the videos, hex, by the start of the fragment. */
  readonly videos: ReadonlyMap<string, string>;
  /** Acknowledged bytes of uploads that were lost afterwards, one sentence each. */
  readonly uploadFaults: readonly string[];
  readonly refused: readonly Refusal[];
  /** Calls that ended without an answer. */
  readonly cut: { batches: number; uploads: number };
  /** Announces new videos, after a start of the server. */
  announceVideos(): void;
  /** Makes records and sends them until stopped, then until the server has everything. */
  run(isStopped: () => boolean): Promise<void>;
}

/** Creates a unit; it sends nothing until `run`. */
export function createSendingUnit(options: SendingUnitOptions): SendingUnit {
  const { url, credential, weakness, onBatch } = options;
  const records = new Map<string, { record: UnitRecord; acknowledged: boolean }>();
  const byNumber = new Map<string, string>();
  const videos = new Map<string, string>();
  const refused: Refusal[] = [];
  const cut = { batches: 0, uploads: 0 };
  const ledger = createUploadLedger();
  const make = recordMaker(chanceOf(options.seed, options.deviceId, 'records'), options.daysBack);
  const wire = chanceOf(options.seed, options.deviceId, 'wire');
  const timers: Timers = { nowMs: () => Date.now(), sleep: options.serverIsUp };
  const outbox = createMemoryOutbox();
  const link = connect({ url, credential });
  let counter = createCounter();
  let videosDue = 0;
  const uploads: Promise<void>[] = [];

  const take = (record: UnitRecord): void => {
    const { stream } = counter;
    const numbered = { ...record, seq: counter.next() };
    byNumber.set(`${stream}:${numbered.seq}`, contentOf(record));
    outbox.add(stream, [numbered]);
  };
  const note = (stream: string, { acknowledged }: BatchAnswer): void => {
    for (const [first, last] of acknowledged) {
      for (let seq = first; seq <= last; seq += 1) {
        const known = records.get(byNumber.get(`${stream}:${seq}`) ?? '');
        if (known === undefined) throw new Error(`${seq} is acknowledged and was never sent`);
        if (!known.acknowledged && isVideo(known.record)) {
          uploads.push(upload({ stream, seq }, known.record));
        }
        known.acknowledged = true;
      }
    }
  };
  let answers = 0;
  const losesAnswer = (): boolean => {
    answers += 1;
    return weakness === undefined ? wire.happens(LOST_ANSWERS) : answers % 3 === 0;
  };
  const counted = async <T>(kind: keyof typeof cut, call: Promise<T>): Promise<T> => {
    try {
      const answer = await call;
      if (losesAnswer()) throw new UplinkError('the answer is lost', 0, LOST);
      return answer;
    } catch (error) {
      if (error instanceof UplinkError && error.status === 0) cut[kind] += 1;
      throw error;
    }
  };
  const connection: Parameters<typeof createSender>[0]['connection'] &
    Parameters<typeof uploadVideo>[0]['connection'] = {
    sendBatch: async (batch) => {
      onBatch();
      const sinceMs = performance.now();
      try {
        const answer = await counted('batches', link.sendBatch(batch));
        note(batch.stream, answer);
        options.onAnswer?.(200, '', sinceMs);
        return answer;
      } catch (error) {
        if (error instanceof UplinkError) options.onAnswer?.(error.status, error.code, sinceMs);
        throw error;
      }
    },
    request: async (...call) => {
      const sinceMs = performance.now();
      try {
        const answer = await counted('uploads', link.request(...call));
        ledger.note(call[0], call[1], answer.status, answer.headers);
        options.onPiece?.(200, '', sinceMs);
        return answer;
      } catch (error) {
        if (error instanceof UplinkError) {
          ledger.note(call[0], call[1], error.status);
          options.onPiece?.(error.status, error.code, sinceMs);
        }
        throw error;
      }
    },
  };
  const sender = createSender({
    connection,
    outbox,
    timers,
    batchRecords: BATCH_RECORDS,
    onRefused: (refusal) => refused.push(refusal),
    onFailure: () => {
      if (weakness === undefined) return;
      const waiting = outbox.peek(Number.POSITIVE_INFINITY, Date.now());
      if (waiting === undefined) return;
      outbox.settle(waiting.stream, [[0, Number.MAX_SAFE_INTEGER]]);
      if (weakness === 'forgets what waits') return;
      counter = createCounter();
      for (const record of waiting.records) take(record);
    },
  });

  async function upload(
    announced: { stream: string; seq: number },
    fragment: SegmentRecord,
  ): Promise<void> {
    // A free box with random bytes, which players skip, makes every file unique (ISO/IEC 14496-12, section 8.1.2).
    const box = Buffer.alloc(options.videoBytes ?? VIDEO_BYTES);
    box.writeUInt32BE(box.length, 0);
    box.write('free', 4, 'latin1');
    for (let at = 8; at < box.length; at += 4096) box.write(randomUUID(), at, 'latin1');
    const bytes = Buffer.concat([options.clip, box]);
    videos.set(fragment.start_time, createHash('sha256').update(bytes).digest('hex'));
    const file = path.join(options.folder, `${announced.stream}-${announced.seq}.mp4`);
    await writeFile(file, bytes);
    // The uplink gave up after its retries because of a transient error: start the upload again.
    const isGivenUp = (error: unknown): boolean =>
      error instanceof UplinkError && error.isTransient;
    const bring = async (): Promise<void> => {
      try {
        await uploadVideo({ connection, timers, announced, file });
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        await bring();
      }
    };
    await bring();
    await rm(file);
  }

  return {
    deviceId: options.deviceId,
    records,
    videos,
    uploadFaults: ledger.faults,
    refused,
    cut,
    announceVideos: () => {
      videosDue = options.videos;
    },
    run: async (isStopped) => {
      while (!isStopped()) {
        for (let some = 0; some < BATCH_RECORDS; some += 1) {
          const record = make(videosDue > 0);
          if (isVideo(record)) videosDue -= 1;
          records.set(contentOf(record), { record, acknowledged: false });
          take(record);
        }
        await sender.flush();
      }
      await Promise.all(uploads);
    },
  };
}
