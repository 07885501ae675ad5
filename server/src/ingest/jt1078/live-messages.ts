// The messages of JT/T 1078 by which a terminal begins and ends a stream.
import { plainAddress } from '../by-id/addresses.ts';
import type { Video } from './codes.ts';

const ONLY_VIDEO = 1;
const CLOSE = 0;
const ALL_KINDS = 0;

/** Stream of a terminal. */
export interface LiveChannel {
  readonly channel: number;
  /** 0: as it is recorded, 1: a smaller one. */
  readonly stream: number;
}

/**
 * Asks a terminal to send a stream, pictures only.
 * @param host at most 255 bytes
 * @returns the body of message 0x9101
 */
export function startBody(host: string, port: number, { channel, stream }: LiveChannel): Buffer {
  const address = Buffer.from(plainAddress(host), 'latin1');
  const rest = Buffer.from([0, 0, 0, 0, channel, ONLY_VIDEO, stream]);
  rest.writeUInt16BE(port, 0);
  return Buffer.concat([Buffer.from([address.length]), address, rest]);
}

/** Asks a terminal to end a stream. @returns the body of message 0x9102 */
export const stopBody = ({ channel, stream }: LiveChannel): Buffer =>
  Buffer.from([channel, CLOSE, ALL_KINDS, stream]);

/** The refusal of a message in few words, as users see it. */
export function refusalOf(id: Video, result: number): string {
  const words = ['ok', 'failed', 'wrong', 'not supported'][result] ?? 'refused';
  return `0x${id.toString(16)}: ${result}, ${words}`;
}
