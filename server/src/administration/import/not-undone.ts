import {
  MOST_OBSTACLES,
  type UndoObstacle,
  type UndoReason,
} from '@ridewatch/contract/admin-import-undo';

/** Why a table is not undone; thrown, so that its transaction takes back what it did. */
export class NotUndone extends Error {
  readonly obstacles: readonly UndoObstacle[];

  /** @param obstacles at least one */
  constructor(obstacles: readonly UndoObstacle[]) {
    super('The table is not undone.');
    this.obstacles = obstacles;
  }
}

/** An object of a table, as the audit log names it. */
interface Logged {
  readonly object_type: string;
  readonly object_id: number;
}

/** Collects the reasons why objects of a table cannot be undone. */
export interface Obstacles {
  readonly add: (object: Logged, name: string, reason: UndoReason) => void;
  /** Whether as many objects are known as an answer names. */
  readonly isFull: () => boolean;
  /** @throws NotUndone when there is any; it names the first MOST_OBSTACLES, each with all of its reasons */
  readonly refuse: () => void;
}

/** Makes a collection without obstacles. */
export function createObstacles(): Obstacles {
  const found = new Map<string, { name: string; reasons: Set<UndoReason> }>();
  return {
    add: ({ object_type, object_id }, name, reason) => {
      const key = `${object_type} ${object_id}`;
      const obstacle = found.get(key) ?? { name, reasons: new Set() };
      obstacle.reasons.add(reason);
      found.set(key, obstacle);
    },
    isFull: () => found.size >= MOST_OBSTACLES,
    refuse: () => {
      if (found.size === 0) return;
      const first = [...found.values()].slice(0, MOST_OBSTACLES);
      throw new NotUndone(first.map(({ name, reasons }) => ({ name, reasons: [...reasons] })));
    },
  };
}
