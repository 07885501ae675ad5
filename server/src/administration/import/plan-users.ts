import { Login } from '@ridewatch/contract/admin-users';
import type { Role } from '@ridewatch/contract/auth';
import type { Named } from '@ridewatch/contract/paging';
import * as z from 'zod/mini';
import { knownClients, knownLogins, listBeyond } from './known.ts';
import { checkBody } from './reading.ts';
import {
  byCell,
  changeOf,
  clientOf,
  createOnce,
  fieldsIn,
  type MakePlanner,
  valuesOf,
} from './row-plan.ts';
import { readStored } from './stored.ts';
import { ROLES, YES_NO } from './words.ts';

interface Rights {
  readonly role: Role;
  readonly client: Named | null;
  readonly can_edit: boolean;
}

const bodyOf = ({ role, client, can_edit }: Rights) => ({
  ...{ role, can_edit },
  client_id: client?.id ?? null,
});

/** Users are found by their logins. Nobody gives rights to see more than the user who loads the table sees. */
export const planUsers: MakePlanner<'users'> = async (db, viewer, table, nowMs) => {
  const clients = await knownClients(db, viewer);
  const taken = await knownLogins(db, valuesOf(table, 'login'));
  const stored = await readStored.users(db, viewer, nowMs);
  const known = byCell(stored, ({ login }, read) => read(login).toLowerCase());
  const tooMuch = await listBeyond(db, viewer);
  const once = createOnce();
  const seesAll = (role: Role) => role === 'ADMIN' || role === 'INTEGRATOR';
  /** The columns of rights that are beyond those of the viewer. */
  const beyond = ({ role, client }: Rights): string[] => {
    if (viewer.clientIds === 'all') return [];
    const isBeyond = client !== null && tooMuch.has(client.id);
    return [...(seesAll(role) ? ['role'] : []), ...(isBeyond ? ['client'] : [])];
  };
  return (reader) => {
    const login = reader.text('login');
    const own = known.get(login.toLowerCase());
    if (own === undefined && taken.has(login.toLowerCase())) reader.refuse('login', 'taken');
    if (login !== '') once(reader, 'login', login.toLowerCase());
    if (own === undefined) {
      if (login !== '') checkBody(reader, z.object({ login: Login }), { login });
      reader.need(['role']);
    }
    const role = reader.choice('role', ROLES) ?? own?.role;
    const named = clientOf(reader, clients, own?.client ? [own.client] : []);
    const can_edit = reader.choice('can_edit', YES_NO) ?? own?.can_edit ?? false;
    if (role === undefined) {
      // No role may have it.
      if (named && tooMuch.has(named.id)) reader.refuse('client', 'no_right');
      return undefined;
    }
    if (role === 'ADMIN' && reader.text('client') !== '') reader.refuse('client', 'no_client');
    const client = role === 'ADMIN' ? null : (named ?? own?.client ?? null);
    if (role !== 'ADMIN' && client === null) reader.need(['client']);
    const next = { role, client, can_edit };
    const tooHigh = beyond(next);
    if (own === undefined) {
      for (const column of tooHigh) reader.refuse(column, 'no_right');
      return { kind: 'users', creation: { kind: 'users', login, ...next } };
    }
    const body = changeOf<object>(bodyOf(own), bodyOf(next));
    const columns = fieldsIn(body).map((field) => (field === 'client_id' ? 'client' : field));
    for (const column of body ? [...tooHigh, ...beyond(own)] : [])
      reader.refuse(column, 'no_right');
    if (own.id === viewer.userId && role !== own.role) reader.refuse('role', 'own_role');
    const change = body && ({ kind: 'users', id: own.id, body } as const);
    return { kind: 'users', stored: own, columns, change };
  };
};
