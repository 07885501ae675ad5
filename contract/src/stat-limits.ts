// Limits of statistics and exports. Apart from the calls, so that a form of a report needs no schema of an answer.

/** Most buses of a chart with one series a bus, and of an export. All buses, or a chart by route, have no limit. */
export const MAX_BUSES_OF_REPORT = 200;
/** Most ids that a call takes. */
export const MAX_BUS_IDS = 1000;
/** Most days of a range: 5 years. */
export const MAX_STAT_DAYS = 5 * 366;
