// Sets up the objects of the requests: two customers, each with a bus that has laps and video, one login of each kind,
// and all ids. It uses HTTP only, so that the product is the one that customers run.
import type { FleetPlan } from '@ridewatch/contract/fleet';
import { drive, lengthMs, planOf } from '../harness/drive.ts';
import { ask, sendRecords, setUpFleet, waitFor } from '../harness/product.ts';
import { uploadVideo } from '../harness/upload-video.ts';
import { makeChangeable } from './changeable.ts';
import { type Asker, userNames } from './requests.ts';

/** Age at which a token of 15 minutes is renewed, ms. */
const RENEW_AFTER_MS = 10 * 60_000;
const SIGN_IN_TRIES = 20;
/** Source address of our own sign-ins, so that failed ones of the requests do not block them. */
const OWN_ADDRESS = '192.0.2.1';
/** Environment of the product, in which it trusts that address. */
export const ENVIRONMENT = { TRUST_PROXY: '127.0.0.1' };
/** Login of the user who signs out; no other requests use it. */
const LEAVER = 'owner3';
const DAY_MS = 86_400_000;

export interface World {
  /** Existing ids by field name. */
  readonly known: ReadonlyMap<string, readonly (string | number)[]>;
  /** Time of the set-up, ms since 1970 UTC. */
  readonly nowMs: number;
  /** Announced fragments without video. */
  readonly announced: readonly { readonly stream: string; readonly seq: number }[];
  /** The service camera of the first bus. */
  readonly cabinId: number;
  /** A playable video. */
  readonly clip: Buffer;
  /** The Authorization header of an asker; undefined for nobody. */
  authorize(asker: Asker): Promise<string | undefined>;
  /** Drops a refused credential, so that the next request gets a new one. */
  forget(asker: Asker): void;
}

/** Sets up the world on a fresh demo product. @param clip a short video that browsers play */
export async function makeWorld(url: string, clip: Buffer): Promise<World> {
  const tokens = new Map<Asker, { token: Promise<string>; untilMs: number }>();
  const units = await setUpFleet(url, plan());
  const tokenOf = (asker: Asker): Promise<string> => {
    const kept = tokens.get(asker);
    if (kept !== undefined && kept.untilMs > Date.now()) return kept.token;
    const token = signIn(url, asker === 'leaver' ? LEAVER : asker);
    tokens.set(asker, { token, untilMs: Date.now() + RENEW_AFTER_MS });
    token.catch(() => tokens.delete(asker));
    return token;
  };
  const authorize: World['authorize'] = async (asker) => {
    if (asker === 'nobody') return undefined;
    if (asker === 'stranger') return 'Bearer rwu_nobody';
    const unit = asker === 'unit1' ? 0 : 1;
    const isUnit = asker === 'unit1' || asker === 'unit2';
    return `Bearer ${isUnit ? units[unit]?.credential : await tokenOf(asker)}`;
  };
  const nowMs = Date.now();
  const announced = await report(url, units, clip, nowMs);
  const admin = await tokenOf('admin');
  await waitForLaps(url, admin, units, nowMs);
  const known = await listKnown(url, admin, nowMs);
  for (const [name, ids] of await makeChangeable(url, admin)) known.set(name, ids);
  const [cabinId = 0] = (known.get('cabin') ?? []) as number[];
  for (const user of userNames) await tokenOf(user);
  const { items } = await ask<{ items: readonly { readonly id: string }[] }>(
    url,
    await tokenOf('leaver'),
    'GET',
    '/api/auth/sessions',
  );
  known.set(
    'sessionId',
    items.map(({ id }) => id),
  );
  return {
    known,
    nowMs,
    announced,
    cabinId,
    clip,
    authorize,
    forget: (asker) => tokens.delete(asker),
  };
}

