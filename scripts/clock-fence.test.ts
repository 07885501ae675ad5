import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../server/src/test/test-database.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Files that may read the machine's clock, with the reason. */
const MAY_ASK: Readonly<Record<string, string>> = {
  'server/src/core/clock.ts': 'the clock itself',
  'unit/src/uplink/timers.ts': 'the clock of units itself',
  'web/src/core/clock.ts': 'the clock of the screens itself',
};

/** Files whose statements may read the database's clock, with the reason. */
const MAY_ASK_THE_DATABASE: Readonly<Record<string, string>> = {
  'server/src/administration/upstreams.ts': 'a lease: whether a process sends to an upstream',
  'server/src/administration/work.ts': 'the queue lives by the clock of the database',
  'server/src/attention/sending/outbox.ts': 'a lease: whether a process sends a message',
  'server/src/core/closed-ports.ts': 'whether a process still tries a port',
  'server/src/core/jobs/job-backlogs.ts': 'how long a job has waited in the queue',
  'server/src/core/jobs/jobs.ts': 'the queue lives by the clock of the database',
  'server/src/core/jobs/jobs-pool.ts': 'a lease: whose worker is gone',
  'server/src/days/nudge.ts': 'the queue lives by the clock of the database',
  'server/src/ingest/jt1078/upload-state.ts': 'a lease: whether a process receives the file',
  'server/src/listeners.ts': 'when a process tried a port',
  'server/src/retranslation/due-rows.ts': 'when a row of the queue is due',
  'server/src/retranslation/leases.ts': 'a lease: which process sends to an upstream',
  'server/src/retranslation/moved-rows.ts': 'when a row of the queue is due',
  'server/src/retranslation/settle.ts': 'when a row of the queue is due',
  'server/src/retranslation/unregistered.ts': 'when a row of the queue is due',
  'server/src/video/uploads/upload-lock.ts': 'a lease',
};

const linesOf = (file: string): string[] => readFileSync(path.join(root, file), 'utf8').split('\n');

function sources(): string[] {
  return globSync('{contract,server,unit,web}/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file) && !/^(server|web)\/src\/test\//.test(file));
}

describe('the time of what happens', () => {
  it("is the process's clock: nobody else asks the machine", () => {
    const asking = /\bDate\.now\b|\bnew Date\(\)|\bdayjs(\.\w+)?\(\)/;
    const files = sources().filter((file) => linesOf(file).some((line) => asking.test(line)));
    expect(files.sort()).toEqual(Object.keys(MAY_ASK).sort());
  });

  it('is no statement that asks the database, but for leases and the queue', () => {
    const asking =
      /\b(now|clock_timestamp|statement_timestamp)\(\)|\b(current_(date|time)|local(time|timestamp))\b/i;
    const files = sources().filter((file) => statementsOf(file).some((text) => asking.test(text)));
    expect(files.sort()).toEqual(Object.keys(MAY_ASK_THE_DATABASE).sort());
  });

  it('is no default of a column', async () => {
    const database = await createTestDatabase();
    const { rows } = await database.pool.query<{ name: string }>(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_default ~* 'now\\(|_timestamp|localtime|current_'`);
    await database.drop();
    // Only somebody who repairs a database reads when a migration was applied.
    expect(rows.map(({ name }) => name)).toEqual(['migrations.applied_at']);
  });
});

// The text between the backticks of sql`…`, without parameters.
function statementsOf(file: string): string[] {
  const text = linesOf(file).join('\n');
  return [...text.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)].map(([, statement = '']) =>
    statement.replaceAll(/\$\{[^}]*\}/g, '?'),
  );
}
