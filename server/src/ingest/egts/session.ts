// One connection: it reads packets, stores what they tell, and answers each packet once, after the commit. A packet that
// cannot be stored now has no answer, and its sender sends it again.
import type { Socket } from 'node:net';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { Knocks } from '../by-id/knocks.ts';
import type { Session } from '../by-id/tcp-listener.ts';
import type { FindUnits } from '../by-id/units.ts';
import { type Confirmed, createAnswers } from './answers.ts';
import { PACKET, RESULT, SERVICE, SUBRECORD } from './codes.ts';
import { type DataRecord, readRecords, readSubrecords } from './data-records.ts';
import { isPlatformIdentity, readTerminalIds } from './identities.ts';
import { createPacketReader, type ReadPacket } from './packets.ts';
import type { TakeRecords, Telemetry } from './take-records.ts';

/** Packets, and bytes of their data, that are stored together. */
const MOST_TOGETHER = { packets: 64, bytes: 65_536 } as const;

/** Longest wait for a connection that is closed, ms. */
const STOP_MS = 2000;

/** How long a connection may be silent, ms. */
export interface SessionLimits {
  /** Until its first packet. */
  readonly firstMs: number;
  /** Within a packet: its sender has sent it again by then. */
  readonly partMs: number;
  readonly idleMs: number;
}

export interface SessionDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly takeRecords: TakeRecords;
  readonly findUnits: FindUnits<unknown>;
  readonly knocks: Pick<Knocks, 'note'>;
  readonly limits: SessionLimits;
}

/** A packet on its way: its records with their results, and who signs in by it. */
interface Taken {
  readonly packet: ReadPacket;
  readonly result: number;
  readonly records: { readonly record: DataRecord; readonly result: number | Telemetry }[];
  /** The ids of terminals; null: a platform. */
  readonly signIns: (readonly string[] | null)[];
}

