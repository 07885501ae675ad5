import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestClient } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { casesOf } from '../test/tries-of.ts';
import { addAuth } from './api.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
});
afterAll(() => server.close());

async function user(args: readonly string[], input = ''): Promise<{ code: number; said: string }> {
  const child = spawn(
    process.execPath,
    [path.resolve(import.meta.dirname, 'user-command.ts'), ...args],
    { env: { ...process.env, DATABASE_URL: server.deps.database.url } },
  );
  child.stdin.end(input);
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await new Promise<number>((resolve) =>
    child.once('exit', (one) => resolve(one ?? 1)),
  );
  return { code, said: (await said).join('') };
}
const create = (login: string, password: string) =>
  user(['create', '--login', login, '--password-stdin'], password);

describe('the user command', () => {
  it('makes the first administrator of an empty installation, who can sign in', async () => {
    expect(await create('boss', 'a long password\n')).toMatchObject({ code: 0 });
    expect(await server.signIn('boss', 'a long password')).toMatch(/^ey/);
    expect((await user(['list'])).said).toContain('boss\tADMIN');
  });

  it('lists users with the name and the surname of their customer', async () => {
    const id = await insertTestClient(server.deps.database.db, 'Иван');
    await user(
      [
        ...['create', '--login', 'ivan', '--role', 'CUSTOMER'],
        '--client',
        `${id}`,
        '--password-stdin',
      ],
      'a long password',
    );
    await user(['disable', '--login', 'ivan']);
    expect((await user(['list'])).said).toContain('ivan\tCUSTOMER\tИван Иван-фамилия\tinactive');
  });

  const mistakes: [name: string, run: () => ReturnType<typeof user>, sentence: string][] = [
    ['a short password', () => create('short', 'too short'), 'at least 10 characters'],
    ['nothing at all', () => user([]), 'npm run user -- create'],
    ['a login that is taken', () => create('BOSS', 'a long password'), 'already'],
    [
      'an invisible login',
      () => create('bo\u200bss', 'a long password'),
      '--login must have no invisible',
    ],
    ['no login', () => user(['create']), '--login'],
    ['an unknown role', () => user(['create', '--login', 'x', '--role', 'KING']), '--role'],
    [
      'a customer that is not there',
      () =>
        user(
          ['create', '--login', 'x', '--role', 'CUSTOMER', '--client', '999', '--password-stdin'],
          'a long password',
        ),
      'customer 999 does not exist',
    ],
    ['an unknown user', () => user(['disable', '--login', 'nobody']), 'user nobody does not exist'],
  ];
  it.each(casesOf(mistakes, 2))('answers %s with a sentence', async (_name, run, sentence) => {
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain(sentence);
  });

  it('blocks a user, and gives a new password', async () => {
    await create('driver', 'a long password');
    await user(['disable', '--login', 'driver']);
    await expect(server.signIn('driver', 'a long password')).rejects.toThrow('user_inactive');
    await user(['enable', '--login', 'driver']);
    await user(['set-password', '--login', 'driver', '--password-stdin'], 'another password');
    expect(await server.signIn('driver', 'another password')).toMatch(/^ey/);
  });

  it('takes a lost second factor away, for an installation with one administrator', async () => {
    await create('alone', 'a long password');
    const { db } = server.deps.database;
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('login', '=', 'alone')
      .executeTakeFirstOrThrow();
    const at = new Date(server.clock.nowMs());
    await db
      .insertInto('second_factors')
      .values({ user_id: id, secret: Buffer.alloc(20), created_at: at, confirmed_at: at })
      .execute();
    await expect(server.signIn('alone', 'a long password')).rejects.toThrow('mfa_required');
    await user(['remove-second-factor', '--login', 'alone']);
    expect(await server.signIn('alone', 'a long password')).toMatch(/^ey/);
  });
});
