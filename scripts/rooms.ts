// The one list of packages and rooms: scripts/fences.ts checks imports against it, docs/architecture.md shows it.

export interface Room {
  /** Folder or file, from the project's root. */
  readonly path: string;
  /** Its content. */
  readonly holds: string;
  /** Whether it imports no other room. */
  readonly isPure: boolean;
  /** The files that other features may import. */
  readonly gives: readonly string[];
}

const room = (
  path: string,
  holds: string,
  { isPure = false, gives = [] }: { isPure?: boolean; gives?: string | readonly string[] } = {},
): Room => ({ path, holds, isPure, gives: [gives].flat() });

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
    room(
      'server/src/counts',
      'events, manual counts, effective counts, the hours of them, the counter',
    ),
    room('server/src/fetching', 'commands to a unit, tries, ranges, preloads and their cancelling'),
    room('server/src/laps/engine', 'laps, stops and halts of a day from its records; pure', {
      isPure: true,
    }),
  ],
  [
    room(
      'server/src/figures',
      "what buses' days came to: people by hour, totals, shift, type, revenue; and their rollups",
    ),
  ],
];

/** The server's features. One imports only what others give, and only of those above it in this list. */
export const serverFeatures = [
  room(
    'server/src/auth',
    'sign-in, second factor, links for a new password, sessions, tokens, API keys',
    { gives: ['accounts.ts', 'lock-administrator.ts', 'password-links.ts', 'setup-links.ts'] },
  ),
  room('server/src/settings', 'what pages know before sign-in, the map file'),
  room('server/src/buses', 'the bus list, one bus, its status', { gives: 'announce.ts' }),
  room('server/src/live', 'live video', {
    gives: ['live-playlist.ts', 'pieces.ts', 'streams.ts'],
  }),
  room('server/src/merges', 'merged videos', { gives: 'merge-list.ts' }),
  room('server/src/bus-routes', 'the routes of a customer, and which bus is on which', {
    gives: 'route-of-bus.ts',
  }),
  room('server/src/routes', 'stops, prices, routes from laps and from files', {
    gives: 'route-rows.ts',
  }),
  room('server/src/laps', "the job that works out a day's laps, their calls, recalculation", {
    gives: 'stops-and-loads.ts',
  }),
  room(
    'server/src/money',
    "the calculator: a day's fare, salary, shift, their figures and history",
    { gives: 'day-money.ts' },
  ),
  room('server/src/stats', 'people and revenue of days by bus and route'),
  room('server/src/bus-day', "a bus's day: totals, hours, fragments", {
    gives: 'fragment-answers.ts',
  }),
  room(
    'server/src/ingest',
    'units: the unit interface, EGTS, JT/T 808 and 1078, the OsmAnd form; one store',
    {
      gives: [
        'by-id/addresses.ts',
        'by-id/places.ts',
        'by-id/tcp-listener.ts',
        'egts/codes.ts',
        'egts/data-records.ts',
        'egts/packets.ts',
        'egts/written-packets.ts',
        'jt1078/channels.ts',
        'store/object-numbers.ts',
        'store/queue-out.ts',
      ],
    },
  ),
  room('server/src/fleet', 'rows of new customers, buses and units', { gives: 'fleet-rows.ts' }),
  room('server/src/retranslation', 'passing records on to upstreams in EGTS', {
    gives: ['moved-rows.ts', 'unregistered.ts', 'waiting.ts'],
  }),
  room('server/src/manual-counts', 'manual counts, the review queue', { gives: 'saved-counts.ts' }),
  room('server/src/board', 'what changes by the minute in the bus list', { gives: 'board.ts' }),
  room('server/src/video', 'uploads, verification, playback, preloads', {
    gives: 'uploads/receive-upload.ts',
  }),
  room('server/src/ftp', 'the port of FTP, by which registrars upload video'),
  room('server/src/reports', 'exports, and reports that a job makes', { gives: 'report-list.ts' }),
  room(
    'server/src/administration',
    'customers, users, buses, units, cameras, routes, places and news, for those who administer them',
  ),
  room('server/src/audit', 'the audit log as a list and as a file'),
  room('server/src/attention', 'what needs attention, and its messages by webhook and mail', {
    gives: 'causes.ts',
  }),
  room('server/src/news', 'news, questions, banners, and their media', { gives: 'news-rows.ts' }),
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

/** A folder of the project. */
export interface Folder {
  readonly path: string;
  /** Its content. */
  readonly holds: string;
  /** The packages that it may import, by name, never by path. */
  readonly imports?: readonly string[];
  /** Other fences of it (rooms, libraries in biome.json). */
  readonly limits?: string;
}

interface Package extends Folder {
  readonly name: string;
  readonly imports: readonly string[];
  /** The packages that its tests may import beside these: the other side of a wire. */
  readonly testImports?: readonly string[];
}

export const packages: readonly Package[] = [
  {
    path: 'contract/src',
    name: '@ridewatch/contract',
    holds:
      'every call as a schema, states and moves of fragments, days and zones, words that screens and server share',
    imports: [],
    limits: 'no package; of libraries zod/mini and dayjs',
  },
  {
    path: 'server/src',
    name: '@ridewatch/server',
    holds: 'the server, in the rooms below',
    imports: ['@ridewatch/contract'],
    testImports: ['@ridewatch/unit'],
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
    holds: 'the screens, in the rooms below',
    imports: ['@ridewatch/contract'],
  },
];

/** Folders outside the packages. */
export const folders: readonly Folder[] = [
  {
    path: 'server/migrations',
    holds: 'the data model; `server/src/core/db/db-types.ts` is made from it',
  },
  { path: 'scripts', holds: 'set-up, start, checks' },
  { path: 'e2e', holds: 'stories against a running product' },
  {
    path: 'harness',
    holds: 'what stories and measurements share: a product, a browser, recordings',
  },
  { path: 'bench', holds: 'measurements of a running product' },
  {
    path: 'fuzz',
    holds: 'random requests to a running product, damaged frames to it and to the parsers of units',
  },
];

/** The web's lower rooms, the lowest layer first. A room imports rooms of lower layers only. */
export const webLayers = [
  [
    room(
      'web/src/core',
      'the clock, the session, the address, what is stored, code that loads late',
    ),
  ],
  [room('web/src/i18n', 'the language, its shared texts, numbers, money, days and moments')],
  [
    room(
      'web/src/ui',
      'buttons, dialogs, sheets, toasts, icons, pages of a list: no call, no form',
    ),
  ],
  [
    room(
      'web/src/calls',
      'the calls of the contract, their cache, and what is said when one fails',
    ),
    room(
      'web/src/page',
      'what every page has: its address, its outline until it is loaded, a failed read',
    ),
    room('web/src/player', 'the player of a video, and of a stream'),
    room('web/src/edits', 'changes that are being saved, and what two people change at once'),
    room('web/src/keys', 'the keys of a page, and their overlay'),
    room('web/src/attention', 'causes for attention in words'),
    room('web/src/api-keys', 'keys of the API in words'),
  ],
  [
    room('web/src/forms', 'fields, pickers, days and times that are typed'),
    room('web/src/map', 'the map: its ground, tracks, stops, buses'),
    room('web/src/buses', 'the list of buses, which many screens read'),
    room('web/src/news', 'articles and banners'),
    room('web/src/notification-poll', 'the one poll of what is new'),
  ],
  [room('web/src/bus-page', 'the page of a bus and a local day, around its tabs')],
  [room('web/src/fragment', 'a fragment: its state, its panel, its rows, what is watched')],
  [room('web/src/timeline', 'the timeline of a day')],
  [room('web/src/charts', 'charts: their scales, people by the hour')],
];

/** The web's features: what a person does. One imports those above it in this list. */
export const webFeatures = [
  room('web/src/features/reports', 'exports, and reports that a job makes'),
  room('web/src/features/merges', 'merged videos'),
  room('web/src/features/recalculation', 'counting fragments anew'),
  room('web/src/features/notifications', 'the notification panel'),
  room('web/src/features/manual-counts', 'counts by hand'),
  room('web/src/features/calculator', "a day's fare, salary, shift, their figures and history"),
  room('web/src/features/day-sheet', 'a day on one sheet of paper'),
  room('web/src/features/login', 'sign-in, a new password'),
  room('web/src/features/home', 'the day at a glance, the first steps of a new installation'),
  room('web/src/features/bus-list', 'the bus list: board, tiles, filters'),
  room('web/src/features/bus-day', 'the count tab: who got on and off, and the video of it'),
  room('web/src/features/service', 'the cabin tab: service cameras, live video, preloads'),
  room('web/src/features/gps', 'the GPS tab: laps, stops, the track'),
  room(
    'web/src/features/routes',
    'the route tab: stops, patterns, prices, routes from laps and files',
  ),
  room('web/src/features/review', 'the review queue'),
  room('web/src/features/stats', 'people and revenue of days by bus and route'),
  room('web/src/features/alerts', 'who is told of what needs attention'),
  room('web/src/features/news', 'news, questions'),
  room('web/src/features/account', 'the own account: password, second factor, sessions, keys'),
  room('web/src/features/admin', 'what administrators set up and look after'),
  room('web/src/features/connect', 'a unit that is connected for the first time'),
  room('web/src/features/help', "the users' guide"),
];

/** The room that assembles the web; no other imports it. */
export const webTop = [
  room('web/src/shell', 'the start, the table of screens, the frame with its menus'),
];
