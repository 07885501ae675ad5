/** The keys of the query of the administration. */
export const adminAddress = {
  /** The search text. */
  q: 'anyDay',
  /** The column to sort by, and `desc`. */
  sort: 'anyDay',
  order: 'anyDay',
  /** Filters; each section has some of them. */
  client: 'anyDay',
  route: 'anyDay',
  status: 'anyDay',
  state: 'anyDay',
  role: 'anyDay',
  kind: 'anyDay',
  retired: 'anyDay',
  action: 'anyDay',
  object: 'anyDay',
  who: 'anyDay',
  id: 'anyDay',
  import: 'anyDay',
  /** The row whose form is open from the beginning. */
  edit: 'anyDay',
  from: 'anyDay',
  to: 'anyDay',
} as const;
export type AdminAddress = typeof adminAddress;
