import type { UndoObstacle } from '@ridewatch/contract/admin-import';

/** Why a table is not undone; thrown, so that its transaction takes back what it did. */
export class NotUndone extends Error {
  readonly obstacles: readonly UndoObstacle[];

  /** @param obstacles at least one */
  constructor(...obstacles: readonly UndoObstacle[]) {
    super('The table is not undone.');
    this.obstacles = obstacles;
  }
}
