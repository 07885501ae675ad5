/** The keys of the list's query. */
export const reportsAddress = {
  /** The kind of report; all by default. */
  kind: 'anyDay',
  /** The state; all by default. */
  status: 'anyDay',
  /** From 1; the first by default. */
  page: 'anyDay',
} as const;

/** The keys of the query of a report's form. */
export const reportFormAddress = {
  /** Local days `YYYY-MM-DD`, both included; empty until chosen. */
  from: 'anyDay',
  to: 'anyDay',
  /** Ids of the chosen routes or buses, comma-separated. */
  ids: 'anyDay',
  /** `csv`; a spreadsheet by default. */
  format: 'anyDay',
  /** Page of the list below the form, from 1. */
  page: 'anyDay',
} as const;
export type ReportFormAddress = typeof reportFormAddress;
export type ReportsAddress = typeof reportsAddress;
