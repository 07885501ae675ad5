import type { Readable, Writable } from 'node:stream';

export interface StoredFile {
  readonly sizeBytes: number;
}

/** Bytes from..to, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A range of a stored file, open to be sent once. */
export interface Outgoing {
  /**
   * Writes the bytes and ends the target, which must not use them after its write callback, as sockets do not.
   * @throws Error when the target breaks: ERR_STREAM_PREMATURE_CLOSE or ECONNRESET when it closes early
   */
  sendTo(target: Writable): Promise<void>;
}

/** The media store: a folder or an S3-compatible bucket, with one contract test. Keys are ours, never a user's text. */
export interface Storage {
  /** Stores a stream under a key, replacing the file; nothing is visible until it is complete. */
  put(key: string, body: Readable): Promise<StoredFile>;
  /** @throws AppError not_found */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Opens a range to be sent; the caller must send it. @throws AppError not_found */
  open(key: string, range: ByteRange): Promise<Outgoing>;
  /** Undefined when there is none. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Deleting a missing file is no error. */
  delete(key: string): Promise<void>;
  /** Every key with the prefix, in order. */
  list(prefix: string): AsyncIterable<{ key: string; sizeBytes: number }>;
}
