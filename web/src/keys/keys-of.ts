import { OPENID_PAGE } from '@ridewatch/contract/paths';
import type { KeyGroup } from './texts-ru.ts';

const groupsByPath: Readonly<Record<string, readonly KeyGroup[]>> = {
  '/buses': ['search'],
  '/review': ['watching', 'fragments'],
  '/stats': ['chart'],
  '/bus/$busId': ['watching', 'fragments', 'day', 'timeline'],
  '/bus/$busId/service': ['watching', 'fragments', 'day', 'timeline'],
  '/bus/$busId/gps': ['watching', 'stops', 'day'],
  '/bus/$busId/route': ['day', 'prices'],
};
/** Screens on which fragments are counted. */
const COUNTING = ['/review', '/bus/$busId'];

const ADMIN = '/admin/{-$section}/{-$id}';
/** Sections of the administration whose rows have boxes. */
const WITH_BOXES = ['customers', 'users', 'buses', 'units', 'cameras'];

interface Reader {
  /** The user has the edit right. */
  readonly mayCount: boolean;
  /** The list of buses stands beside the page of a bus, with its search. */
  readonly isWide: boolean;
  /** The open section of the administration. */
  readonly section: string | undefined;
  /** Rows have their boxes here: not on a phone, and not in a view as another user. */
  readonly mayChoose: boolean;
}

/** The groups of keys that work on a screen. @param path of the table of screens */
export function keysOf(path: string, reader: Reader): readonly KeyGroup[] {
  const { mayCount, isWide } = reader;
  return [
    ...(groupsByPath[path] ?? []),
    ...(path === ADMIN ? groupsOfRows(reader) : []),
    ...(mayCount && COUNTING.includes(path) ? (['counting'] as const) : []),
    ...(isWide && path.startsWith('/bus/') ? (['search'] as const) : []),
    'everywhere',
  ];
}

function groupsOfRows({ section, mayChoose }: Reader): readonly KeyGroup[] {
  if (section === undefined) return [];
  return [
    'search',
    'rows',
    ...(mayChoose && WITH_BOXES.includes(section) ? (['boxes'] as const) : []),
  ];
}

/** The name of a screen's page in the guide: `bus-gps` of `/bus/$busId/gps`. */
export function guidePageOf(path: string): string {
  // Sign-in goes on there.
  if (path === OPENID_PAGE) return 'login';
  const parts = path.split('/').filter((part) => part !== '' && !part.includes('$'));
  return parts.join('-') || 'home';
}
