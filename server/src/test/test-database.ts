import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { limitsOf } from '../core/db/connections.ts';
import { type Database, openDatabase } from '../core/db/db.ts';

export interface TestDatabase extends Database {
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

/**
 * Creates a database for one test file.
 * @param template database to copy: the migrated template, or PostgreSQL's `template1` for one without tables
 */
export async function createTestDatabase(
  template: 'template_ridewatch' | 'template1' = 'template_ridewatch',
): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const ask = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  // To copy files takes half the time of writing each page to the log.
  await ask(`create database ${name} template ${template} strategy file_copy`);
  // The pool reports its end before the last connection is closed, so the drop may come first.
  let closing = false;
  const database = openDatabase(
    serverUrl.replace(/postgres$/, name),
    10,
    limitsOf.worker,
    (error) => {
      if (!closing) throw error;
    },
  );
  return {
    ...database,
    drop: async () => {
      closing = true;
      await database.close();
      await ask(`drop database ${name} with (force)`);
    },
  };
}
