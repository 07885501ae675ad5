/** Limits of the port in a process. */
export interface FtpLimits {
  /** Connections; those that have not signed in give way to new ones, others do not. */
  readonly connections: number;
  /** Connections that have signed in by one login; the oldest gives way. */
  readonly ofLogin: number;
  /** A connection signs in within this time, ms. */
  readonly loginMs: number;
  /** A connection without a command for this long is closed, ms. */
  readonly idleMs: number;
  /** A data connection comes within this time, ms. */
  readonly dataMs: number;
  /** A data connection without a byte for this long is ended, ms. */
  readonly stallMs: number;
  /**
   * After the last byte of the file, the registrar has this long to end the data connection, ms. Some wait for the answer
   * first.
   */
  readonly endMs: number;
}

/** Tests wait for less. */
export const ftpLimits: FtpLimits = {
  connections: 500,
  ofLogin: 4,
  loginMs: 30_000,
  idleMs: 300_000,
  dataMs: 30_000,
  stallMs: 60_000,
  endMs: 2000,
};
