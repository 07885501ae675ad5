/** The keys of the query of the settings of alerts. */
export const alertsAddress = {
  /** The id of the customer; without it the user's own, of administrators the installation. */
  customer: 'anyDay',
} as const;
export type AlertsAddress = typeof alertsAddress;
