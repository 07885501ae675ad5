import { AdminSection, findAdminOverview } from '@ridewatch/contract/admin-sections';
import type { Me } from '@ridewatch/contract/auth';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEndpoint } from '../../api.ts';
import { FailedRead } from '../../bus-page/failed-read.tsx';
import { nowMs } from '../../clock.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useSession } from '../../session.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import styles from './admin-screen.module.css';
import type { AdminContext } from './section.ts';
import { SectionPage } from './section-page.tsx';
import { sectionNamed } from './sections.ts';
import { useAdminText } from './use-admin-text.ts';

/** Sections of the system; the others are of the fleet. */
const OF_SYSTEM: readonly AdminSection[] = ['audit', 'jobs', 'storage'];

/** The administration: its sections, the rows of one of them, and the drawer of a row. */
export function AdminScreen() {
  const text = useAdminText();
  const user = useSession()?.user;
  useTitle(text.title);
  if (user === undefined) return null;
  if (user.role !== 'ADMIN' && user.role !== 'INTEGRATOR') {
    return <EmptyState title={text.noRightTitle} text={text.noRightText} />;
  }
  return <Administration user={user} />;
}

type Overview = { section: AdminSection; count: number | null };

function Administration({ user }: { user: Me }) {
  const text = useAdminText();
  const isPhone = useIsPhone();
  const { section: named, id } = useParams({ strict: false });
  const answer = useEndpoint(findAdminOverview, {});
  const clients = answer.data?.clients;
  const context: AdminContext = useMemo(
    () => ({ text, user, clients: clients ?? [], today: dayOf(nowMs(), FALLBACK_ZONE) }),
    [text, user, clients],
  );
  const menu = <SectionMenu sections={answer.data?.sections} open={named} />;
  if (answer.data === undefined) {
    return (
      <div className={styles.page}>
        {menu}
        <div className={styles.content} aria-busy={answer.isPending || undefined}>
          <FailedRead answer={answer} what={text.title} />
        </div>
      </div>
    );
  }
  if (named === undefined && isPhone) return menu;
  const isOpen = answer.data.sections.some(({ section }) => section === named);
  const name = AdminSection.options.find((one) => one === named);
  if (!isOpen || name === undefined) {
    return <Navigate to="/admin/{-$section}/{-$id}" params={{ section: 'buses' }} replace />;
  }
  return (
    <div className={styles.page} data-drawer={id !== undefined || undefined}>
      {!isPhone && menu}
      <SectionPage
        key={name}
        section={sectionNamed(name)}
        count={answer.data.sections.find(({ section }) => section === name)?.count ?? null}
        {...{ context, id, isPhone }}
      />
    </div>
  );
}

interface SectionMenuProps {
  sections: readonly Overview[] | undefined;
  open: string | undefined;
}

function SectionMenu({ sections, open }: SectionMenuProps) {
  const text = useAdminText();
  const parts = [
    { title: text.park, isIn: (name: AdminSection) => !OF_SYSTEM.includes(name) },
    { title: text.system, isIn: (name: AdminSection) => OF_SYSTEM.includes(name) },
  ];
  return (
    <nav className={styles.menu} aria-label={text.menu}>
      {parts.map(({ title, isIn }) => {
        const own = sections?.filter(({ section }) => isIn(section)) ?? [];
        return (
          own.length > 0 && (
            <section key={title}>
              <h2>{title}</h2>
              {own.map(({ section, count }) => (
                <Link
                  key={section}
                  to="/admin/{-$section}/{-$id}"
                  params={{ section, id: undefined }}
                  search={{}}
                  className={styles.entry}
                  {...(section === open && { 'aria-current': 'page' })}
                >
                  {text.sections[section]}
                  {count !== null && <small>{formatNumber(count)}</small>}
                </Link>
              ))}
            </section>
          )
        );
      })}
    </nav>
  );
}
