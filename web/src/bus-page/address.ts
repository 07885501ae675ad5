/** What the address of every tab of a bus's page says. */
export const pageAddress = {
  /** Local day `YYYY-MM-DD`; today when absent, as long as nothing of the day is chosen. */
  date: 'anyDay',
  /** The part of the tab that is shown; `count` where another tab would open by itself. */
  part: 'anyDay',
} as const;
export type PageAddress = typeof pageAddress;
