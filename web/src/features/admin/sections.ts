import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { audit } from './audit.tsx';
import { buses } from './buses.tsx';
import { cameras } from './cameras.tsx';
import { customers } from './customers.tsx';
import { classifiers, groups } from './groups.tsx';
import type { Section } from './section.ts';
import { storage } from './storage.tsx';
import { units } from './units.tsx';
import { users } from './users.tsx';
import { days, jobs } from './work.tsx';

/** A section whose rows are of one type that only it knows. */
export type AnySection = Section<never>;

const sections = {
  ...{ customers, users, buses, units, cameras, groups, classifiers },
  ...{ days, audit, jobs, storage },
} as const;

/** The section of a name. */
export function sectionNamed(name: AdminSection): AnySection {
  return sections[name] as unknown as AnySection;
}
