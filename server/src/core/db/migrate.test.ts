import { expect, it } from 'vitest';
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
