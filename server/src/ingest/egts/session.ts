// One connection: it reads packets, stores what they tell, and answers each packet once, after the commit. A packet that
// cannot be stored now has no answer, and its sender sends it again.
import type { Socket } from 'node:net';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { HeardUnits } from '../by-id/heard-units.ts';
import type { Knocks } from '../by-id/knocks.ts';
import { createPump, type SilenceLimits } from '../by-id/message-pump.ts';
import { createSomeMessages } from '../by-id/some-messages.ts';
import type { Session } from '../by-id/tcp-listener.ts';
import type { UnitPlace } from '../by-id/unit-places.ts';
import type { FindUnits } from '../by-id/units.ts';
import type { WeightedTurns } from '../by-id/weighted-turns.ts';
import { type Confirmed, createAnswers } from './answers.ts';
import { PACKET, RESULT, SERVICE, SUBRECORD } from './codes.ts';
import { type DataRecord, readRecords, readSubrecords } from './data-records.ts';
import { isPlatformIdentity, readTerminalIds } from './identities.ts';
import { createPacketReader, type ReadPacket } from './packets.ts';
import type { TakeRecords, Telemetry } from './take-records.ts';

/** Packets, and bytes of their data, that are stored together: after a stop, many are copies of the same few. */
const MOST_TOGETHER = { messages: 256, bytes: 65_536 } as const;

/** A packet may take so long for each of its bytes, ms: half a kilobyte a second, which the weakest GPRS brings. */
const MOST_MS_A_BYTE = 2;

/** How long a connection may be silent, ms. */
export interface SessionLimits extends SilenceLimits {
  /** Within a packet. One may take as long in all beside the time of its bytes. */
  readonly partMs: number;
}

export interface SessionDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly takeRecords: TakeRecords;
  readonly findUnits: FindUnits<unknown>;
  readonly knocks: Pick<Knocks, 'note'>;
  readonly heardUnits: Pick<HeardUnits, 'note'>;
  readonly limits: SessionLimits;
  /** Shared by the connections of a port. */
  readonly inTurn: WeightedTurns;
  /** That of the connection, which it keeps once it has brought something of a unit. */
  readonly place: UnitPlace;
}

/** A packet on its way: its records with their results, and who signs in by it. */
interface Taken {
  readonly packet: ReadPacket;
  readonly result: number;
  readonly records: { readonly record: DataRecord; readonly result: number | Telemetry }[];
  /** The ids of terminals; null: a platform. */
  readonly signIns: (readonly string[] | null)[];
  /** The ids of the terminal that has signed in and sends it, if it has records and none of telemetry. */
  readonly from: readonly string[] | null;
}

/** Serves a connection. */
export function openSession(socket: Socket, deps: SessionDeps): Session {
  const { limits, clock, log, heardUnits, place } = deps;
  const reader = createPacketReader();
  const address = socket.remoteAddress ?? '';
  const answers = createAnswers();
  /** The ids of the terminal that has signed in. */
  let terminal: readonly string[] | null = null;
  /** Runs while the beginning of a packet waits for its rest. */
  let waitingForRest: NodeJS.Timeout | undefined;
  /** When that began, by the clock of the process that only grows, ms. */
  let waitingSinceMs = 0;
  const readSome = createSomeMessages({ next: () => reader.next(), bytesOf, most: MOST_TOGETHER });
  const pump = createPump<ReadPacket>(socket, {
    ...{ name: 'egts', limits, log, inTurn: deps.inTurn, bytesOf },
    push: (bytes) => reader.push(bytes),
    readSome: () => {
      const packets = readSome();
      watchPart(packets.length > 0);
      return packets;
    },
    isLost: () => reader.isLost(),
    ...{ isSound, partBytes: reader.partBytes },
    answer: (packets) => answer(packets.map(take)),
  });
  socket.on('close', () => {
    clearTimeout(waitingForRest);
    place.leave();
  });
  return pump;

  // With each byte that arrives; not while others are stored and nothing is read. What comes slower may be other packets
  // behind a wrong length.
  function watchPart(hasPackets: boolean): void {
    const isFirst = waitingForRest === undefined;
    clearTimeout(waitingForRest);
    waitingForRest = undefined;
    const bytes = reader.partBytes();
    if (hasPackets || bytes === 0 || socket.destroyed) return;
    const nowMs = clock.elapsedMs();
    if (isFirst) waitingSinceMs = nowMs;
    const waitedMs = nowMs - waitingSinceMs;
    waitingForRest = setTimeout(
      () => {
        waitingForRest = undefined;
        reader.giveUpPart();
        pump.run();
      },
      Math.min(limits.partMs, limits.partMs + bytes * MOST_MS_A_BYTE - waitedMs),
    );
  }

  function take(packet: ReadPacket): Taken {
    const { records, isWhole } = readRecords(
      packet.type === PACKET.response ? Buffer.alloc(0) : packet.data,
    );
    const signIns: Taken['signIns'] = [];
    const isSound = packet.result !== RESULT.ok || isWhole;
    const begun = records.map((record) => ({ record, result: begin(record, signIns) }));
    const isOther = begun.length > 0 && begun.every(({ result }) => typeof result === 'number');
    return {
      ...{ packet, signIns, from: isOther ? terminal : null },
      result: isSound ? packet.result : RESULT.dataForm,
      records: begun,
    };
  }

  // The result of a record, or what is to be stored of it.
  function begin(record: DataRecord, signIns: Taken['signIns']): number | Telemetry {
    if (record.receiver === SERVICE.teledata || record.sender === SERVICE.teledata) {
      // A terminal may name itself by its number, and be known by its IMEI.
      const object = record.object === null ? null : String(record.object);
      const ids = object === null || terminal?.includes(object) ? terminal : [object];
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
      } else if (subrecord.type === SUBRECORD.authInfo && signIns.length === 0) {
        // Nobody asked for it. Some send it by itself after their name, and wait for a result.
        signIns.push(terminal);
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
      // In the order of the packets.
      let next = 0;
      const resultOf = (own: number | Telemetry): number | undefined => {
        if (typeof own === 'number') return own;
        next += 1;
        return results[next - 1];
      };
      const terminals = taken.flatMap(({ signIns, from }) => [...signIns, from]);
      const signedIn = await deps.findUnits(terminals.flatMap((ids) => ids ?? []));
      for (const ids of terminals) {
        const id = ids?.find((one) => signedIn.has(one));
        const known = id === undefined ? undefined : signedIn.get(id);
        // Telemetry says so itself, once it is stored.
        if (known !== undefined) heardUnits.note(known.unit.unitId);
      }
      if (signedIn.size > 0 || results.some((one) => one !== RESULT.unknownId)) place.keep();
      const isKnown = (ids: readonly string[] | null): boolean => {
        if (ids === null || ids.some((id) => signedIn.has(id))) return true;
        const [id, ...otherIds] = ids;
        if (id !== undefined) deps.knocks.note(id, address, 0, undefined, otherIds);
        return false;
      };
      return Buffer.concat(
        taken.flatMap(({ packet, result, records, signIns }) => {
          if (packet.type === PACKET.response) return [];
          const confirmed = records.map(({ record, result: own }) => ({
            ...{ record, result: resultOf(own) },
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
}

const bytesOf = ({ data }: ReadPacket): number => data.length;

const isSound = ({ result }: ReadPacket): boolean => result === RESULT.ok;

const isConfirmed = (one: {
  record: DataRecord;
  result: number | undefined;
}): one is Confirmed & {
  record: DataRecord;
} => one.result !== undefined;
