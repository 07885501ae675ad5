// Finds the stories that a change can reach: those of the rooms that import what has changed, directly or through
// others.
import { readSources, resolveImport } from './imports.ts';
import { packages } from './rooms.ts';

/** The lists of features: who reads a list is not changed by a feature in it. */
const LISTS = new Set([
  'server/src/features.ts',
  'web/src/shell/bus-tools.tsx',
  'web/src/shell/router.tsx',
  'web/src/shell/screens.tsx',
]);

/** The quick stories of rooms that people see or units call, by name: e2e/NAME.test.ts. */
export const storiesOfRooms: Readonly<Record<string, readonly string[]>> = {
  'server/migrations': ['stories', 'bus-list'],
  'server/src/administration': ['admin', 'admin-news'],
  'server/src/attention': ['notifications', 'home'],
  'server/src/audit': ['admin'],
  'server/src/auth': ['stories', 'roles'],
  'server/src/backup': [],
  'server/src/board': ['bus-list'],
  'server/src/bus-day': ['stories', 'watching'],
  'server/src/bus-routes': ['routes', 'reports'],
  'server/src/buses': ['bus-list', 'stories'],
  'server/src/demo': ['stories'],
  'server/src/fleet': ['admin', 'stories'],
  'server/src/ftp': [],
  'server/src/home': ['home'],
  'server/src/ingest': ['stories', 'watching'],
  'server/src/laps': ['gps', 'stories'],
  'server/src/live': ['service'],
  'server/src/manual-counts': ['review', 'lost-link'],
  'server/src/merges': [],
  'server/src/money': ['calculator', 'takings'],
  'server/src/news': ['notifications', 'admin-news'],
  'server/src/notifications': ['notifications'],
  'server/src/openapi': [],
  'server/src/recalculation': ['service'],
  'server/src/reports': ['reports'],
  'server/src/retention': ['admin'],
  'server/src/retranslation': [],
  'server/src/routes': ['routes'],
  'server/src/screens': ['stories'],
  'server/src/settings': ['stories'],
  'server/src/stats': ['stats'],
  'server/src/video': ['watching', 'stories'],
  'unit/src/simulated': ['service', 'stories'],
  'web/src/bus-page': ['stories'],
  'web/src/features/account': [],
  'web/src/features/admin': ['admin', 'admin-news'],
  'web/src/features/alerts': ['home'],
  'web/src/features/bus-day': ['stories', 'watching'],
  'web/src/features/bus-list': ['bus-list', 'stories'],
  'web/src/features/calculator': ['calculator'],
  'web/src/features/connect': [],
  'web/src/features/day-sheet': [],
  'web/src/features/gps': ['gps'],
  'web/src/features/help': [],
  'web/src/features/home': ['home'],
  'web/src/features/login': ['stories', 'roles'],
  'web/src/features/manual-counts': ['review', 'lost-link'],
  'web/src/features/merges': ['stories'],
  'web/src/features/news': ['notifications'],
  'web/src/features/notifications': ['notifications'],
  'web/src/features/recalculation': ['service'],
  'web/src/features/reports': ['reports'],
  'web/src/features/review': ['review'],
  'web/src/features/routes': ['routes'],
  'web/src/features/service': ['service'],
  'web/src/features/stats': ['stats'],
  'web/src/map': ['gps', 'routes'],
  'web/src/shell': ['shells', 'stories', 'lost-link'],
};

/** The main stories: sign-in, the list, a bus's day, a video. Files of the whole product reach them. */
export const mainStories = ['roles', 'stories'];
const OF_ALL =
  /^(?!.*\.test\.)(?:(?:server\/|web\/)?package(?:-lock)?\.json|web\/(?:vite\.config\.ts|index\.html)|web\/src\/(?:calls|core|ui)\/[^/]+|server\/src\/[^/]+)$/;

/**
 * Finds the stories that changed files can reach.
 * @param root the project's root
 * @param changed paths from the root
 * @param importers what `readImporters` found
 * @returns names, without those of the changed stories themselves
 * @throws Error if a source file cannot be parsed
 */
export function findStories(
  root: string,
  changed: readonly string[],
  importers: ReadonlyMap<string, readonly string[]> = readImporters(root),
): string[] {
  const reached = new Set(changed);
  const isList = (file: string): boolean => LISTS.has(file) && !changed.includes(file);
  // The set grows while it is read.
  for (const file of reached) {
    if (isList(file)) continue;
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const rooms = Object.keys(storiesOfRooms).filter((room) =>
    [...reached].some((file) => file.startsWith(`${room}/`) && !isList(file)),
  );
  const ofAll = changed.some((file) => OF_ALL.test(file)) ? mainStories : [];
  return [...new Set([...rooms.flatMap((room) => storiesOfRooms[room] ?? []), ...ofAll])].sort();
}

/**
 * Reads which files import a file. Tests are left out: their rooms are not changed by what they import.
 * @param root the project's root
 * @returns paths of importers by path
 * @throws Error if a source file cannot be parsed
 */
export function readImporters(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const { path: folder } of packages) {
    for (const { path, imports } of readSources(root, folder)) {
      if (path.includes('.test.') || path.includes('/test/')) continue;
      for (const specifier of imports) {
        const imported = resolveImport(path, specifier, packages);
        if (imported === undefined) continue;
        importers.set(imported, [...(importers.get(imported) ?? []), path]);
      }
    }
  }
  return importers;
}
