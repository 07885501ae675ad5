/** The keys of the query of the statistics. */
export const statsAddress = {
  /** One of `STAT_PERIODS`; without it no report is shown. */
  period: 'anyDay',
  /** First day. */
  from: 'anyDay',
  /** Last day. */
  to: 'anyDay',
  /** The count key: `entered`, `exited` or `fare`. */
  key: 'anyDay',
  /** `bus` or `route`. */
  by: 'anyDay',
  /** Weekdays, 1 = Monday, without separators; all unless given. */
  days: 'anyDay',
  /** Ids of buses, `1-20.25`, or `all`. */
  buses: 'anyDay',
  /** `before` or `year`: what the figures are compared with. */
  with: 'anyDay',
  /** `now`: the running day counts, until now. */
  until: 'anyDay',
  /** Ids of series that are switched off, separated by dots. */
  off: 'anyDay',
  /** The column that sorts the table, see `SortKey`. */
  sort: 'anyDay',
  /** `table` hides the chart; `ticks` makes the rows of a phone's table ticks. */
  view: 'anyDay',
} as const;
