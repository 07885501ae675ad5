/** See doc-paths.mjs. */
export function findLostPaths(root: string): string[];
