// Plays captured packets of EGTS over a real socket. The server must know their ids, or lists them as unknown.
import { UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import { type Confirmation, deliver } from '../egts/deliver.ts';
import { type PacketForm, readPackets } from './capture-files.ts';
import { ATTEMPTS, type CaptureRun, createAdoptionWait, createTally } from './capture-run.ts';

/** A packet without routing fields; the place of its type. */
const HEADER_BYTES = 11;
const TYPE_AT = 9;
const RESPONSE = 0;

const FORM: PacketForm = { firstByte: 1, leastBytes: HEADER_BYTES, cut };

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
    onConfirmed: (confirmation) => {
      for (const one of resultsOf(confirmation)) results.add(one, one !== 0);
    },
  });
  await delivery.finally(() => results.say('records with the result'));
  results.check();
}

/** The results of the records; of a packet whose records the server does not tell, its own. */
function resultsOf({ result, records }: Confirmation): number[] {
  return records.size === 0 ? [result] : [...records.values()];
}

function cut(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const dataBytes = bytes.readUInt16LE(at + 5);
    const end = at + (bytes[at + 3] ?? HEADER_BYTES) + dataBytes + (dataBytes === 0 ? 0 : 2);
    packets.push(bytes.subarray(at, end));
    at = end;
  }
  return packets;
}
