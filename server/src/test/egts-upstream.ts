// The far end of what is passed on: a system that takes EGTS over real sockets, and does what a test tells it.
import { createServer, type Socket } from 'node:net';
import { createAnswers } from '../ingest/egts/answers.ts';
import { PACKET, SERVICE, SUBRECORD } from '../ingest/egts/codes.ts';
import { type DataRecord, readRecords, readSubrecords } from '../ingest/egts/data-records.ts';
import { createPacketReader } from '../ingest/egts/packets.ts';
import { readCounts } from '../ingest/egts/passenger-counts.ts';
import { msOf, readMoments } from '../ingest/egts/telemetry.ts';
import { createPacketWriter } from '../retranslation/packets.ts';
import { confirmationSubrecord } from '../retranslation/subrecords.ts';

/** A record as it arrived. */
export interface Arrived {
  readonly object: number | null;
  readonly timeMs: number;
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly speedKmh: number | null;
  readonly course: number | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
  /** Module, door, entered and exited. */
  readonly people: readonly (readonly [number, number, number, number])[];
}

/** The answer to a packet, none, or the end of the connection. */
type Reply =
  | {
      readonly result?: number;
      readonly codeOf?: (record: Arrived) => number;
      /** Results of records come in a packet of their own, once they are let go, or not: the connection ends. */
      readonly results?: 'apart' | 'held' | 'cut';
    }
  | 'nothing'
  | 'cut';

export interface FakeUpstream {
  readonly port: number;
  /** The records that were confirmed, in order of arrival. */
  readonly confirmed: Arrived[];
  /** All records, also those that were not. */
  readonly arrived: Arrived[];
  /** Packets with records of telemetry, as they came. */
  readonly packets: number[];
  /** Subrecords by which somebody signed in. */
  readonly signedIn: { readonly type: number; readonly hex: string }[];
  /** Sends the results of records that are held. */
  readonly held: (() => void)[];
  /** Connections now, most at the same time, and all. */
  readonly connections: { now: number; most: number; all: number };
  /** Decides from now on; a packet is confirmed unless told otherwise. */
  reply: (records: readonly Arrived[]) => Reply;
  /** The result of a sign-in; null: none is said. */
  signInResult: number | null;
  /** Closes all connections. */
  drop: () => void;
  /** Closes the port and all connections. */
  close: () => Promise<void>;
}

/** Opens it. @param port a free one unless given */
export async function openFakeUpstream(port = 0): Promise<FakeUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    upstream.connections.all += 1;
    upstream.connections.now = sockets.size;
    upstream.connections.most = Math.max(upstream.connections.most, sockets.size);
    socket.on('close', () => {
      sockets.delete(socket);
      upstream.connections.now = sockets.size;
    });
    socket.on('error', () => socket.destroy());
    serve(upstream, socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const upstream: FakeUpstream = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    ...{ confirmed: [], arrived: [], packets: [], signedIn: [], held: [] },
    connections: { now: 0, most: 0, all: 0 },
    reply: () => ({}),
    signInResult: null,
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      upstream.drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}

function serve(upstream: FakeUpstream, socket: Socket): void {
  const reader = createPacketReader();
  const answers = createAnswers();
  const writer = createPacketWriter();
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes);
    for (let packet = reader.next(); packet !== undefined; packet = reader.next()) {
      if (packet.result !== 0) throw new Error(`a packet with the fault ${packet.result}`);
      if (packet.type === PACKET.response) continue;
      const { records } = readRecords(packet.data);
      const confirm = (result: number, codes: readonly number[]): void => {
        const confirmed = records.map((record, n) => ({ record, result: codes[n] ?? 0 }));
        socket.write(answers.response(packet.id, result, confirmed));
      };
      if (records.some(({ sender }) => sender === SERVICE.auth)) {
        for (const { type, data } of records.flatMap(({ data }) => readSubrecords(data) ?? [])) {
          upstream.signedIn.push({ type, hex: data.toString('hex') });
        }
        confirm(0, []);
        if (upstream.signInResult !== null) {
          socket.write(answers.signInResult(upstream.signInResult));
        }
        continue;
      }
      const arrived = records.map(arrivedOf);
      upstream.packets.push(packet.id);
      upstream.arrived.push(...arrived);
      const reply = upstream.reply(arrived);
      if (reply === 'nothing') continue;
      if (reply === 'cut') {
        socket.destroy();
        return;
      }
      const { result = 0, codeOf = () => 0, results } = reply;
      const codes = arrived.map(codeOf);
      if (result === 0) upstream.confirmed.push(...arrived.filter((_, n) => codes[n] === 0));
      if (result === 0 && results === undefined) {
        confirm(0, codes);
        continue;
      }
      socket.write(answers.response(packet.id, result, []));
      const tell = (): void => {
        const subrecords = records.map(({ number }, n) =>
          confirmationSubrecord(number, codes[n] ?? 0),
        );
        socket.write(writer.data([{ service: SERVICE.teledata, subrecords }]).bytes);
      };
      if (results === 'apart') tell();
      else if (results === 'held') upstream.held.push(tell);
      else if (results === 'cut') socket.end();
    }
  });
}

function arrivedOf({ object, seconds, data }: DataRecord): Arrived {
  const moments = readMoments(readSubrecords(data) ?? [], seconds) ?? [];
  const [moment] = moments;
  if (moments.length !== 1 || moment === undefined) throw new Error('a record without one moment');
  const settings = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;
  const counts = moment.counts.map((bytes) => readCounts(bytes, settings));
  const { place = null, speedKmh = null, course = null } = moment.position ?? {};
  const { satellites = null, hdop = null } = moment.position ?? {};
  const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    ...{ object, timeMs: msOf(moment.seconds ?? 0), speedKmh, course, satellites, hdop },
    place: place && { latitude: rounded(place.latitude), longitude: rounded(place.longitude) },
    people: counts.flatMap((read) =>
      (read?.doors ?? []).map(
        ({ door, entered, exited }) => [read?.module ?? 0, door, entered, exited] as const,
      ),
    ),
  };
}

/** The subrecord by which a dispatcher, or a terminal, says its name. */
export const SIGN_IN = {
  dispatcher: SUBRECORD.dispatcherIdentity,
  terminal: SUBRECORD.termIdentity,
} as const;
