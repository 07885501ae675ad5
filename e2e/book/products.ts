// The products that the book shows: one with a week of the demo's fleet, and a new installation. Both begin at one
// moment, and the simulated fleet has one seed, so that two books can be compared.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { createUpstream } from '@ridewatch/contract/admin-upstreams';
import { listUsers } from '@ridewatch/contract/admin-users';
import { createApiKey } from '@ridewatch/contract/api-keys';
import { dayOf, momentOf } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { findHome } from '@ridewatch/contract/home';
import { makePasswordLink } from '@ridewatch/contract/password-links';
import { makeTownMap } from '@ridewatch/unit/src/simulated/map/town.ts';
import { startFleet } from '../../harness/fleet.ts';
import {
  ask,
  type Product,
  queryOf,
  signIn,
  startProduct,
  waitFor,
} from '../../harness/product.ts';
import { type Subject, shownDrawers } from './views.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ZONE = 'Europe/Moscow';
/**
 * A Thursday in the rush hour. Most buses are on their way some minutes later, that of the pictures with people, and the
 * demo's broken unit was, 47 minutes ago: else its bus would count as off.
 */
const BEGINS = '2026-03-12T18:00';
const LAPS_LIMIT_MS = 120_000;
/** The laps of a bus at which nobody looks are worked out within minutes. */
const COUNT_LIMIT_MS = 300_000;
/** The demo's units that have broken down. */
const BROKEN = 1;
/** The password of the administrator of the new installation. */
const FIRST_PASSWORD = 'first administrator';

export interface Shown {
  readonly product: Product;
  readonly subject: Subject;
  readonly login: string;
  readonly password: string;
  /** The days of its buses are worked out, but for the one whose unit is silent. */
  readonly isCounted: boolean;
  /** Ends its processes and deletes its data. */
  remove(): Promise<void>;
}

/** How far the clocks of the book are ahead of the machine's, ms. */
export function bookOffsetMs(): number {
  return momentOf(BEGINS, ZONE) - Date.now();
}

/** A week of the demo's fleet, with video. */
const DEMO: FleetSize = { buses: 12, days: 7, isDemo: true };

export interface FleetSize {
  readonly buses: number;
  /** Of history. */
  readonly days: number;
  /** With the demo's videos, silent unit and merged file. */
  readonly isDemo: boolean;
}

/** A product with a simulated fleet, which goes on live. */
export async function showFull(size = DEMO): Promise<Shown> {
  const { env, removeMap } = await makeMap();
  const product = await startProduct({ env });
  const history = ['--days', String(size.days), '--earlier', '0'];
  const more = [...history, ...(size.isDemo ? ['--demo'] : [])];
  const fleet = await startFleet(product, size.buses, { more, zone: ZONE });
  const today = dayOf(Date.now(), ZONE);
  await insertNews(product, new Date());
  await insertUnknownUnit(product, new Date());
  const passwordPath = await makeLink(product, { login: 'admin', password: 'demo' });
  await requestReport(product, today);
  await makeKey(product);
  await makeUpstream(product);
  const rowIds = await findRowIds(product);
  const subject = { ...(await findSubject(product)), today, passwordPath, rowIds };
  if (size.isDemo) await untilCounted(product);
  return {
    ...{ product, subject, login: 'admin', password: 'demo', isCounted: size.isDemo },
    remove: async () => {
      await fleet.stop();
      await product.remove();
      await removeMap();
    },
  };
}

// The map of the demo, as npm start makes it.
async function makeMap() {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-book-'));
  const MAP_FILE = path.join(folder, 'town.pmtiles');
  await writeFile(MAP_FILE, makeTownMap());
  const removeMap = () => rm(folder, { recursive: true, force: true });
  return { env: { MAP_FILE, TILE_ATTRIBUTION: '© Ridewatch' }, removeMap };
}

