import type { Me } from '@ridewatch/contract/auth';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nowMs } from '../core/clock.ts';
import { useSession } from '../core/session.ts';
import { drawn, ForwardIcon } from '../ui/icons.tsx';
import styles from './cause-item.module.css';
import { type Attention, causeBeside, causeText, causeTime, causeTitle } from './cause-text.ts';
import { useAttentionText } from './use-attention-text.ts';

type Kind = Attention['details']['kind'];
const RoubleIcon = drawn('M8 20V4h6a4 4 0 0 1 0 9H5M5 16h8');
const ClockIcon = drawn('M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3 3');
const icons: Readonly<Record<Kind, () => React.JSX.Element>> = {
  silent_bus: drawn('M3 15l5-5l2 2M14 12l2 2l5-5M5 4l14 16'),
  camera_offline: drawn('M3 7h12v10H3zM15 11l6-3v8l-6-3'),
  imbalance: drawn('M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4'),
  merge_failed: drawn('M4 5h16v14H4zM8 5v14M16 5v14M4 12h4M16 12h4'),
  disk_full: drawn('M4 6h16v12H4zM4 14h16M8 17h.01'),
  queue_starved: ClockIcon,
  unknown_unit: drawn('M4 4h16v16H4zM9 10a3 3 0 1 1 4 3q-1 .4-1 1.5M12 17h.01'),
  upstream_late: drawn('M4 17h6M4 12h10M4 7h6M14 17l5-5-5-5'),
  upstream_refuses: drawn('M4 17h6M4 12h10M4 7h6M15 9l6 6M21 9l-6 6'),
  odd_counter: drawn('M4 5h16v14H4zM8 9v6M12 9h3v3h-3v3h3'),
  runs_out: drawn('M7 3h10M7 21h10M8 3v4l4 5l4-5V3M8 21v-4l4-5l4 5v4'),
  no_price: RoubleIcon,
  low_revenue: RoubleIcon,
  short_handed_in: RoubleIcon,
  no_salary: RoubleIcon,
  full: drawn('M9 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6M3 19q0-5 6-5t6 5M15 5q3 0 3 3t-3 3M17 14q4 0 4 5'),
  standing: ClockIcon,
};
/** Kinds that are no faulty devices but figures and ends to look at. */
const FIGURES: ReadonlySet<Kind> = new Set([
  'imbalance',
  'no_price',
  'low_revenue',
  'short_handed_in',
  'no_salary',
  'full',
  'standing',
  'runs_out',
  'unknown_unit',
  'odd_counter',
]);

interface CauseItemProps {
  cause: Attention;
  /** The moment at the end of the row instead of beside the route. */
  hasTimeAside?: boolean;
  /** Called when the row's link is followed. */
  onLeave?: () => void;
}

/** Shows what needs attention as a row that leads to its bus. */
export function CauseItem({ cause, hasTimeAside = false, onLeave }: CauseItemProps) {
  const text = useAttentionText();
  const user = useSession()?.user;
  const { kind } = cause.details;
  const way = cause.workplace === null ? wayFrom(cause.details, user) : undefined;
  const Icon = icons[kind];
  const atMs = nowMs();
  const time = causeTime(cause, atMs);
  const beside = causeBeside(cause, hasTimeAside ? '' : time);
  return (
    <li
      className={styles.item}
      data-level={FIGURES.has(kind) ? 'attention' : 'error'}
      data-unread={cause.seen === false || undefined}
    >
      <Leading {...{ cause, way, onLeave }}>
        <Icon />
        <span className={styles.words}>
          <span className={styles.head}>
            <strong>{causeTitle(cause, text)}</strong> {beside !== '' && <small>{beside}</small>}
          </span>
          <span className={styles.text}>{causeText(cause, text, atMs)}</span>
        </span>
        {hasTimeAside && time !== '' && <small className={styles.time}>{time}</small>}
        {(cause.workplace || way) && <ForwardIcon />}
      </Leading>
    </li>
  );
}

interface LeadingProps {
  cause: Attention;
  /** Of a cause that belongs to no bus. */
  way: Way | undefined;
  onLeave: (() => void) | undefined;
  children: ReactNode;
}

type Way = 'account' | 'storage' | 'jobs' | 'keys' | 'unknown_units' | 'upstreams';

// The section of the administration that says what to do next about what belongs to no bus. A certificate has none: its
// proxy is no part of the product.
function wayFrom(details: Attention['details'], user: Me | undefined): Way | undefined {
  if (details.kind === 'queue_starved') return 'jobs';
  if (details.kind === 'disk_full') return 'storage';
  if (details.kind === 'unknown_unit') return 'unknown_units';
  if (details.kind === 'upstream_late' || details.kind === 'upstream_refuses') return 'upstreams';
  if (details.kind !== 'runs_out') return undefined;
  if (details.what === 'api_key') return keysOf(user);
  return details.what === 'disk' ? 'storage' : undefined;
}

// Own users with the edit right have the keys of their customer beside their account.
function keysOf(user: Me | undefined): Way | undefined {
  if (user?.role === 'ADMIN' || user?.role === 'INTEGRATOR') return 'keys';
  return user?.can_edit && user.client_id !== null ? 'account' : undefined;
}

/** The row that a cause is about: a unit, whose form has its setting, or an upstream. */
function rowOf(details: Attention['details']): number | undefined {
  switch (details.kind) {
    case 'odd_counter':
      return details.unit_id;
    case 'upstream_late':
    case 'upstream_refuses':
      return details.upstream_id;
    default:
      return undefined;
  }
}

// To the place where it can be seen: the day of the counts, the cabin, or the doors.
function Leading({ cause, way, onLeave, children }: LeadingProps) {
  const { workplace, camera, details } = cause;
  if (way === 'account') {
    return (
      <Link to="/account" className={styles.row} onClick={onLeave}>
        {children}
      </Link>
    );
  }
  const id = rowOf(details);
  if (way !== undefined || details.kind === 'odd_counter') {
    const toSection = {
      to: '/admin/{-$section}/{-$id}',
      params: { section: way ?? 'units', id: id === undefined ? undefined : `${id}` },
    } as const;
    return (
      <Link {...toSection} className={styles.row} onClick={onLeave}>
        {children}
      </Link>
    );
  }
  if (workplace === null) return <span className={styles.row}>{children}</span>;
  const params = { busId: String(workplace.id) };
  const common = { params, className: styles.row, onClick: onLeave };
  if (details.kind === 'imbalance' || details.kind === 'short_handed_in') {
    return (
      <Link to="/bus/$busId" search={{ date: details.day }} {...common}>
        {children}
      </Link>
    );
  }
  if (details.kind === 'full' || details.kind === 'standing') {
    return (
      <Link to="/bus/$busId/gps" {...common}>
        {children}
      </Link>
    );
  }
  if (camera?.live) {
    return (
      <Link to="/bus/$busId/service" search={{ camera: String(camera.id) }} {...common}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/bus/$busId" {...common}>
      {children}
    </Link>
  );
}
