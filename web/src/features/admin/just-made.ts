import type { AdminSection } from '@ridewatch/contract/admin-sections';

// The form of a new row closes when the drawer of the row opens.
let last: string | undefined;
const keyOf = (section: AdminSection, id: number): string => `${section} ${id}`;

/** Notes the row that was just created in this page. */
export function noteMade(section: AdminSection, id: number): void {
  last = keyOf(section, id);
}

/** Whether a row is the last one that was created in this page. */
export const isJustMade = (section: AdminSection, id: number): boolean =>
  last === keyOf(section, id);
