import type { Readable } from 'node:stream';

export interface StoredFile {
  readonly sizeBytes: number;
}

/** Bytes from..to, both ends included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Where files lie: a folder or an S3-compatible store, under one contract test. Keys are ours, never a user's text. */
export interface Storage {
  /** Stores a whole stream under a key, replacing what was there; nothing is visible until it is whole. */
  put(key: string, body: Readable): Promise<StoredFile>;
  /** @throws AppError not_found */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Undefined when there is none. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Removing what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every key with the prefix, in order. */
  list(prefix: string): AsyncIterable<{ key: string; sizeBytes: number }>;
}
