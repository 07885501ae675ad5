import type { ReadProblem, Unread } from './read-table.ts';

/** A file that cannot be read. */
export class Unreadable extends Error {
  readonly why: Unread;

  /** @param at the cell or the line of the problem, if it has one */
  constructor(problem: ReadProblem, at?: string) {
    super(problem);
    this.why = at === undefined ? { problem } : { problem, at };
  }
}
