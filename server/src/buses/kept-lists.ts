// The bus list is asked for all the time and is the same for everybody of one scope: it is built once, packed once and
// sent as it is, at most KEEP_MS old; a command that changes a bus makes it stale at once in every process.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BusList } from '@ridewatch/contract/buses';
import type { Deps } from '../app.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { KeptAnswer } from '../http.ts';
import { busOf, headingsOf, listBusRows } from './rows.ts';

const pack = promisify(gzip);
const KEEP_MS = 4000;
const MOST_SCOPES = 1000;

export interface KeptLists {
  find(viewer: Viewer): Promise<KeptAnswer>;
  /** Makes every list stale. */
  forget(): void;
}

/** The bus lists of one process. */
export function createKeptLists({ database, clock }: Pick<Deps, 'database' | 'clock'>): KeptLists {
  const kept = new Map<string, { list: Promise<KeptAnswer>; builtAtMs: number }>();
  return {
    forget: () => kept.clear(),
    find: (viewer) => {
      const scope = scopeOf(viewer);
      const nowMs = clock.nowMs();
      const found = kept.get(scope);
      if (found !== undefined && nowMs - found.builtAtMs < KEEP_MS) return found.list;
      if (kept.size >= MOST_SCOPES) kept.clear();
      const list = build(database.db, viewer, nowMs);
      const entry = { list, builtAtMs: nowMs };
      kept.set(scope, entry);
      list.catch(() => {
        if (kept.get(scope) === entry) kept.delete(scope);
      });
      return list;
    },
  };
}

// Two users with the same rights get the same bytes.
function scopeOf({ role, clientIds }: Viewer): string {
  if (clientIds === 'all') return role;
  return [...clientIds].sort((a, b) => a - b).join(',');
}

async function build(
  db: Deps['database']['db'],
  viewer: Viewer,
  nowMs: number,
): Promise<KeptAnswer> {
  const rows = await listBusRows(db, viewer, nowMs);
  const answer: BusList = {
    items: rows.map((row) => busOf(row, viewer, nowMs)),
    number: 0,
    total: rows.length,
    customers: headingsOf(rows, viewer),
  };
  const plain = Buffer.from(JSON.stringify(answer));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { etag, plain, packed: await pack(plain) };
}
