// The run of a parser (run.ts) needs this of a protocol.
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';

/** A frame that an observer finds sound in a stream, with the bytes that it has there. */
export interface SoundFrame {
  readonly start: number;
  readonly end: number;
  /** A text that tells it from others: the same as that of a frame that is read. */
  readonly key: string;
}

/** One connection: it reads frames and decodes what they tell, as the server's session does. */
export interface ParserLink {
  /**
   * Takes bytes as they arrive.
   * @returns the keys of the frames that it takes for sound
   * @throws Error for a record that the store does not take, or an answer that cannot be sent
   */
  push(bytes: Buffer): string[];
  /** The rest of a frame does not come. @returns undefined when none has begun; else the same as `push` */
  giveUp(): string[] | undefined;
  /** Whether the server would close the connection by now. */
  isLost(): boolean;
  /** Ends it. @throws Error when it leaves something behind */
  close(): void;
}

/** Frames of a protocol, and what breaks them. */
export interface Frames {
  readonly protocol: UnitProtocol | 'jt1078' | 'ftp';
  /** The variable of its port, where units of JT/T 808 use it besides their own; absent: the port is the protocol's. */
  readonly port?: 'JT1078_PORT' | 'FTP_PORT';
  /** The bytes of a sound frame. */
  makeFrame(chance: Chance): Buffer;
  /** Changes a field that says a length. */
  changeLength(chance: Chance, frame: Buffer): Buffer;
  /** Makes checksums and lengths of a frame right for what it has. */
  repair(frame: Buffer): Buffer;
}

/** A protocol that cuts a stream of bytes into frames by itself. */
export interface StreamParser extends Frames {
  /** The frames with right checksums in a stream, also those within others, by code that shares nothing with the server. */
  findSound(stream: Buffer): SoundFrame[];
  /** Bytes at the end of a frame that are the beginning of the next one, too. */
  readonly sharedBytes: number;
  /** Whether the documents let a server give up a connection with these bytes. */
  mayBeLost(stream: Buffer): boolean;
  /** Bytes without an end that make a reader wait for more, or look for long. */
  readonly endless: readonly Buffer[];
  /** Most bytes that a connection keeps, and after which it gives up. */
  readonly mostKeptBytes: number;
  readonly mostDamagedBytes: number;
  open(chance: Chance): ParserLink;
}

/** A protocol whose frames are requests of HTTP, which the server's own code sees one by one. */
export interface RequestParser extends Frames {
  /**
   * Reads a request as the server does.
   * @returns what it tells; undefined for one that is refused
   * @throws Error for a record that the store does not take
   */
  read(request: Buffer, chance: Chance): string | undefined;
  /** The records that a sound request of `makeFrame` tells, by code that shares nothing with the server. */
  toldBy(frame: Buffer): string;
}

export type FuzzedParser = StreamParser | RequestParser;
