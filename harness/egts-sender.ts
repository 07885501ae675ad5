// EGTS as terminals and platforms send it: a terminal signs in, a platform names the object of each record.
import { createAnswers } from '@ridewatch/server/src/ingest/egts/answers.ts';
import { RESULT } from '@ridewatch/server/src/ingest/egts/codes.ts';
import { readRecords } from '@ridewatch/server/src/ingest/egts/data-records.ts';
import { createPacketReader } from '@ridewatch/server/src/ingest/egts/packets.ts';
import { type EgtsLink, openEgtsLink } from '@ridewatch/unit/src/egts/link.ts';
import {
  countsSubrecord,
  type EgtsRecord,
  egtsData,
  egtsPacket,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { type EarlyMessage, startEarlyListener } from './early-listener.ts';
import type { Confirmation, Message, Sender, SenderLink } from './sender.ts';

const HOST = '127.0.0.1';
/** The first record of a terminal has a packet of its own, whose number no message has: they are below. */
const SIGN_IN = 0xffff;
const SIGN_IN_MS = 3_000;
/** How long the sound server may take for a message of the one that confirms too early, ms. */
const BRING_MS = 10_000;
const MODULE = 1;

/** EGTS, one unit or many of them in a link. */
export const egtsSender: Sender = {
  ...{ protocol: 'egts', variable: 'EGTS_PORT', mostWaiting: 8, mostObjects: 1000, doors: 2 },
  counts: ['delta', 'cumulative'],
  settingsOf: (counts) => ({ egts_counts: counts }),
  open: async (port, [object], isPlatform) => {
    const link = await openEgtsLink(port, HOST);
    if (!isPlatform && object !== undefined) await signIn(link, object);
    return linkOf(link, isPlatform);
  },
  startEarly: (port) =>
    startEarlyListener({ read: readEarly, bring: (message) => bring(port, message) }),
};

async function signIn(link: EgtsLink, object: number): Promise<void> {
  const subrecords = [identitySubrecord({ number: object, isSimple: true })];
  link.send(egtsData(SIGN_IN, [{ number: 0, service: 1, subrecords }]));
  for (;;) {
    const answer = await link.nextWithin(SIGN_IN_MS);
    if (answer?.kind === 'confirmation') continue;
    if (answer?.result === 0) return;
    link.close();
    throw new Error(`the sign-in was answered with ${answer?.result ?? 'nothing'}`);
  }
}

function linkOf(link: EgtsLink, namesObjects: boolean): SenderLink {
  let records = 0;
  const bytesOf = ({ id, told }: Message): Buffer =>
    egtsData(
      id,
      told.map(({ object, doors, ...position }): EgtsRecord => {
        records = (records + 1) % 0x10000;
        const subrecords = [
          positionSubrecord(position),
          countsSubrecord({ module: MODULE, doors }),
        ];
        const named = namesObjects ? { object } : {};
        return { number: records, service: 2, ...named, subrecords };
      }),
    );
  return {
    send: (message) => link.send(bytesOf(message)),
    cut: (message, share) => {
      const bytes = bytesOf(message);
      link.send(bytes.subarray(0, Math.floor(bytes.length * share)));
      link.close();
    },
    confirm: async (ms) => {
      const answer = await link.nextWithin(ms);
      if (answer?.kind !== 'confirmation') return undefined;
      return confirmationOf(answer.packet, [answer.result, ...answer.records.values()]);
    },
    close: () => link.close(),
  };
}

// 135: the record was stored before.
function confirmationOf(id: number, results: readonly number[]): Confirmation {
  const bad = results.filter((one) => one !== RESULT.ok && one !== RESULT.alreadyProcessed);
  return bad.length === 0 ? { id } : { id, refusal: `refused with ${bad.join(', ')}` };
}

function readEarly(): (bytes: Buffer) => EarlyMessage[] {
  const reader = createPacketReader();
  const answers = createAnswers();
  return (bytes) => {
    reader.push(bytes);
    const messages: EarlyMessage[] = [];
    for (let packet = reader.next(); packet !== undefined; packet = reader.next()) {
      if (packet.result !== RESULT.ok) continue;
      const { id, type, data } = packet;
      const records = readRecords(data).records.map((record) => ({ record, result: RESULT.ok }));
      const answer = answers.response(id, RESULT.ok, records);
      messages.push({ bytes: egtsPacket(id, type, data), answer });
    }
    return messages;
  };
}

async function bring(port: number, message: Buffer): Promise<void> {
  const link = await openEgtsLink(port, HOST);
  try {
    link.send(message);
    if ((await link.nextWithin(BRING_MS)) === undefined) throw new Error('no answer');
  } finally {
    link.close();
  }
}
