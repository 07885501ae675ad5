// Cuts a stream of bytes into packets. TCP joins and splits them at will, and a modem may lose or change bytes. A header
// with a right checksum tells where the next packet begins. After a damaged one the next place is looked for where both
// checksums are right: so no byte of a damaged packet is ever read as data, and the connection goes on.
import { type GatheredBytes, gatherBytes } from '../../core/gathered-bytes.ts';
import { inOwnMemory } from '../../core/own-memory.ts';
import { crc8, crc16 } from './checksums.ts';
import { MAX_PACKET_BYTES, PACKET, RESULT } from './codes.ts';

/** Headers without and with the fields of routing, bytes. */
const HEADER = { plain: 11, routed: 16 } as const;
const CHECKSUM_BYTES = 2;
/** Most damaged bytes since the last sound packet. */
const MOST_DAMAGED_BYTES = 16 * MAX_PACKET_BYTES;
/**
 * Most bytes that are checked in vain. Eleven bytes may look like a packet of 65,535, so this bounds what a sender may cost:
 * 64 such headers, and four bytes for each byte of a sound packet.
 */
const MOST_VAIN_BYTES = 64 * MAX_PACKET_BYTES;
const FORGIVEN_BY_SOUND = 4;

/** A packet with right checksums, or a fault that its sender is told. */
export interface ReadPacket {
  readonly id: number;
  readonly type: number;
  /** A result code says what is wrong with the packet; `ok`: nothing. */
  readonly result: number;
  /** Its data, without the signature of a signed one; empty when something is wrong. */
  readonly data: Buffer;
}

export interface PacketReader {
  /** Takes bytes as they arrive. */
  push(bytes: Buffer): void;
  /** The next packet; undefined until more bytes arrive, and when it is lost. */
  next(): ReadPacket | undefined;
  /** Bytes of the beginning of a packet whose rest has not come; 0: there is none. */
  partBytes(): number;
  /**
   * Takes that beginning for damage: its rest does not come, because a wrong length has a right checksum. One of 256
   * damaged headers has.
   */
  giveUpPart(): void;
  /** Whether so much was damaged, or checked in vain, that the other side hardly speaks the protocol. */
  isLost(): boolean;
}

interface Header {
  readonly id: number;
  readonly type: number;
  readonly headerBytes: number;
  readonly dataBytes: number;
  readonly packetBytes: number;
  /** A result code says why the data cannot be read; `ok`: they can. */
  readonly result: number;
}

const NONE = Buffer.alloc(0);

/** Makes the reader of one connection. */
export function createPacketReader(): PacketReader {
  /** Bytes that came in one part; those that came in several are in one memory. */
  let whole: Buffer = NONE;
  let gathered: GatheredBytes | undefined;
  /** Bytes of these that are read. */
  let dropped = 0;
  /** Bytes that are left. */
  let length = 0;
  /** Nothing is read until so many bytes are there. */
  let wanted: number = HEADER.plain;
  /** Bytes until the next packet should begin, after a damaged one; null: nobody knows where. */
  let toStep: number | null = 0;
  let damaged = 0;
  /** Bytes that were checked in vain, less those that sound packets have made up for. */
  let vain = 0;

  const isLost = (): boolean => damaged > MOST_DAMAGED_BYTES || vain > MOST_VAIN_BYTES;

  const left = (): Buffer => (gathered?.whole() ?? whole).subarray(dropped);
  const keep = (bytes: Buffer): void => {
    [whole, gathered, dropped] = [bytes, undefined, 0];
  };
  // A sender of single bytes would take a hundred times as much if each were kept by itself.
  const gather = (): GatheredBytes => {
    if (gathered !== undefined) return gathered;
    const begun = gatherBytes(MAX_PACKET_BYTES);
    begun.add(left());
    [whole, gathered, dropped] = [NONE, begun, 0];
    return begun;
  };
  const drop = (bytes: number): void => {
    dropped += bytes;
    length -= bytes;
    wanted = HEADER.plain;
    if (length === 0) keep(NONE);
  };
  // A view would keep all of the read bytes of an idle connection.
  const keepRest = (): void => {
    if (dropped > 0) keep(inOwnMemory(left()));
  };
  const lose = (bytes: number): void => {
    drop(bytes);
    damaged += bytes;
    if (toStep !== null) toStep -= bytes;
  };

  /** Reads where a packet should begin. */
  function readInStep(): ReadPacket | undefined {
    const bytes = left();
    const id = bytes.readUInt16LE(7);
    const headerBytes = bytes[3] ?? 0;
    if (!isHeaderLength(headerBytes)) return losePlace(id, RESULT.headerForm);
    if (length < headerBytes) return want(headerBytes);
    const header = readHeader(bytes, headerBytes);
    if (header === undefined) return losePlace(id, RESULT.headerChecksum);
    if (length < header.packetBytes) return want(header.packetBytes);
    if (!isSound(bytes, header)) {
      vain += header.packetBytes;
      // Its length is known. The next packet may begin earlier, if bytes were lost.
      toStep = header.packetBytes;
      lose(1);
      return faultOf(header, RESULT.dataChecksum);
    }
    return take(bytes, header);
  }

  function losePlace(id: number, result: number): ReadPacket {
    toStep = null;
    lose(1);
    return { id, type: PACKET.appdata, result, data: NONE };
  }

  function want(bytes: number): undefined {
    wanted = bytes;
  }

  function take(bytes: Buffer, header: Header): ReadPacket {
    const { headerBytes, dataBytes, packetBytes, type, id, result } = header;
    const data = bytes.subarray(headerBytes, headerBytes + dataBytes);
    drop(packetBytes);
    [toStep, damaged] = [0, 0];
    vain = Math.max(0, vain - FORGIVEN_BY_SOUND * packetBytes);
    if (result !== RESULT.ok) return faultOf(header, result);
    if (type !== PACKET.signed) return { id, type, result, data };
    const signed = withoutSignature(data);
    return signed === undefined
      ? faultOf(header, RESULT.dataForm)
      : { id, type, result, data: signed };
  }

  /** Looks for the next sound packet, or for the place where one should begin. */
  function findStep(): ReadPacket | undefined {
    const bytes = left();
    for (let at = 0; at < bytes.length; at += 1) {
      if (at === toStep) {
        lose(at);
        return undefined;
      }
      const headerBytes = mayBeHeader(bytes, at);
      if (headerBytes === undefined) continue;
      const rest = bytes.subarray(at);
      if (rest.length < headerBytes) {
        lose(at);
        return want(headerBytes);
      }
      const header = readHeader(rest, headerBytes);
      if (header?.result !== RESULT.ok) continue;
      if (rest.length < header.packetBytes) {
        lose(at);
        return want(header.packetBytes);
      }
      if (isSound(rest, header)) {
        lose(at);
        return take(rest, header);
      }
      vain += header.packetBytes;
      if (isLost()) return undefined;
    }
    lose(bytes.length);
    return undefined;
  }

  return {
    push: (bytes) => {
      if (length === 0) keep(bytes);
      else gather().add(bytes);
      length += bytes.length;
    },
    next: () => {
      while (length >= wanted && !isLost()) {
        const found = toStep === 0 ? readInStep() : findStep();
        if (found !== undefined) return found;
      }
      keepRest();
      return undefined;
    },
    partBytes: () => length,
    giveUpPart: () => {
      toStep = null;
      lose(1);
    },
    isLost,
  };
}

