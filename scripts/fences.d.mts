/** See fences.mjs. */
export function findCrossings(root: string): string[];
