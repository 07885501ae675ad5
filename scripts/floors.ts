// Floors of a house: how many rooms stand on each other.

/**
 * Finds the longest path of imports between rooms. An import that closes a circle is no step.
 * @param imports the rooms that each room imports
 * @returns the rooms of the path, the highest first; their number is that of the floors
 */
export function findFloors(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const open = new Set<string>();
  const below = (room: string): readonly string[] => {
    if (open.has(room)) return [];
    const found = known.get(room);
    if (found !== undefined) return found;
    open.add(room);
    const path = [room, ...longestOf([...(imports.get(room) ?? [])].map(below))];
    open.delete(room);
    known.set(room, path);
    return path;
  };
  return longestOf([...imports.keys()].map(below));
}

const longestOf = (paths: readonly (readonly string[])[]): readonly string[] =>
  paths.reduce((most, path) => (path.length > most.length ? path : most), []);
