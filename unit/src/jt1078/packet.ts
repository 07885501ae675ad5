// Stream packets as a terminal of JT/T 1078 builds them. It shares nothing with the server: each reads the standard by itself.

/** Most bytes of a packet's body. */
const MOST_BODY_BYTES = 950;
const SERIALS = 0x10000;
const PAYLOAD = { h264: 98, h265: 99, audio: 6 } as const;
const PARTS = { whole: 0, first: 1, last: 2, middle: 3 } as const;

/** A picture, sound or other bytes. */
export interface Jt1078Frame {
  readonly kind: 'key' | 'predicted' | 'bidirectional' | 'audio' | 'other';
  /** ms by the terminal's own count. */
  readonly timeMs: number;
  readonly bytes: Buffer;
}

/** The camera that sends. */
export interface Jt1078Camera {
  /** Digits. */
  readonly phone: string;
  readonly channel: number;
  readonly codec: 'h264' | 'h265';
  /** Bytes of the number: 6 by the standard, 10 in many terminals of 2019. */
  readonly phoneBytes?: 6 | 10;
  /** In place of the codec's. */
  readonly payloadType?: number;
}

/** The packets of a frame, numbered from `serial` on. */
export function jt1078Packets(
  camera: Jt1078Camera,
  { kind, timeMs, bytes }: Jt1078Frame,
  serial: number,
): Buffer[] {
  const { phone, channel, codec, phoneBytes = 6 } = camera;
  const total = Math.max(1, Math.ceil(bytes.length / MOST_BODY_BYTES));
  const data = ['key', 'predicted', 'bidirectional', 'audio', 'other'].indexOf(kind);
  return [...Array(total).keys()].map((n) => {
    const body = bytes.subarray(n * MOST_BODY_BYTES, (n + 1) * MOST_BODY_BYTES);
    const payload = kind === 'audio' ? PAYLOAD.audio : (camera.payloadType ?? PAYLOAD[codec]);
    const isEnd = n === total - 1;
    const head = Buffer.alloc(8);
    head.write('30316364', 'hex');
    head[4] = 0x81;
    head[5] = (isEnd ? 0x80 : 0) | payload;
    head.writeUInt16BE((serial + n) % SERIALS, 6);
    const time = Buffer.alloc(kind === 'other' ? 0 : 8);
    if (time.length > 0) time.writeBigUInt64BE(BigInt(timeMs));
    const isPicture = data < 3;
    const rest = Buffer.alloc(isPicture ? 6 : 2);
    rest.writeUInt16BE(body.length, rest.length - 2);
    return Buffer.concat([
      ...[head, Buffer.from(phone.padStart(phoneBytes * 2, '0'), 'hex')],
      ...[Buffer.from([channel, (data << 4) | partOf(n, total)]), time, rest, body],
    ]);
  });
}

function partOf(n: number, total: number): number {
  if (total === 1) return PARTS.whole;
  if (n === 0) return PARTS.first;
  return n === total - 1 ? PARTS.last : PARTS.middle;
}
