/** Says how old a record of runs is. `countSince` gives the commits since one, undefined if it is unknown. */
export declare function describeAge(
  record: string,
  countSince: (commit: string) => number | undefined,
): string;
