// Plays captured packets of EGTS over a real socket. The server must know their ids, or lists them as unknown.
import { UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import { type Confirmation, deliver } from '../egts/deliver.ts';
import { readSentRecords } from '../egts/read-records.ts';
import { type PacketForm, readPackets } from './capture-files.ts';
import { ATTEMPTS, type CaptureRun, createAdoptionWait, createTally } from './capture-run.ts';
import { RecordingError } from './columns.ts';

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
  run.say(`${packets.length} packets`);
  const results = createTally(run);
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
      }
    },
    isSignIn: (packet) => readSentRecords(packet).records.some((record) => record.isSignIn),
  });
  await delivery.finally(() => results.say('records with the result'));
  results.check();
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
