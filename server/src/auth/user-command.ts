// npm run user -- create|list|disable|enable|set-password|remove-second-factor: manages the accounts of an installation on its machine,
// whether the server runs or not.

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { AuditAction } from '@ridewatch/contract/action-words';
import { Login } from '@ridewatch/contract/admin-users';
import { Role } from '@ridewatch/contract/auth';
import { clientName } from '../access/client.ts';
import { insertAudit } from '../core/audit.ts';
import { createClock } from '../core/clock.ts';
import { readConfig } from '../core/config.ts';
import { limitsOf } from '../core/db/connections.ts';
import { type Db, migrate, openDatabase } from '../core/db/db.ts';
import { openInstalledDatabase } from '../core/db/installed-database.ts';
import { hasErrorCode } from '../core/errors.ts';
import { findAccountByLogin, lockClients, nextUserId, revokeSessions } from './accounts.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { removeSecondFactor } from './second-factor.ts';

const USAGE = `npm run user -- create --login LOGIN [--role ADMIN] [--client ID] [--password-stdin]
npm run user -- set-password --login LOGIN [--password-stdin]
npm run user -- disable --login LOGIN
npm run user -- enable --login LOGIN
npm run user -- remove-second-factor --login LOGIN
npm run user -- list

Roles: ${Role.options.join(', ')}; every role but ADMIN needs the id of its customer.
A password has 10 characters at least; it is asked for twice, or read from standard input.`;

interface Wanted {
  readonly login: string;
  readonly role: string;
  readonly client: string | undefined;
  readonly fromStdin: boolean;
  readonly nowMs: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      login: { type: 'string' },
      role: { type: 'string', default: 'ADMIN' },
      client: { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(USAGE);
  const [command = ''] = positionals;
  const run = commands[command];
  if (run === undefined) throw new Error(USAGE);
  if (command !== 'list' && values.login === undefined) throw new Error('--login is required.');
  await withDatabase((db, nowMs) =>
    run(db, {
      nowMs,
      login: values.login ?? '',
      role: values.role,
      client: values.client,
      fromStdin: values['password-stdin'],
    }),
  );
}

const commands: Readonly<Record<string, (db: Db, wanted: Wanted) => Promise<void>>> = {
  create: createUser,
  list: listUsers,
  'set-password': setPassword,
  disable: (db, wanted) => setEnabled(db, wanted, false),
  enable: (db, wanted) => setEnabled(db, wanted, true),
  'remove-second-factor': removeFactor,
};

async function createUser(db: Db, wanted: Wanted): Promise<void> {
  const login = Login.safeParse(wanted.login);
  if (!login.success) throw new Error(`--login ${login.error.issues[0]?.message}.`);
  const role = Role.safeParse(wanted.role);
  if (!role.success) throw new Error(`--role must be one of ${Role.options.join(', ')}.`);
  const isAdmin = role.data === 'ADMIN';
  if (isAdmin !== (wanted.client === undefined)) {
    throw new Error('--client is required for every role except ADMIN, which has none.');
  }
  const clientId = wanted.client === undefined ? null : Number(wanted.client);
  const password_hash = await hashPassword(await askPassword(wanted));
  try {
    await db.transaction().execute(async (tx) => {
      if (clientId !== null) await lockClients(tx, [clientId]);
      const { id } = await tx
        .insertInto('users')
        .values({
          id: await nextUserId(tx, clientId),
          login: wanted.login,
          role: role.data,
          client_id: clientId,
          password_hash,
          created_at: new Date(wanted.nowMs),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await insertAudit(
        tx,
        { atMs: wanted.nowMs },
        {
          action: 'create_user',
          objectType: 'user',
          objectId: id,
          after: { login: wanted.login, role: role.data, client_id: clientId },
        },
      );
    });
  } catch (error) {
    if (hasErrorCode(error, '23505')) throw new Error(`The user ${wanted.login} already exists.`);
    if (hasErrorCode(error, '23503'))
      throw new Error(`The customer ${wanted.client} does not exist.`);
    throw error;
  }
  say(`${role.data} ${wanted.login} may sign in.`);
}

async function setPassword(db: Db, wanted: Wanted): Promise<void> {
  const password_hash = await hashPassword(await askPassword(wanted));
  await changeUser(db, wanted, 'set_password', { password_hash });
  say(`${wanted.login} has a new password and is signed out everywhere.`);
}

async function setEnabled(db: Db, wanted: Wanted, enabled: boolean): Promise<void> {
  const { login } = wanted;
  await changeUser(db, wanted, enabled ? 'enable_user' : 'disable_user', { enabled });
  say(enabled ? `${login} may sign in again.` : `${login} may not sign in any more.`);
}

async function changeUser(
  db: Db,
  { login, nowMs }: Wanted,
  action: AuditAction,
  change: { enabled: boolean } | { password_hash: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set(change)
      .where((eb) => eb(eb.fn('lower', ['login']), '=', login.toLowerCase()))
      .returning('id')
      .executeTakeFirst();
    if (user === undefined) throw new Error(`The user ${login} does not exist.`);
    await revokeSessions(tx, { userId: user.id }, action, nowMs);
    await insertAudit(tx, { atMs: nowMs }, { action, objectType: 'user', objectId: user.id });
  });
}

async function removeFactor(db: Db, { login, nowMs }: Wanted): Promise<void> {
  const account = await findAccountByLogin(db, login);
  if (account === undefined) throw new Error(`The user ${login} does not exist.`);
  await db.transaction().execute((tx) => removeSecondFactor(tx, { atMs: nowMs }, account.userId));
  say(`${login} signs in with the password alone.`);
}

async function listUsers(db: Db): Promise<void> {
  const users = await db
    .selectFrom('users')
    .leftJoin('clients', 'clients.id', 'users.client_id')
    .select(['users.id', 'login', 'role', 'users.enabled', clientName.as('client')])
    .orderBy('users.id')
    .execute();
  for (const { id, login, role, enabled, client } of users) {
    say([id, login, role, client, enabled ? '' : 'inactive'].join('\t').trimEnd());
  }
}

async function askPassword({ fromStdin }: Wanted): Promise<string> {
  if (!fromStdin && !process.stdin.isTTY) {
    throw new Error('There is no terminal. Pass the password by --password-stdin.');
  }
  const password = fromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : await askTwice();
  checkNewPassword(password, 'password');
  return password;
}

async function askTwice(): Promise<string> {
  const first = await askHidden('Password: ');
  if (first !== (await askHidden('Once more: '))) throw new Error('The passwords differ.');
  return first;
}

// Typed passwords are not shown: the terminal's echo goes to an output that discards it.
async function askHidden(question: string): Promise<string> {
  process.stdout.write(question);
  const terminal = createInterface({ input: process.stdin, terminal: true });
  try {
    return await new Promise((resolve) => terminal.question('', resolve));
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}

async function withDatabase(work: (db: Db, nowMs: number) => Promise<void>): Promise<void> {
  const config = readConfig();
  const installed = await openInstalledDatabase(config);
  try {
    await migrate(installed.url);
    const database = openDatabase(installed.url, 2, limitsOf.api, (error) => {
      throw error;
    });
    await work(database.db, createClock(config.clockOffsetMs).nowMs()).finally(database.close);
  } finally {
    await installed.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
