/** The projects of Vitest. */
export declare const PROJECTS: readonly string[];
/** The tiers. */
export declare const TIERS: readonly string[];
/** Gives the patterns of the files of a project in a tier. @throws Error for another project or tier */
export declare function filesOf(
  project: string,
  tier: string,
): { include: string[]; exclude: string[] };
