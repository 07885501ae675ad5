import type { DayLaps } from '../engine/day-laps.ts';

/** A day's laps and halts, and the bus's route on it. */
export type ComputedDay = DayLaps & { readonly routeId: number | null };
