import { verify } from '@node-rs/argon2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../core/config.ts';
import { createLog } from '../core/log.ts';
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts';
import { createTestClock } from '../test/test-deps.ts';
import { prepareDemo } from './seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const prepare = (demo: boolean) =>
  prepareDemo({
    config: readConfig({}, { demo }),
    database,
    clock: createTestClock(Date.parse('2026-03-01T09:00:00Z')),
    log: createLog('silent'),
  });

describe('the demo', () => {
  it('has customers 20, 21 and 22, whose first accounts carry the same ids', async () => {
    await prepare(true);
    const owners = await database.db
      .selectFrom('users')
      .innerJoin('clients', 'clients.id', 'users.client_id')
      .select(['users.id', 'client_id', 'login', 'name'])
      .where('role', '=', 'CUSTOMER')
      .orderBy('users.id')
      .execute();
    expect(owners).toEqual([
      { id: 20, client_id: 20, login: 'owner1', name: 'Иван' },
      { id: 21, client_id: 21, login: 'owner2', name: 'Анна' },
      { id: 22, client_id: 22, login: 'owner3', name: 'ООО «Затон-Транс»' },
    ]);
  });

  it('lets every login in with the password demo', async () => {
    await prepare(true);
    const users = await database.db.selectFrom('users').select('password_hash').execute();
    expect(users).toHaveLength(6);
    for (const user of users) {
      expect(user.password_hash).toMatch(/^\$argon2id\$/);
      expect(await verify(user.password_hash, 'demo')).toBe(true);
    }
  });

  it('gives the next account an id that is free', async () => {
    await prepare(true);
    const { id } = await database.db
      .insertInto('clients')
      .values({ name: 'Новый', created_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(23);
  });

  it('changes nothing when started again', async () => {
    await prepare(true);
    await prepare(true);
    expect(await database.db.selectFrom('news').select('id').execute()).toHaveLength(6);
    expect(await database.db.selectFrom('messages').select('id').execute()).toHaveLength(2);
  });

  it('refuses a database that it did not make', async () => {
    await database.db
      .insertInto('clients')
      .values({ name: 'Настоящий', created_at: new Date() })
      .execute();
    await expect(prepare(true)).rejects.toThrow(
      'has data that the demo did not create. Start it without the demo (npm start -- --no-demo)',
    );
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('is not run as a production by mistake', async () => {
    await prepare(true);
    await expect(prepare(false)).rejects.toThrow('Start it with the demo (npm start)');
  });

  it('leaves an installation without the demo alone', async () => {
    await prepare(false);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});
