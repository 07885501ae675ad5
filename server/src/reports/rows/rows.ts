import type { Db } from '../../core/db/db.ts';
import type { Column, Row } from '../writing/table.ts';

/** The rows of a report. */
export interface ReportRows {
  readonly columns: readonly Column[];
  /**
   * About how many there are.
   * @param most counting ends there
   */
  count(db: Db, most: number): Promise<number>;
  /**
   * Reads them, in parts.
   * @param onShare is told the share that is read, 0 to 1
   */
  read(db: Db, onShare: (share: number) => void): AsyncGenerator<readonly Row[]>;
}

/** Reads the rows of one bus, or route, after the other. */
export async function* oneByOne<One>(
  all: readonly One[],
  onShare: (share: number) => void,
  read: (one: One) => AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (const [at, one] of all.entries()) {
    onShare(at / all.length);
    yield* read(one);
  }
}
