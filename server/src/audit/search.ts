// Finds commands by a text. It is resolved first to the keys of indexes: objects that are or were called so, their users
// and units as authors, and actions. So the time of a search depends on what it finds, not on the length of the log.
import { sayAction } from '@ridewatch/contract/action-words';
import { folded } from '@ridewatch/contract/folded';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Db } from '../core/db/db.ts';
import { foldedText } from '../core/db/folded.ts';
import { listValues } from './values.ts';

/** Most objects whose commands a search finds: those with the shortest names, so that the very name is among them. */
const MOST_OBJECTS = 5_000;

/** The type of buses in the log. */
const BUS = 'workplace';

/** The meaning of a text. */
export interface Sought {
  readonly text: string;
  /** Types and ids of objects, each object at one place of both. */
  readonly types: readonly string[];
  readonly ids: readonly string[];
  readonly userIds: readonly number[];
  readonly unitIds: readonly number[];
  readonly actions: readonly string[];
}

const presentNames = {
  client: sql`select id, ${clientName} as name from clients`,
  api_key: sql`select id, name from api_keys`,
  user: sql`select id, login as name from users`,
  workplace: sql`select id, name from workplaces`,
  unit: sql`select id, device_id as name from units`,
  camera: sql`select id, name from cameras`,
  route_group: sql`select id, name from route_groups`,
  stop_classifier: sql`select id, name from stop_classifiers`,
  news: sql`select id, title as name from news`,
  message: sql`select id, title as name from messages`,
  upstream: sql`select id, name from upstreams`,
} as const satisfies Record<string, RawBuilder<unknown>>;

/**
 * Finds out what a text can mean: a whole number of an object or a request, or a part of a name, in any case.
 * @param search undefined and blank: no search
 */
export async function resolveSearch(
  db: Db,
  search: string | undefined,
): Promise<Sought | undefined> {
  const text = search?.trim() ?? '';
  const part = folded(text);
  if (part === '') return undefined;
  const objects = await listCalled(db, part);
  const idsOf = (...wanted: readonly string[]): number[] =>
    objects
      .filter(({ type }) => wanted.includes(type))
      .map(({ id }) => Number(id))
      .filter(Number.isSafeInteger);
  const numbered = (await listValues(db, 'object_type')).map((type) => ({ type, id: text }));
  const all = new Map([...objects, ...numbered].map((one) => [`${one.type} ${one.id}`, one]));
  return {
    text,
    types: [...all.values()].map(({ type }) => type),
    ids: [...all.values()].map(({ id }) => id),
    userIds: idsOf('user', 'api_key'),
    unitIds: idsOf('unit'),
    actions: (await listValues(db, 'action')).filter((action) =>
      wordsOf(action).some((word) => folded(word).includes(part)),
    ),
  };
}

const wordsOf = (action: string): readonly string[] => [
  action,
  sayAction(action, 'ru_RU'),
  sayAction(action, 'en_US'),
];

/** Lists the objects whose present name, or one in their entries, contains a part. */
async function listCalled(db: Db, part: string): Promise<{ type: string; id: string }[]> {
  const present = Object.entries(presentNames).map(
    ([type, rows]) => sql`select ${type}::text as type, id::text, name from (${rows}) as present`,
  );
  const { rows } = await sql<{ type: string; id: string }>`
    select type, id from (
      select type, id, ${foldedText(sql`name`)} as name from (
        ${sql.join(present, sql` union all `)}
        union all
        select object_type, object_id, name from audit_log cross join unnest(object_names) as name
          where object_names is not null
      ) as called
    ) as compared
    where strpos(name, ${part}) > 0
    group by type, id order by min(length(name)), type, id limit ${MOST_OBJECTS}`.execute(db);
  return rows;
}

/**
 * The commands about the bus that filters name, also the moves of units from and to it, as something sought.
 * @param objectType undefined: of any type
 * @returns undefined where they name no bus
 */
export function soughtBus(
  objectType: string | undefined,
  objectId: string | undefined,
): Sought | undefined {
  if (objectType !== BUS || objectId === undefined) return undefined;
  const none = { userIds: [], unitIds: [], actions: [] };
  return { text: '', types: [objectType], ids: [objectId], ...none };
}

/** Most keys for each of which a page reads its latest commands; for more it goes through the log from its end. */
const FEW_KEYS = 100;

/** Whether a text means so little that each meaning can be read as far as a page needs. */
export const hasFewKeys = ({ ids, userIds, unitIds, actions }: Sought): boolean =>
  ids.length + userIds.length + unitIds.length + actions.length <= FEW_KEYS;

/** The columns of `audit_log` whose values are keys of an index. */
type KeyColumn =
  | ('object_id' | 'left_bus_id' | 'entered_bus_id')
  | ('user_id' | 'unit_id' | 'action' | 'request_id');

/** The ids of the sought buses, from and to which units moved. */
const busesOf = ({ types, ids }: Pick<Sought, 'types' | 'ids'>): readonly string[] =>
  ids.filter((_, at) => types[at] === BUS);

/**
 * The ids of commands that were sought, each once: for each key of an index the latest.
 * @param filters a condition for rows of `audit_log`
 * @param ofKey most ids for each object, author, action and request
 * @param ofKind most ids for all objects, all authors and all actions; null: as many as there are
 */
export function soughtIds(
  { text, types, ids, userIds, unitIds, actions }: Sought,
  filters: RawBuilder<boolean>,
  ofKey: number,
  ofKind: number | null,
): RawBuilder<unknown> {
  // A range of one value, and the order by it, leave no other index than its own: for a rare value the planner might go
  // through the whole log, which takes seconds.
  const entriesOf = (
    keys: RawBuilder<unknown>,
    column: KeyColumn,
    also = sql<boolean>`true`,
  ) => sql`(
    select entry.id from ${keys} cross join lateral (
      select id from audit_log
      where ${sql.ref(column)} between sought.key and sought.key and ${also} and ${filters}
      order by ${sql.ref(column)} desc, id desc limit ${ofKey}
    ) as entry limit ${ofKind})`;
  const objects = sql`unnest(${types}::text[], ${ids}::text[]) as sought(type, key)`;
  const buses = sql`unnest(${busesOf({ types, ids })}::text[]) as sought(key)`;
  const accounts = (keys: readonly number[]) => sql`unnest(${keys}::bigint[]) as sought(key)`;
  return sql.join(
    [
      entriesOf(objects, 'object_id', sql`object_type = sought.type`),
      entriesOf(buses, 'left_bus_id'),
      entriesOf(buses, 'entered_bus_id'),
      entriesOf(accounts(userIds), 'user_id'),
      entriesOf(accounts(unitIds), 'unit_id'),
      entriesOf(sql`unnest(${actions}::text[]) as sought(key)`, 'action'),
      entriesOf(sql`(select ${text}::text as key) as sought`, 'request_id'),
    ],
    sql` union `,
  );
}

/** Whether a row of `audit_log` was sought. No index serves it: for the latest rows where many of the log were sought. */
export const isSought = ({
  text,
  types,
  ids,
  userIds,
  unitIds,
  actions,
}: Sought): RawBuilder<boolean> => {
  const objects = ids.map((id, at) => `${types[at]} ${id}`);
  const buses = busesOf({ types, ids });
  return sql`(object_type || ' ' || object_id = any(${objects}::text[])
    or left_bus_id = any(${buses}::text[]) or entered_bus_id = any(${buses}::text[])
    or user_id = any(${userIds}::bigint[]) or unit_id = any(${unitIds}::bigint[])
    or action = any(${actions}::text[]) or request_id = ${text})`;
};