async function signIn(url: string, login: string, triesLeft = SIGN_IN_TRIES): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('ridewatch-web:').toString('base64')}`,
      'x-forwarded-for': OWN_ADDRESS,
    },
    body: new URLSearchParams({ grant_type: 'password', username: login, password: 'demo' }),
  });
  const { access_token } = (await answer.json()) as { access_token?: string };
  if (access_token !== undefined) return access_token;
  if (answer.status !== 503 || triesLeft === 0) {
    throw new Error(`${login} cannot sign in: ${answer.status}`);
  }
  // Judged requests report a 503; this one only has to succeed.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return signIn(url, login, triesLeft - 1);
}

function plan(): FleetPlan {
  const groups = planOf('Europe/Moscow').customers[0]?.groups ?? [];
  const camera = (stream_id: string, door: number | null) => ({
    name: stream_id,
    stream_id,
    live: door === null,
    door,
  });
  const customer = (name: string, surname: string, device_id: string) => ({
    name,
    surname,
    groups,
    buses: [
      {
        name: `Автобус ${device_id}`,
        type: 'VMS' as const,
        timezone: 'Europe/Moscow',
        gps_trackable: true,
        group: 'Речной',
        device_id,
        cameras: [camera('door1', 1), camera('door2', 2), camera('cabin1', null)],
      },
    ],
  });
  return {
    customers: [customer('Иван', 'Петров', 'unit-1'), customer('Анна', 'Соколова', 'unit-2')],
  };
}

/** Announced fragments of each unit; the first one gets its video. */
const FRAGMENTS = 24;
const FRAGMENT_MS = 20_000;

async function report(
  url: string,
  units: readonly { readonly credential: string }[],
  clip: Buffer,
  nowMs: number,
): Promise<World['announced']> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const startMs = nowMs - lengthMs(2) - 600_000;
  const videos = ['queued', 'kept', 'queued', 'adding'] as const;
  const fragments = Array.from({ length: FRAGMENTS }, (_, at) => ({
    type: 'segment',
    time: iso(startMs + at * 60_000 + FRAGMENT_MS),
    camera: `door${(at % 2) + 1}`,
    start_time: iso(startMs + at * 60_000),
    end_time: iso(startMs + at * 60_000 + FRAGMENT_MS),
    video: videos[at % videos.length],
  }));
  const states = ['door1', 'door2', 'cabin1'].map((camera) => ({
    type: 'camera_state',
    time: iso(nowMs),
    camera,
    status: 'online',
  }));
  const announced: { stream: string; seq: number }[] = [];
  for (const { credential } of units) {
    const { stream } = await sendRecords(url, credential, [
      ...fragments,
      ...states,
      ...drive(startMs, 2),
    ]);
    await uploadVideo(url, credential, { stream, seq: 0 }, clip);
    const isFirst = credential === units[0]?.credential;
    if (isFirst) for (let seq = 1; seq < FRAGMENTS; seq += 1) announced.push({ stream, seq });
  }
  return announced;
}

async function waitForLaps(
  url: string,
  token: string,
  units: readonly { readonly bus_id: number }[],
  nowMs: number,
): Promise<void> {
  const days = [nowMs - DAY_MS, nowMs, nowMs + DAY_MS].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  const lists = units.flatMap(({ bus_id }) =>
    days.map((day) => `/api/bus-stop/day-laps?workplaceId=${bus_id}&date=${day}`),
  );
  await waitFor(async () => {
    const answers = await Promise.all(
      lists.map((path) => ask<{ items: unknown[]; pending: boolean }>(url, token, 'GET', path)),
    );
    const laps = answers.flatMap(({ items }) => items).length;
    return laps > 0 && answers.every(({ pending }) => !pending);
  }, 'the laps of the driven buses');
}

type Row = Readonly<Record<string, unknown>> & { readonly id: number };
interface Rows {
  readonly items: readonly Row[];
}
interface KnownBus extends Row {
  readonly group: Row | null;
  readonly clients: readonly number[];
  readonly cameras: readonly (Row & { readonly live: boolean })[];
}

async function listKnown(
  url: string,
  token: string,
  nowMs: number,
): Promise<Map<string, readonly (string | number)[]>> {
  const get = <T>(path: string): Promise<T> => ask<T>(url, token, 'GET', path);
  const { items: buses } = await get<{ items: readonly KnownBus[] }>('/api/bus_list');
  const cameras = buses.flatMap((bus) => bus.cameras);
  const groups = buses.flatMap(({ group }) => (group === null ? [] : [group.id]));
  const found: Record<string, (string | number)[]> = {
    stops: [],
    places: [],
    costs: [],
    laps: [],
    segments: [],
    units: [],
  };
  const note = (kind: string, ids: readonly unknown[]): void => {
    for (const id of ids) if (typeof id === 'number') found[kind]?.push(id);
  };
  for (const id of groups) {
    const { items: stops } = await get<Rows>(`/api/groups/${id}/stops`);
    note(
      'stops',
      stops.map((one) => one.id),
    );
    note(
      'places',
      stops.map((one) => one.classifier_id),
    );
    note(
      'costs',
      (await get<Rows>(`/api/route-cost/group/${id}`)).items.map((one) => one.id),
    );
  }
  const days = [nowMs - DAY_MS, nowMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
  for (const { id } of buses) {
    note('units', [(await get<Row>(`/api/workplaces/status/${id}`)).deviceId]);
    for (const day of days) {
      const about = `workplaceId=${id}&date=${day}`;
      note(
        'laps',
        (await get<Rows>(`/api/bus-stop/day-laps?${about}`)).items.map((one) => one.lap_id),
      );
      const { segments } = await get<{ segments: readonly Row[] }>(
        `/api/segments/day-segments?${about}`,
      );
      note(
        'segments',
        segments.map((one) => one.id),
      );
    }
  }
  return byField({
    ...found,
    buses: buses.map(({ id }) => id),
    cameras: cameras.map(({ id }) => id),
    cabins: cameras.filter(({ live }) => live).map(({ id }) => id),
    clients: buses.flatMap(({ clients }) => clients),
    groups,
    days,
  });
}

// Ids by the name of the field that takes them.
function byField(found: Readonly<Record<string, readonly (string | number)[]>>) {
  const fields: Readonly<Record<string, string>> = {
    buses: 'busId workplaceId workplace_id bus_id',
    cameras: 'cameraId cameraIds',
    cabins: 'cabin',
    clients: 'clientId clientIds customerId client_id client_ids integrator_ids integratorId',
    groups: 'groupId group_id',
    stops: 'stopId busStopId from_stop_id to_stop_id firstRouteStopId lastRouteStopId',
    places: 'busStopClassifierId classifierId into',
    costs: 'routeCostId',
    laps: 'lapId',
    segments: 'segmentId after from segment_id',
    units: 'deviceId',
    days: 'date dateFrom dateTo startdate enddate valid_from',
  };
  const known = new Map<string, readonly (string | number)[]>([
    ['device_id', ['unit-1', 'unit-2', 'A', 'B']],
    ['stream_id', ['door1', 'door2', 'cabin1']],
    ['camera', ['door1', 'door2', 'cabin1', 'door9']],
    ['grant_type', ['password', 'refresh_token']],
    // Never a right password: sign-in is expensive, and sessions would accumulate.
    ['username', ['integrator', 'nobody', 'x']],
    ['password', ['wrong', 'x']],
    ['old_password', ['wrong']],
  ]);
  for (const [kind, names] of Object.entries(fields)) {
    for (const name of names.split(' ')) known.set(name, [...new Set(found[kind])]);
  }
  return known;
}
