/** The keys of the query of the help. */
export const helpAddress = {
  /** The search text. */
  q: 'anyDay',
} as const;
export type HelpAddress = typeof helpAddress;

/** Pages of the help that are no part of the guide: they are for authors of programs, and behind sign-in. */
export const programPages = ['api', 'unit-interface'] as const;
export type ProgramPage = (typeof programPages)[number];
