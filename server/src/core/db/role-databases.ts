import type { Config, ServerRole } from '../config.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { limitsOf } from './connections.ts';
import { type Database, openDatabase } from './db.ts';

export interface RoleDatabases {
  /** For work of no role: authentication, the demo, readiness. */
  readonly first: Database;
  /** A role's own pool; that of the first role when it does not run here. */
  of(role: ServerRole): Database;
  close(): Promise<void>;
}

/**
 * Opens a pool for each role that runs in this process, so that no role uses up the connections of another and each has
 * its own timeouts.
 * @throws StartError without a role
 */
export function openDatabases(
  url: string,
  { roles, databasePool }: Pick<Config, 'roles' | 'databasePool'>,
  log: Log,
): RoleDatabases {
  const databases = new Map<ServerRole, Database>();
  for (const role of roles) {
    const onError = (error: Error): void =>
      log.warn({ role, reason: error.message }, 'database connection lost');
    databases.set(role, openDatabase(url, databasePool, limitsOf[role], onError));
  }
  const [first] = databases.values();
  if (first === undefined) throw new StartError('--roles names no role.');
  return {
    first,
    of: (role) => databases.get(role) ?? first,
    close: async () => {
      for (const database of databases.values()) await database.close();
    },
  };
}
