import { AdminSection, findAdminOverview } from '@ridewatch/contract/admin-sections';
import type { Me } from '@ridewatch/contract/auth';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { nowMs } from '../../core/clock.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useSession } from '../../core/session.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useClosedPortText } from '../../page/port-faults.ts';
import { Waiting } from '../../page/waiting.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DownIcon, InfoIcon } from '../../ui/icons.tsx';
import { useTitle } from '../../ui/use-title.ts';
import styles from './admin-screen.module.css';
import type { AdminContext } from './section.ts';
import { SectionIcon } from './section-icon.tsx';
import { SectionPage } from './section-page.tsx';
import { type OpenedLater, sectionNamed } from './sections.ts';
import { useAdminText } from './use-admin-text.ts';
import { ROWS_EVERY_MS } from './use-rows.ts';

/** Sections of the system; the others are of the fleet. */
const OF_SYSTEM: readonly AdminSection[] = [
  ...(['news', 'messages', 'audit', 'upstreams', 'jobs', 'storage'] as const),
];

const LaterSectionPage = lazyComponent(
  async () => (await import('./later-section-page.tsx')).LaterSectionPage,
);

/** The administration: its sections, the rows of one of them, and the drawer of a row. */
export function AdminScreen() {
  const text = useAdminText();
  const user = useSession()?.user;
  const { section } = useParams({ strict: false });
  const named = AdminSection.options.find((one) => one === section);
  useTitle(named === undefined ? text.title : `${text.sections[named]} · ${text.title}`);
  if (user === undefined) return null;
  if (user.role !== 'ADMIN' && user.role !== 'INTEGRATOR') {
    return <EmptyState title={text.noRightTitle} text={text.noRightText} isPage />;
  }
  return <Administration user={user} />;
}

type Overview = { section: AdminSection; count: number | null };

function Administration({ user }: { user: Me }) {
  const text = useAdminText();
  const portText = useClosedPortText();
  const isPhone = useIsPhone();
  const { section: named, id } = useParams({ strict: false });
  const answer = useEndpoint(findAdminOverview, {}, { refetchInterval: ROWS_EVERY_MS });
  const clients = answer.data?.clients;
  const context: AdminContext = useMemo(
    () => ({ text, user, clients: clients ?? [], today: dayOf(nowMs(), FALLBACK_ZONE) }),
    [text, user, clients],
  );
  // Without its entries the menu is an empty column.
  if (answer.data === undefined) {
    return <Waiting answer={answer} failed={text.failed} bodyPx={400} isPage />;
  }
  const { video_off: notice, closed_ports: closed } = answer.data;
  const menu = (
    <SectionMenu sections={answer.data.sections} open={named}>
      {notice !== null && (
        <Notice title={text.videoOff.title}>
          <p>{text.videoOff[notice]}</p>
        </Notice>
      )}
      {closed.length > 0 && (
        <Notice
          title={text.closedPorts.title(closed.length, closed.map(({ port }) => port).join(', '))}
        >
          <p>{text.closedPorts.text}</p>
          <ul>
            {closed.map((one) => (
              <li key={`${one.listener} ${one.port}`}>{portText(one)}</li>
            ))}
          </ul>
        </Notice>
      )}
    </SectionMenu>
  );
  if (named === undefined && isPhone) {
    return (
      <>
        <h1 className="phone-hidden">{text.title}</h1>
        {menu}
      </>
    );
  }
  const isOpen = answer.data.sections.some(({ section }) => section === named);
  const name = AdminSection.options.find((one) => one === named);
  if (!isOpen || name === undefined) {
    return (
      <Navigate
        to="/admin/{-$section}/{-$id}"
        params={{ section: 'buses', id: undefined }}
        replace
      />
    );
  }
  const section = sectionNamed(name);
  const count = answer.data.sections.find((one) => one.section === name)?.count ?? null;
  return (
    <div className={styles.page} data-drawer={id !== undefined || undefined}>
      {!isPhone && menu}
      {section ? (
        <SectionPage key={name} {...{ section, count, context, id, isPhone }} />
      ) : (
        <LaterSectionPage
          key={name}
          name={name as OpenedLater}
          {...{ count, context, id, isPhone }}
        />
      )}
    </div>
  );
}

/** A fault of the server above the sections, in a line or two; a press shows the whole of it. */
function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.notice} role="alert">
      <details>
        <summary>
          <InfoIcon />
          <strong>{title}</strong>
          <DownIcon />
        </summary>
        {children}
      </details>
    </div>
  );
}

interface SectionMenuProps {
  sections: readonly Overview[];
  open: string | undefined;
  children: ReactNode;
}

function SectionMenu({ sections, open, children }: SectionMenuProps) {
  const text = useAdminText();
  const parts = [
    { title: text.park, isIn: (name: AdminSection) => !OF_SYSTEM.includes(name) },
    { title: text.system, isIn: (name: AdminSection) => OF_SYSTEM.includes(name) },
  ];
  return (
    <nav className={styles.menu} aria-label={text.menu}>
      {children}
      {parts.map(({ title, isIn }) => {
        const own = sections.filter(({ section }) => isIn(section));
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
                  <SectionIcon section={section} />
                  <span>{text.sections[section]}</span>
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
