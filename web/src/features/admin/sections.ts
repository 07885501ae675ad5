import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { buses } from './buses.tsx';
import { cameras } from './cameras.tsx';
import { customers } from './customers.tsx';
import type { Section } from './section.ts';
import { users } from './users.tsx';

/** A section whose rows are of one type that only it knows. */
export type AnySection = Section<never>;

const sections = { customers, users, buses, cameras } as const;

/** Sections whose code loads when they are opened. */
export type OpenedLater = Exclude<AdminSection, keyof typeof sections>;

/** The section of a name; undefined for one whose code loads later. */
export function sectionNamed(name: AdminSection): AnySection | undefined {
  return name in sections
    ? (sections[name as keyof typeof sections] as unknown as AnySection)
    : undefined;
}
