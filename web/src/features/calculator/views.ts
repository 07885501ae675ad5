const views = ['laps', 'hours', 'corrections', 'noPrice', 'history'] as const;
/** A view of the calculator: the sums behind its figures, and on a phone the history. */
export type View = (typeof views)[number];

/** The view that an address names; the laps if it names none. */
export function viewIn(named: string): View {
  return views.find((view) => view === named) ?? 'laps';
}
