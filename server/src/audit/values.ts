import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** The different values of a column of the log, ascending: the index is probed once for each. */
export async function listValues(db: Db, column: 'action' | 'object_type'): Promise<string[]> {
  const ref = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    with recursive known as (
      (select ${ref} as value from audit_log order by ${ref} limit 1)
      union all
      select (select ${ref} from audit_log where ${ref} > known.value order by ${ref} limit 1)
      from known where known.value is not null
    )
    select value from known where value is not null`.execute(db);
  return rows.map(({ value }) => value);
}
