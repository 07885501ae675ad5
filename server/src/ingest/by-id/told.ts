// A message of any protocol about one unit.
import type { ToldRecord } from './store-told.ts';

/**
 * Tells of an outcome that the store does not know, such as a form that nobody can read. It counts in the metrics once the
 * message is stored, and not when it comes again.
 */
export type NoteOutcome = (type: string, outcome: string, count?: number) => void;

/** A message about one unit. */
export interface Told<Settings, Refusal> {
  /** The ids by which its unit may be known, the better one first. */
  readonly ids: readonly string[];
  /**
   * Reads its records as the unit's settings say, with numbers of numbers.ts. It changes nothing outside.
   * @returns the records, which may be made as they are taken; or why the message cannot be read
   */
  readonly read: (settings: Settings, note: NoteOutcome) => Iterable<ToldRecord> | Refusal;
  /** Reads only its last records, for a unit that nobody knows; by default `read` does. */
  readonly readEnd?: ((settings: Settings) => Iterable<ToldRecord> | Refusal) | undefined;
  /** As it came, kept beside a record whose time is impossible, and shown to listeners of the unit. */
  readonly raw: () => string;
}

/** Whether a message could be read. */
export function isRead<Refusal extends number | string>(
  read: Iterable<ToldRecord> | Refusal,
): read is Iterable<ToldRecord> {
  return typeof read === 'object';
}