/** A new installation with its first administrator. */
export async function showBare(): Promise<Shown> {
  const product = await startProduct({ args: [] });
  createAdministrator(product, 'chief', FIRST_PASSWORD);
  const today = dayOf(Date.now(), ZONE);
  const chief = { login: 'chief', password: FIRST_PASSWORD };
  const passwordPath = await makeLink(product, chief);
  const none = { busId: 0, cabinId: 0, pricedId: 0, unitId: 0, rowIds: {} };
  const subject = { ...none, day: today, today, passwordPath };
  const remove = () => product.remove();
  return { product, subject, ...chief, isCounted: false, remove };
}

/** Waits until all units of the demo but the broken one are heard, and the days of their buses are worked out. */
async function untilCounted(product: Product): Promise<void> {
  const token = await signIn(product.url, 'admin');
  await waitFor(
    async () => {
      const { buses, incomplete } = await ask<ResponseOf<typeof findHome>>(
        ...[product.url, token, 'GET', findHome.path],
      );
      return buses.silent === BROKEN && buses.off === 0 && incomplete === buses.silent;
    },
    'the days of the fleet',
    COUNT_LIMIT_MS,
  );
}

/** Makes a link by which the last user of a product sets a new password. @returns its path */
async function makeLink(
  product: Product,
  { login, password }: Pick<Shown, 'login' | 'password'>,
): Promise<string> {
  const token = await signIn(product.url, login, password);
  const users = await ask<ResponseOf<typeof listUsers>>(
    ...[product.url, token, 'GET', listUsers.path],
  );
  const address = makePasswordLink.path.replace('{userId}', String(users.items.at(-1)?.id));
  const link = await ask<ResponseOf<typeof makePasswordLink>>(
    ...[product.url, token, 'POST', address, {}],
  );
  return link.path;
}

