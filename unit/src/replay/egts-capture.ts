// Plays captured packets of EGTS over a real socket. The server must know their ids, or lists them as unknown.
import { UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import { type Confirmation, deliver } from '../egts/deliver.ts';
import { readSentRecords } from '../egts/read-records.ts';
import { type PacketForm, readPackets } from './capture-files.ts';
import {
  ATTEMPTS,
  type CaptureRun,
  createAdoptionWait,
  createTally,
  type Tally,
} from './capture-run.ts';
import { RecordingError } from './columns.ts';
import { counted } from './counted.ts';

/** Headers without and with routing fields. */
const HEADER_BYTES = { least: 11, most: 16 } as const;
const CHECKSUM_BYTES = 2;
/** The place of a packet's type. */
const TYPE_AT = 9;
const RESPONSE = 0;

const FORM: PacketForm = { firstByte: 1, leastBytes: HEADER_BYTES.least, cut };

/**
 * Sends the packets of captures one after the other, each until it is answered; answers among them are left out.
 * @throws RecordingError for a file that cannot be read; Error when the server is not there or does not answer
 */
export async function replayEgts(
  address: { readonly host: string; readonly port: number },
  run: CaptureRun,
): Promise<void> {
  const files = await Promise.all(run.captures.map((file) => readPackets(file, FORM)));
  const packets = files.flat().filter((packet) => packet[TYPE_AT] !== RESPONSE);
  run.say(counted(packets.length, 'packet'));
  const results = createTally(run);
  const signIns = createSignInTally(results);
  const isAdopted = createAdoptionWait(run);
  const delivery = deliver(packets, {
    ...{ ...address, timers: run.timers, signal: run.signal, attempts: ATTEMPTS },
    onFailure: run.onFailure,
    ...(run.answerMs !== undefined && { answerMs: run.answerMs }),
    ...(run.againMs !== undefined && { reconnectMs: run.againMs }),
    isSentAgain: async (confirmation) =>
      resultsOf(confirmation).includes(UNKNOWN_OBJECT) && (await isAdopted()),
    onConfirmed: (confirmation, packet) => {
      for (const [result, isRefused] of outcomesOf(confirmation, packet)) {
        results.add(result, isRefused);
        if (isRefused === undefined && result === 0) signIns.confirmed(packet);
      }
    },
    isSignIn: (packet) => idsIn(packet) !== undefined,
    onSignIn: signIns.add,
  });
  await delivery.finally(() => {
    results.say('record', 'with the result');
    for (const line of signIns.lines()) run.say(line);
  });
  results.check();
}

/** The ids of the terminal that signs in by a packet; undefined: none does. */
const idsIn = (packet: Buffer): readonly string[] | undefined =>
  readSentRecords(packet).records.findLast(({ ids }) => ids !== undefined)?.ids;

/** Sign-ins whose record is confirmed with 0, and which are refused afterwards. */
interface SignInTally {
  /** A record of a packet that tells only a name was confirmed with 0. */
  confirmed(packet: Buffer): void;
  /** Takes the result of a sign-in. One that is accepted at last, when its packet comes again, is not refused. */
  add(result: number, packet: Buffer): void;
  /** A sentence for each result of each terminal. */
  lines(): string[];
}

/** A refusal of a packet's sign-in. */
interface Refusal {
  readonly packet: Buffer;
  readonly line: string;
  /** Undefined when none of the packet's records was left to be counted under it. */
  readonly result: number | undefined;
}

function createSignInTally(results: Tally): SignInTally {
  let refusals: readonly Refusal[] = [];
  /** Records with the result 0 by packet. */
  const left = new Map<Buffer, number>();
  /** A packet with a password alone is of the terminal that said its name before. */
  let ids: readonly string[] = [];
  return {
    lines: () => [...new Set(refusals.map(({ line }) => line))],
    confirmed: (packet) => {
      ids = idsIn(packet) ?? ids;
      take(packet, 1);
    },
    add: (result, packet) => {
      ids = idsIn(packet) ?? ids;
      if (result === 0) {
        accept(packet);
        return;
      }
      const signIn =
        ids.length === 0
          ? 'a sign-in that names no terminal'
          : `the sign-in of terminal ${ids.join(', ')}`;
      const line = `the server refuses ${signIn} with the result ${result}`;
      const isCounted = take(packet, -1);
      if (isCounted) results.change(0, result);
      refusals = [...refusals, { packet, line, result: isCounted ? result : undefined }];
    },
  };

  function accept(packet: Buffer): void {
    for (const { result } of refusals.filter((one) => one.packet === packet)) {
      if (result === undefined) continue;
      take(packet, 1);
      results.change(result, 0);
    }
    refusals = refusals.filter((one) => one.packet !== packet);
  }

  function take(packet: Buffer, more: 1 | -1): boolean {
    const count = (left.get(packet) ?? 0) + more;
    if (count < 0) return false;
    left.set(packet, count);
    return true;
  }
}

/** The results of the records; of a packet whose records the server does not tell, its own. */
function resultsOf({ result, records }: Confirmation): number[] {
  return records.size === 0 ? [result] : [...records.values()];
}

/** The results, each with whether it refuses a record; undefined of what tells only a name, or nothing. */
function outcomesOf(
  { result, records: told }: Confirmation,
  packet: Buffer,
): (readonly [result: number, isRefused: boolean | undefined])[] {
  const { records, isWhole } = readSentRecords(packet);
  if (told.size === 0) {
    const isEmpty = isWhole && records.every(({ isAuth }) => isAuth);
    return [[result, isEmpty ? undefined : result !== 0]];
  }
  const names = new Set(records.flatMap(({ number, isAuth }) => (isAuth ? [number] : [])));
  return [...told].map(([number, one]) => [one, names.has(number) ? undefined : one !== 0]);
}

function cut(bytes: Buffer, file: string): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOf(bytes, at);
    if (end === undefined) {
      throw new RecordingError(`${file}: byte ${at} begins no whole packet of EGTS.`);
    }
    packets.push(bytes.subarray(at, end));
    at = end;
  }
  return packets;
}

/** The end of the packet that begins at a byte; undefined: its header is none, or the bytes end before. */
function endOf(bytes: Buffer, at: number): number | undefined {
  const { least, most } = HEADER_BYTES;
  if (at + least > bytes.length) return undefined;
  const headerBytes = bytes[at + 3] ?? 0;
  if (headerBytes < least || headerBytes > most) return undefined;
  const dataBytes = bytes.readUInt16LE(at + 5);
  const end = at + headerBytes + dataBytes + (dataBytes === 0 ? 0 : CHECKSUM_BYTES);
  return end > bytes.length ? undefined : end;
}
