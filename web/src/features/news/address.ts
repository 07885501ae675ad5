/** The keys of the query of the news. */
export const newsAddress = {
  /** From 1; the first by default. */
  page: 'anyDay',
} as const;
export type NewsAddress = typeof newsAddress;

/** The keys of the query of the questions. */
export const faqAddress = {
  /** Ids of the open questions, comma-separated; none by default. */
  open: 'anyDay',
} as const;
export type FaqAddress = typeof faqAddress;
