// The tiers of test files. The folder and the ending say the project, the name says the tier: `x.test.ts` is quick and
// belongs to `npm test`, `x.long.test.ts` belongs to `npm run test:long`.

/** Vitest's projects, and the patterns of their files up to the ending. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  unit: ['{contract,server,unit}/src/**/*|.ts', '{fuzz,scripts}/**/*|.ts'],
  web: ['web/src/**/*|.ts'],
  screens: ['web/src/**/*|.tsx'],
  e2e: ['e2e/**/*|.ts'],
};
const ENDINGS = { quick: '.test', long: '.long.test' };

/** The projects of Vitest. */
export const PROJECTS = Object.keys(PLACES);

/** The tiers. */
export const TIERS = Object.keys(ENDINGS);

/**
 * Gives the files of a project in a tier.
 * @param project one of `PROJECTS`
 * @param tier one of `TIERS`
 * @returns patterns for Vitest, relative to the project's folder
 * @throws Error for another project or tier
 */
export function filesOf(project: string, tier: string): { include: string[]; exclude: string[] } {
  const places = PLACES[project];
  const ending = tier === 'quick' || tier === 'long' ? ENDINGS[tier] : undefined;
  if (places === undefined || ending === undefined) {
    throw new Error(`There is no tier '${tier}' of a project '${project}'.`);
  }
  return {
    include: places.map((place) => place.replace('|', ending)),
    exclude: ['**/node_modules/**', ...(tier === 'quick' ? [`**/*${ENDINGS.long}.*`] : [])],
  };
}
