/** See floors.mjs. */
export function findFloors(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[];
