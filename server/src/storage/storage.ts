import type { Readable, Writable } from 'node:stream';

export interface StoredFile {
  readonly sizeBytes: number;
}

/** Bytes from..to, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A part of a stored file, open to be sent once. */
export interface Outgoing {
  /**
   * Writes the bytes and ends the target, which must be done with them when it calls back, as sockets are.
   * @throws Error when the target breaks: ERR_STREAM_PREMATURE_CLOSE or ECONNRESET when it is closed before the end
   */
  sendTo(target: Writable): Promise<void>;
}

/** Where files lie: a folder or an S3-compatible store, under one contract test. Keys are ours, never a user's text. */
export interface Storage {
  /** Stores a whole stream under a key, replacing what was there; nothing is visible until it is whole. */
  put(key: string, body: Readable): Promise<StoredFile>;
  /** @throws AppError not_found */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /**
   * Opens a part to be sent; who opens it sends it.
   * @throws AppError not_found
   */
  open(key: string, range: ByteRange): Promise<Outgoing>;
  /** Undefined when there is none. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Removing what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every key with the prefix, in order. */
  list(prefix: string): AsyncIterable<{ key: string; sizeBytes: number }>;
}
