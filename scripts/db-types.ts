// Writes server/src/core/db/db-types.ts from the migrations, which a real PostgreSQL applies. `--check` writes nothing
// and fails if the file differs.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limitsOf } from '../server/src/core/db/connections.ts';
import { startDatabaseProcess } from '../server/src/core/db/database-process.ts';
import { migrate, openDatabase } from '../server/src/core/db/db.ts';

const target = path.resolve(import.meta.dirname, '../server/src/core/db/db-types.ts');

/** Types that the driver returns with the parsers of server/src/core/db/db.ts, by PostgreSQL's type name. */
const typeScriptNames: Readonly<Record<string, string>> = {
  _int4: 'number[]',
  _int8: 'number[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  int8multirange: 'string',
  jsonb: 'Json',
  numeric: 'Numeric',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
};

const header = `// Made from server/migrations by \`npm run db:types\`; not edited by hand.
import type { ColumnType } from 'kysely';

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>;
type Json = ColumnType<unknown, string, string>;
type Numeric = ColumnType<string, number | string, number | string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
`;

// A view's columns have the names of its tables', and are as those are; it leaves out rows with nothing in a column that
// one of its tables requires.
const columnsQuery = `
  select c.relname as table_name, a.attname as column_name, t.typname as type_name,
         not coalesce(of_tables.are_required, a.attnotnull) as nullable,
         a.atthasdef or a.attidentity = 'd' as has_default,
         a.attidentity = 'a' or a.attgenerated <> '' as always_generated
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join lateral (
      select bool_or(attnotnull) as are_required
        from information_schema.view_column_usage u
        join pg_attribute on attrelid = to_regclass(u.table_name) and attname = u.column_name
       where c.relkind = 'v' and u.view_name = c.relname and u.column_name = a.attname
    ) as of_tables on true
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
   order by c.relname, a.attnum`;

const choicesQuery = `
  select c.relname as table_name, a.attname as column_name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
   where k.contype = 'c' and cardinality(k.conkey) = 1 and c.relnamespace = 'public'::regnamespace`;

const text = await describe();
if (process.argv.includes('--check')) {
  const present = await readFile(target, 'utf8').catch(() => '');
  if (present !== text) {
    process.stderr.write(
      'server/src/core/db/db-types.ts is not what server/migrations say: run npm run db:types\n',
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}

/** Applies the migrations to a new database. @returns the text of the file */
async function describe(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-db-types-'));
  // PostgreSQL runs as another user than root, who must be able to enter the folder.
  await chmod(folder, 0o755);
  try {
    const process = await startDatabaseProcess(path.join(folder, 'postgres'), {
      settings: { fsync: 'off', shared_buffers: '32MB' },
    });
    try {
      await migrate(process.url);
      return await read(process.url);
    } finally {
      await process.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function read(url: string): Promise<string> {
  let closing = false;
  const { pool, close } = openDatabase(url, 1, limitsOf.worker, (error) => {
    if (!closing) throw error;
  });
  try {
    const columns = await pool.query<Column>(columnsQuery);
    const choices = await pool.query<Choice>(choicesQuery);
    return render(columns.rows, choices.rows);
  } finally {
    closing = true;
    await close();
  }
}

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly type_name: string;
  readonly nullable: boolean;
  readonly has_default: boolean;
  readonly always_generated: boolean;
}

interface Choice {
  readonly table_name: string;
  readonly column_name: string;
  readonly definition: string;
}

function render(columns: readonly Column[], choices: readonly Choice[]): string {
  const tables = new Map<string, string[]>();
  for (const column of columns) {
    const lines = tables.get(column.table_name) ?? [];
    lines.push(`  ${column.column_name}: ${typeOf(column, choices)};`);
    tables.set(column.table_name, lines);
  }
  const interfaces = [...tables].map(
    ([name, lines]) => `interface ${pascal(name)} {\n${lines.join('\n')}\n}\n`,
  );
  const names = [...tables.keys()].map((name) => `  ${name}: ${pascal(name)};`);
  return [header, ...interfaces, `export interface DB {\n${names.join('\n')}\n}\n`].join('\n');
}

function typeOf(column: Column, choices: readonly Choice[]): string {
  const where = `${column.table_name}.${column.column_name}`;
  const plain = typeScriptNames[column.type_name];
  if (plain === undefined) {
    throw new Error(`${where}: scripts/db-types.ts does not know the type ${column.type_name}`);
  }
  const union = choices
    .filter((choice) => `${choice.table_name}.${choice.column_name}` === where)
    .map((choice) => literalsOf(choice.definition))
    .find((literals) => literals !== undefined);
  const value = `${union ?? plain}${column.nullable ? ' | null' : ''}`;
  if (column.always_generated) return `ColumnType<${value}, never, never>`;
  return column.has_default ? `Generated<${value}>` : value;
}

/** Parses `in ('A', 'B')` in PostgreSQL's output. */
function literalsOf(definition: string): string | undefined {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(definition)?.[1];
  if (list === undefined) return undefined;
  const words = [...list.matchAll(/'([^']+)'::text/g)].map((match) => `'${match[1]}'`);
  return words.length > 0 ? words.join(' | ') : undefined;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
