// Plays captured packets of another protocol over a real socket. The server must know their ids, or lists them as unknown.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { deliver } from '../egts/deliver.ts';
import type { Timers } from '../uplink/timers.ts';
import { RecordingError } from './columns.ts';

export const CAPTURE_USAGE = `       npm run replay -- --protocol egts --to HOST:PORT --capture FILE [--capture FILE …]
  --protocol egts    plays packets instead of recordings
  --to HOST:PORT     the server's port of the protocol
  --capture FILE     packets: a CSV file with a column hex, or a file of bytes as they were sent`;

/** A packet is sent again three times. */
const ATTEMPTS = 4;
/** A packet without routing fields; the place of its type. */
const HEADER_BYTES = 11;
const TYPE_AT = 9;
const RESPONSE = 0;

interface CaptureFlags {
  readonly host: string;
  readonly port: number;
  readonly captures: readonly string[];
}

interface CaptureOptions {
  readonly flags: CaptureFlags;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
}

/** Reads the command line. @throws RecordingError that names the flag */
export function readCaptureFlags(args: readonly string[]): CaptureFlags {
  const { protocol, to = '', capture = [] } = parsed(args);
  if (protocol !== 'egts') throw new RecordingError(`--protocol '${protocol}' is not egts`);
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(to) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new RecordingError('--to is required, for instance 127.0.0.1:20332');
  }
  if (capture.length === 0) throw new RecordingError('--capture is required');
  return { host, port: Number(port), captures: capture };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        protocol: { type: 'string' },
        to: { type: 'string' },
        capture: { type: 'string', multiple: true },
      },
    }).values;
  } catch (cause) {
    throw new RecordingError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Sends the packets of captures one after the other, each until it is answered.
 * @throws RecordingError for a file that cannot be read; Error when the server is not there or does not answer
 */
export async function replayCapture({ flags, timers, signal, say }: CaptureOptions): Promise<void> {
  const files = await Promise.all(flags.captures.map(readPackets));
  const packets = files.flat().filter((packet) => packet[TYPE_AT] !== RESPONSE);
  say(`${packets.length} packets`);
  const results = new Map<number, number>();
  await deliver(packets, {
    ...{ host: flags.host, port: flags.port, timers, signal, attempts: ATTEMPTS },
    onConfirmed: ({ result, records }) => {
      for (const one of records.size === 0 ? [result] : records.values()) {
        results.set(one, (results.get(one) ?? 0) + 1);
      }
    },
  });
  for (const [result, count] of results) say(`${count} records with the result ${result}`);
}

/** The packets of a file. @throws RecordingError */
async function readPackets(file: string): Promise<Buffer[]> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new RecordingError(`${file} cannot be read.`, { cause });
  });
  if (bytes[0] === 1) return cutPackets(bytes);
  const rows = parse(bytes, { columns: true, bom: true }) as Record<string, string | undefined>[];
  return rows.map(({ hex }, line) => {
    const packet = Buffer.from(hex ?? '', 'hex');
    if (packet.length < HEADER_BYTES) {
      throw new RecordingError(`${file}, row ${line + 1}: the column hex has no packet.`);
    }
    return packet;
  });
}

function cutPackets(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const dataBytes = bytes.readUInt16LE(at + 5);
    const end = at + (bytes[at + 3] ?? HEADER_BYTES) + dataBytes + (dataBytes === 0 ? 0 : 2);
    packets.push(bytes.subarray(at, end));
    at = end;
  }
  return packets;
}
