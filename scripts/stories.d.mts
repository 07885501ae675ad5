export const storiesOfRooms: Readonly<Record<string, readonly string[]>>;
export function readImporters(root: string): Map<string, string[]>;
export function findStories(
  root: string,
  changed: readonly string[],
  importers?: ReadonlyMap<string, readonly string[]>,
): string[];