/** Makes an administrator on the machine, as README.md says. */
export function createAdministrator(product: Product, login: string, password: string): void {
  const program = path.join(root, 'server/src/auth/user-command.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    [program, 'create', '--login', login, '--password-stdin'],
    {
      input: `${password}\n`,
      env: { ...process.env, DATA_DIR: product.dataDir },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`npm run user: ${stderr}`);
}

/** Adds a bus with all tabs and no record, so that its page can be shown. @returns its id */
export async function addEmptyBus({ product, login, password }: Shown): Promise<number> {
  const token = await signIn(product.url, login, password);
  const camera = (name: string, stream_id: string, door: number | null) => {
    return { name, stream_id, live: door === null, door };
  };
  const cameras = [camera('Дверь 1', 'door1', 1), camera('Салон', 'cabin', null)];
  const bus = { name: 'А 001 АА', type: 'VMS', timezone: ZONE, gps_trackable: true, group: null };
  const plan = {
    customers: [
      { name: 'Парк Север', groups: [], buses: [{ ...bus, device_id: 'RW-1', cameras }] },
    ],
  };
  const made = await ask<{ units: { bus_id: number }[] }>(
    ...[product.url, token, 'POST', '/api/fleet', plan],
  );
  return made.units[0]?.bus_id ?? 0;
}

async function insertNews(product: Product, now: Date): Promise<void> {
  await queryOf(
    product,
    `insert into news (type, title, text, date_from, created_at)
    select type, title, text, $1::timestamptz - age, $1::timestamptz - age
    from (values
      ('NEWS', 'Статистика: сравнение с прошлой неделей', 'На главной каждая цифра стоит рядом с тем же днём недели.', interval '3 hours'),
      ('NEWS', 'Работы ночью, 02:00–03:00 МСК', 'Видео может открываться с задержкой.', interval '1 day'),
      ('FAQ', 'Как считаются люди?', 'Датчик над дверью считает вошедших и вышедших.', interval '9 days'),
      ('FAQ', 'Почему выручка за день изменилась?', 'Прибор дослал данные, или кто-то посчитал фрагмент вручную. История калькулятора называет причину.', interval '10 days')
    ) as own (type, title, text, age)`,
    [now],
  );
}

/** An id that knocks in another protocol. It is ignored, so that home does not tell of it. */
async function insertUnknownUnit(product: Product, now: Date): Promise<void> {
  await queryOf(
    product,
    `insert into knocks (protocol, protocol_id, address, first_at, last_at, records, sent_time,
      latitude, longitude, ignored)
    values ('egts', '4021', '10.20.0.5', $1::timestamptz - interval '1 day', $1, 812, $1, 55.75, 37.62, true)`,
    [now],
  );
}

async function makeKey(product: Product): Promise<void> {
  const token = await signIn(product.url, 'admin');
  const customers = await ask<{ items: { id: number }[] }>(
    ...[product.url, token, 'GET', '/api/admin/customers'],
  );
  const body = { client_id: customers.items[0]?.id, name: 'Табло', scopes: ['buses', 'counts'] };
  await ask(product.url, token, createApiKey.method, createApiKey.path, body);
}

/** A system that gets records of all buses. It is off, so that home does not tell of what waits for it. */
async function makeUpstream(product: Product): Promise<void> {
  const token = await signIn(product.url, 'admin');
  await ask(product.url, token, createUpstream.method, createUpstream.path, {
    ...{ name: 'Региональная навигационная система', host: 'egts.region.example', port: 20_332 },
    ...{ enabled: false, sign_in: 'dispatcher', sign_in_id: 4021, sign_in_text: 'Ridewatch' },
    all_clients: true,
  });
}

/** The lists of sections whose name is not that of their call. */
const LISTS: Readonly<Partial<Record<AdminSection, string>>> = {
  ...{ keys: '/api/keys', unknown_units: '/api/admin/unknown-units' },
  // The section shows changes first, and they have more to show than sign-ins.
  audit: '/api/admin/audit?kind=change',
};

async function findRowIds(product: Product): Promise<Subject['rowIds']> {
  const token = await signIn(product.url, 'admin');
  const pairs = await Promise.all(
    shownDrawers.map(async (section) => {
      const address = LISTS[section] ?? `/api/admin/${section}`;
      const { items } = await ask<{ items: { id: number }[] }>(
        ...[product.url, token, 'GET', address],
      );
      if (items[0] === undefined) throw new Error(`The book has no row of ${section}.`);
      return [section, items[0].id] as const;
    }),
  );
  return Object.fromEntries(pairs);
}

/** The bus with the most stored video and its last day, with laps. */
async function findSubject(
  product: Product,
): Promise<Omit<Subject, 'today' | 'passwordPath' | 'rowIds'>> {
  const { rows } = await queryOf<{ bus: string; unit: string; start: Date }>(
    product,
    `select workplaces.id as bus, max(units.id) as unit, max(segments.start_time) as start
    from segments join cameras on cameras.id = segments.camera_id
    join workplaces on workplaces.id = cameras.workplace_id
    join units on units.workplace_id = workplaces.id
    where not cameras.live
    group by workplaces.id
    order by count(*) filter (where segments.status in ('PROCESSED', 'WAS_MERGED')) desc, count(*) desc
    limit 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('The fleet has no fragments.');
  const { rows: others } = await queryOf<{ cabin: string; priced: string }>(
    product,
    `select (select workplace_id from cameras where live order by id limit 1) as cabin,
      (select workplace_id from workplace_settings join route_groups on route_groups.id = group_id
        where type_calculation = 'CALCULATION' order by workplace_id limit 1) as priced`,
  );
  const subject = {
    ...{ busId: Number(found.bus), unitId: Number(found.unit) },
    ...{ cabinId: Number(others[0]?.cabin), pricedId: Number(others[0]?.priced) },
  };
  const day = dayOf(found.start.getTime(), ZONE);
  const token = await signIn(product.url, 'admin');
  await waitFor(
    async () => {
      const address = `/api/bus-stop/day-laps?workplaceId=${subject.busId}&date=${day}`;
      const laps = await ask<{ items: unknown[]; pending: boolean }>(
        ...[product.url, token, 'GET', address],
      );
      return laps.items.length > 0 && !laps.pending;
    },
    'the laps of the day',
    LAPS_LIMIT_MS,
  );
  return { ...subject, day };
}

async function requestReport(product: Product, today: string): Promise<void> {
  const token = await signIn(product.url, 'admin');
  const range = { from: today, to: today };
  for (const kind of ['passenger-traffic', 'tariff-calc', 'bus-load'] as const) {
    const body = { parameters: { kind, ...range } };
    await ask(product.url, token, 'POST', '/api/reports', body);
  }
}
