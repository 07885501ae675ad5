import { expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';
import { migrate } from './db.ts';

it('the database of a newer version is not opened, and the message says what to do', async () => {
  const database = await createTestDatabase();
  try {
    expect(await migrate(database.url)).toEqual([]);
    await database.pool.query("insert into migrations (name) values ('9999-later.sql')");
    await expect(migrate(database.url)).rejects.toThrow(
      'newer version: it has the migration 9999-later.sql. Start that version, or restore a backup',
    );
  } finally {
    await database.drop();
  }
});

it('a database that ends meanwhile is told in a sentence', async () => {
  const database = await createTestDatabase();
  const holder = await database.pool.connect();
  try {
    // The tables are made under this lock.
    await holder.query('begin');
    await holder.query('lock table migrations');
    const migrating = expect(migrate(database.url)).rejects.toThrow(
      'The database ended while its tables were made. Start again.',
    );
    await vi.waitFor(async () => {
      const { rows } =
        await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'ridewatch migrations' and datname = current_database()
          and wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    });
    await migrating;
  } finally {
    await holder.query('rollback');
    holder.release();
    await database.drop();
  }
});
