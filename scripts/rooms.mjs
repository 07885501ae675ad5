// The one list of packages and rooms: scripts/fences.mjs checks imports against it, docs/architecture.md shows it.

/**
 * @typedef {object} Room
 * @property {string} path folder or file, from the project's root
 * @property {string} holds its content
 * @property {boolean} isPure whether it imports no other room
 */

/** @returns {Room} */
const room = (path, holds, { isPure = false } = {}) => ({ path, holds, isPure });

/** The server's lower rooms, the lowest layer first. A room imports rooms of lower layers only. */
export const serverLayers = [
  [
    room(
      'server/src/core',
      'configuration, database, jobs, HTTP, log, errors, clock: what every other room stands on',
    ),
  ],
  [
    room('server/src/storage', 'where files lie: a folder or S3'),
    room('server/src/positions', 'packed positions'),
    room('server/src/days', 'what is valid on a local day, versions of days, laps that are due'),
  ],
  [room('server/src/deps.ts', 'what a feature is given')],
  [
    room('server/src/access', 'what a user may see and change, one file an object'),
    room('server/src/fragments', 'the moves of a fragment, and the names its video is saved under'),
  ],
  [room('server/src/media', 'ffmpeg, MP4, playable files, signed addresses, byte ranges')],
  [
    room('server/src/counts', 'events, manual counts, effective counts and hours, the counter'),
    room('server/src/fetching', 'commands to a unit, tries, ranges, preloads and their cancelling'),
    room('server/src/laps/engine', 'laps, stops and halts of a day from its records; pure', {
      isPure: true,
    }),
  ],
];

/** The server's features. One imports only queries.ts of others, and only of those above it in this list. */
export const serverFeatures = [
  room(
    'server/src/auth',
    'sign-in, second factor, links for a new password, sessions, tokens, API keys',
  ),
  room('server/src/settings', 'what pages know before sign-in, the map file'),
  room('server/src/buses', 'the bus list, one bus, its status'),
  room('server/src/live', 'live video'),
  room('server/src/merges', 'merged videos'),
  room('server/src/bus-routes', 'the routes of a customer, and which bus is on which'),
  room('server/src/routes', 'stops, prices, routes from laps and from files'),
  room('server/src/laps', "the job that works out a day's laps, their calls, recalculation"),
  room(
    'server/src/money',
    "the calculator: a day's fare, salary, shift, their figures and history",
  ),
  room('server/src/stats', 'people and revenue of days by bus and route'),
  room('server/src/bus-day', "a bus's day: totals, hours, fragments"),
  room('server/src/fleet', 'setting up customers, buses and units'),
  room(
    'server/src/administration',
    'customers, users, buses, units, cameras, routes, places and news, for those who administer them',
  ),
  room('server/src/ingest', 'the unit interface: batches, commands'),
  room('server/src/manual-counts', 'manual counts, the review queue'),
  room('server/src/board', 'what changes by the minute in the bus list'),
  room('server/src/video', 'uploads, verification, playback, preloads'),
  room('server/src/reports', 'exports, and reports that a job makes'),
  room('server/src/audit', 'the audit log as a list and as a file'),
  room('server/src/attention', 'what needs attention, and its messages by webhook and mail'),
  room('server/src/news', 'news, questions, banners, and their media'),
  room('server/src/home', 'the day at a glance, and where all buses are'),
  room('server/src/notifications', 'the notification panel: one answer for one poll'),
  room('server/src/retention', 'what is kept, what is deleted'),
  room('server/src/recalculation', 'counting fragments anew'),
  room('server/src/openapi', 'the description of the calls'),
  room('server/src/screens', 'the built screens as files'),
  room('server/src/demo', 'the simulated fleet in an empty database'),
  room('server/src/backup', 'backup and restore'),
];

/** Files that assemble the server; no room imports them. */
export const serverTop = [
  room('server/src/app.ts', 'the HTTP server of one process'),
  room('server/src/features.ts', 'the lists of features and listeners by role'),
  room('server/src/listeners.ts', 'the ports of a process that are not HTTP'),
  room('server/src/main.ts', 'the start of a process'),
];

/** Shared parts of tests, which may import everything of the server. */
export const testSupport = 'server/src/test';

/**
 * Packages. `imports` are the packages that each may import, by name, never by path; `limits` are other fences of it
 * (webFeatures below, libraries in biome.json).
 */
export const packages = [
  {
    path: 'contract/src',
    name: '@ridewatch/contract',
    holds: 'every call as a schema, states and moves of fragments, days and zones',
    imports: [],
    limits: 'no package; of libraries zod/mini and dayjs',
  },
  {
    path: 'server/src',
    name: '@ridewatch/server',
    holds: 'the server, in the rooms below',
    imports: ['@ridewatch/contract'],
  },
  {
    path: 'unit/src',
    name: '@ridewatch/unit',
    holds: 'uplink, simulated fleet, replay',
    imports: ['@ridewatch/contract'],
  },
  {
    path: 'web/src',
    name: '@ridewatch/web',
    holds:
      'shell, shared parts, and a screen each in `web/src/features`: a place of the menu, or a tab of the bus page',
    imports: ['@ridewatch/contract'],
    limits: 'shared parts no feature, a feature no other feature',
  },
];

/** Folders outside the packages. */
export const folders = [
  {
    path: 'server/migrations',
    holds: 'the data model; `server/src/core/db/db-types.ts` is made from it',
  },
  { path: 'scripts', holds: 'set-up, start, checks' },
  { path: 'e2e', holds: 'stories against a running product' },
  { path: 'bench', holds: 'measurements of a running product' },
  { path: 'fuzz', holds: 'random requests to a running product' },
];

/** Screens of the web: shared parts import no screen, and no screen imports another. */
export const webFeatures = 'web/src/features';

/** The page of a bus, and the rooms that it may import. It gets its tabs and tools from the lists beside the rooms. */
export const busPage = {
  path: 'web/src/bus-page',
  imports: ['buses', 'edits', 'forms', 'i18n', 'ui'],
  lists: [
    'web/src/screens.tsx',
    'web/src/page-code.ts',
    'web/src/bus-tools.tsx',
    'web/src/router.tsx',
  ],
};
