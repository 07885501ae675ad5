/** The keys of the query of the help. */
export const helpAddress = {
  /** The search text. */
  q: 'anyDay',
} as const;
export type HelpAddress = typeof helpAddress;

/** Documents of the protocols that units and other systems speak. */
export const documentPages = ['unit-interface', 'egts', 'jt808', 'osmand', 'egts-out'] as const;
export type DocumentPage = (typeof documentPages)[number];

/** Pages of the help that are no part of the guide, for authors of programs. Menu and search show them after sign-in only. */
export const programPages = ['api', ...documentPages] as const;
export type ProgramPage = (typeof programPages)[number];