/** Serves a connection. */
export function openSession(socket: Socket, deps: SessionDeps): Session {
  const { limits, clock, log } = deps;
  const reader = createPacketReader();
  const address = socket.remoteAddress ?? '';
  const answers = createAnswers();
  /** The ids of the terminal that has signed in. */
  let terminal: readonly string[] | null = null;
  let working = Promise.resolve();
  let isStopping = false;
  /** Runs while the beginning of a packet waits for its rest. */
  let waitingForRest: NodeJS.Timeout | undefined;

  const first = setTimeout(() => socket.destroy(), limits.firstMs);
  socket.setNoDelay(true);
  socket.setTimeout(limits.idleMs, () => socket.destroy());
  // A lost connection is no news: its sender connects again.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(first);
    clearTimeout(waitingForRest);
  });
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes);
    run();
  });

  function run(): void {
    // Until these are stored, no more are read: the sender's own buffer fills up.
    socket.pause();
    working = work().then(
      () => void (isStopping || socket.resume()),
      (error: unknown) => {
        log.error({ err: error }, 'a connection of EGTS was given up');
        socket.destroy();
      },
    );
  }

  // From the beginning of the packet on, whatever arrives meanwhile; not while others are stored and nothing is read.
  function watchPart(hasPackets: boolean): void {
    if (hasPackets || !reader.hasPart()) {
      clearTimeout(waitingForRest);
      waitingForRest = undefined;
      return;
    }
    if (socket.destroyed) return;
    waitingForRest ??= setTimeout(() => {
      waitingForRest = undefined;
      reader.giveUpPart();
      run();
    }, limits.partMs);
  }

  async function work(): Promise<void> {
    for (;;) {
      const packets = readSome();
      watchPart(packets.length > 0);
      if (reader.isLost()) socket.destroy();
      if (packets.length === 0 || socket.destroyed) return;
      clearTimeout(first);
      const bytes = await answer(packets.map(take));
      if (bytes.length > 0 && !socket.destroyed && !socket.write(bytes)) await drained();
    }
  }

  function readSome(): ReadPacket[] {
    const packets: ReadPacket[] = [];
    let bytes = 0;
    while (packets.length < MOST_TOGETHER.packets && bytes < MOST_TOGETHER.bytes) {
      const packet = reader.next();
      if (packet === undefined) break;
      packets.push(packet);
      bytes += packet.data.length;
    }
    return packets;
  }

  async function drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }

  function take(packet: ReadPacket): Taken {
    const { records, isWhole } = readRecords(
      packet.type === PACKET.response ? Buffer.alloc(0) : packet.data,
    );
    const signIns: Taken['signIns'] = [];
    const isSound = packet.result !== RESULT.ok || isWhole;
    return {
      ...{ packet, signIns },
      result: isSound ? packet.result : RESULT.dataForm,
      records: records.map((record) => ({ record, result: begin(record, signIns) })),
    };
  }

  // The result of a record, or what is to be stored of it.
  function begin(record: DataRecord, signIns: Taken['signIns']): number | Telemetry {
    if (record.receiver === SERVICE.teledata || record.sender === SERVICE.teledata) {
      const ids = record.object === null ? terminal : [String(record.object)];
      return ids === null ? RESULT.notSignedIn : { record, ids };
    }
    return record.receiver === SERVICE.auth ? signIn(record, signIns) : RESULT.unknownService;
  }

  function signIn({ data }: DataRecord, signIns: Taken['signIns']): number {
    for (const subrecord of readSubrecords(data) ?? [undefined]) {
      if (subrecord === undefined) return RESULT.dataForm;
      if (subrecord.type === SUBRECORD.termIdentity) {
        const ids = readTerminalIds(subrecord.data);
        if (ids === undefined) return RESULT.dataForm;
        terminal = ids;
        signIns.push(ids);
      } else if (subrecord.type === SUBRECORD.dispatcherIdentity) {
        if (!isPlatformIdentity(subrecord.data)) return RESULT.dataForm;
        signIns.push(null);
      }
    }
    return RESULT.ok;
  }

  // The bytes to send; of packets whose records could not be stored, none.
  async function answer(taken: readonly Taken[]): Promise<Buffer> {
    const sent = taken.flatMap(({ records }) =>
      records.flatMap(({ result }) => (typeof result === 'number' ? [] : [result])),
    );
    try {
      const results = await deps.takeRecords(sent, address, clock.nowMs());
      const resultOf = new Map(sent.map((one, at) => [one, results[at]]));
      const signedIn = await deps.findUnits(
        taken.flatMap(({ signIns }) => signIns.flatMap((ids) => ids ?? [])),
      );
      const isKnown = (ids: readonly string[] | null): boolean => {
        if (ids === null || ids.some((id) => signedIn.has(id))) return true;
        if (ids[0] !== undefined) deps.knocks.note(ids[0], address, 0);
        return false;
      };
      return Buffer.concat(
        taken.flatMap(({ packet, result, records, signIns }) => {
          if (packet.type === PACKET.response) return [];
          const confirmed = records.map(({ record, result: own }) => ({
            ...{ record, result: typeof own === 'number' ? own : resultOf.get(own) },
          }));
          if (!confirmed.every(isConfirmed)) return [];
          const codes = signIns.map((ids) => (isKnown(ids) ? RESULT.ok : RESULT.unknownId));
          return [
            answers.response(packet.id, result, confirmed),
            ...codes.map((code) => answers.signInResult(code)),
          ];
        }),
      );
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'packets of EGTS were not stored');
      return Buffer.alloc(0);
    }
  }

  return {
    stop: async () => {
      isStopping = true;
      socket.pause();
      await working;
      if (socket.destroyed) return;
      // The last answers go out, unless the other side reads nothing.
      const late = setTimeout(() => socket.destroy(), STOP_MS);
      socket.on('close', () => clearTimeout(late));
      socket.destroySoon();
    },
  };
}

const isConfirmed = (one: {
  record: DataRecord;
  result: number | undefined;
}): one is Confirmed & {
  record: DataRecord;
} => one.result !== undefined;
