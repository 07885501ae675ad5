import * as z from 'zod/mini';

/**
 * The rights of an API key: buses and routes, fragments with counts, positions and laps, statistics with their exports,
 * calculations and prices, video.
 */
export const ApiScope = z.enum(['buses', 'counts', 'positions', 'statistics', 'money', 'video']);
export type ApiScope = z.infer<typeof ApiScope>;
