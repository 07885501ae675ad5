import type { CommandKind } from '@ridewatch/contract/unit-commands';

/** One kind of work for terminals. */
export interface Lane {
  readonly kinds: readonly CommandKind[];
  /** Carries out the open commands of a unit, one after the other. @param isStopped whether to change nothing any more */
  serve(unitId: number, isStopped: () => boolean): Promise<void>;
  /**
   * The units to serve at a look: without it, those with open commands.
   * @param asked the units with open commands of these kinds
   */
  due?(asked: readonly number[]): Promise<readonly number[]>;
}
