// Reads files of captured packets: bytes as they were sent, or rows of a CSV file with a column of their hexadecimal
// form.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { RecordingError } from './columns.ts';

/** Reads a file. @throws RecordingError */
export async function readCaptureFile(file: string): Promise<Buffer> {
  return await readFile(file).catch((cause: unknown) => {
    throw new RecordingError(`${file} cannot be read.`, { cause });
  });
}

/** The rows of a CSV file with a header line. @throws RecordingError */
export function captureRows(
  file: string,
  bytes: Buffer,
): readonly Readonly<Record<string, string | undefined>>[] {
  try {
    return parse(bytes, { columns: true, bom: true }) as Record<string, string | undefined>[];
  } catch (cause) {
    throw new RecordingError(`${file} is no CSV file with a header line.`, { cause });
  }
}

export interface PacketForm {
  /** The first byte of a file of bytes as they were sent. */
  readonly firstByte: number;
  readonly leastBytes: number;
  /** Cuts such a file into packets. @throws RecordingError that names the byte where none begins, from 0 */
  readonly cut: (bytes: Buffer, file: string) => Buffer[];
}

/** The packets of a file; of rows the column wire_hex goes before hex. @throws RecordingError */
export async function readPackets(file: string, form: PacketForm): Promise<Buffer[]> {
  const bytes = await readCaptureFile(file);
  if (bytes[0] === form.firstByte) return form.cut(bytes, file);
  return captureRows(file, bytes).map(({ hex, wire_hex }, line) => {
    const packet = Buffer.from(wire_hex || hex || '', 'hex');
    if (packet.length < form.leastBytes) {
      throw new RecordingError(`${file}, row ${line + 1}: the column hex has no packet.`);
    }
    return packet;
  });
}
