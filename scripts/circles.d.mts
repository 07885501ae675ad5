/** See circles.mjs. */
export function findCircles(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[];