const isHeaderLength = (bytes: number): boolean =>
  bytes === HEADER.plain || bytes === HEADER.routed;

const faultOf = ({ id, type }: Header, result: number): ReadPacket => ({
  ...{ id, type, result },
  data: NONE,
});

/** How many bytes a header would have here; undefined when none can begin here. */
function mayBeHeader(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== 1) return undefined;
  const headerBytes = bytes[at + 3];
  if (headerBytes === undefined) return HEADER.plain;
  return isHeaderLength(headerBytes) ? headerBytes : undefined;
}

// Undefined when the checksum is wrong: then no field of it means anything.
function readHeader(bytes: Buffer, headerBytes: number): Header | undefined {
  if (crc8(bytes.subarray(0, headerBytes - 1)) !== bytes[headerBytes - 1]) return undefined;
  const dataBytes = bytes.readUInt16LE(5);
  const packetBytes = headerBytes + dataBytes + (dataBytes === 0 ? 0 : CHECKSUM_BYTES);
  const [version, flags, encoding, type] = [bytes[0], bytes[2] ?? 0, bytes[4], bytes[9] ?? 0];
  return {
    ...{ id: bytes.readUInt16LE(7), type, headerBytes, dataBytes, packetBytes },
    result: resultOf({ version, flags, encoding, type, headerBytes, packetBytes }),
  };
}

function resultOf({
  version,
  flags,
  encoding,
  type,
  headerBytes,
  packetBytes,
}: {
  version: number | undefined;
  flags: number;
  encoding: number | undefined;
  type: number;
  headerBytes: number;
  packetBytes: number;
}): number {
  if (version !== 1) return RESULT.otherProtocol;
  const isRouted = (flags & 0x20) !== 0;
  if ((flags & 0xc0) !== 0 || encoding !== 0) return RESULT.headerForm;
  if (isRouted !== (headerBytes === HEADER.routed)) return RESULT.headerForm;
  if (packetBytes > MAX_PACKET_BYTES) return RESULT.length;
  if ((flags & 0x18) !== 0) return RESULT.encrypted;
  if ((flags & 0x04) !== 0) return RESULT.dataForm;
  return type > PACKET.signed ? RESULT.otherType : RESULT.ok;
}

function isSound(bytes: Buffer, { headerBytes, dataBytes }: Header): boolean {
  if (dataBytes === 0) return true;
  const end = headerBytes + dataBytes;
  return crc16(bytes.subarray(headerBytes, end)) === bytes.readUInt16LE(end);
}

// The signature is a length and so many bytes; nobody here has a key to check it.
function withoutSignature(data: Buffer): Buffer | undefined {
  if (data.length < CHECKSUM_BYTES) return undefined;
  const end = CHECKSUM_BYTES + data.readUInt16LE(0);
  return end <= data.length ? data.subarray(end) : undefined;
}
