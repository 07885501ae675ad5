import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { audit } from './audit.tsx';
import { classifiers, groups } from './groups.tsx';
import { keys } from './keys.tsx';
import { messagesSection } from './messages-section.tsx';
import { newsSection } from './news-section.tsx';
import type { AdminContext } from './section.ts';
import { SectionPage } from './section-page.tsx';
import type { AnySection, OpenedLater } from './sections.ts';
import { storage } from './storage.tsx';
import { units } from './units.tsx';
import { unknownUnits } from './unknown-units.tsx';
import { upstreams } from './upstreams.tsx';
import { days, jobs } from './work.tsx';

const sections = {
  ...{ groups, classifiers, news: newsSection, messages: messagesSection, audit },
  ...{ keys, days, jobs, storage, units, unknown_units: unknownUnits, upstreams },
} as const satisfies Record<OpenedLater, unknown>;

interface LaterSectionPageProps {
  name: Extract<AdminSection, OpenedLater>;
  context: AdminContext;
  count: number | null;
  id: string | undefined;
  isPhone: boolean;
}

/** A section whose code loads when it is opened. */
export function LaterSectionPage({ name, ...props }: LaterSectionPageProps) {
  return <SectionPage section={sections[name] as unknown as AnySection} {...props} />;
}
