// The state of a run, from which the next one continues. An old state does no harm: records are numbered by their
// content, so a record that is sent twice is stored once.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';

const PendingUpload = z.object({
  deviceId: z.string(),
  day: z.string(),
  /** Index among the day's fragments. */
  index: z.int(),
});
export type PendingUpload = z.infer<typeof PendingUpload>;

const State = z.object({
  seed: z.int(),
  url: z.string(),
  units: z.record(
    z.string(),
    z.object({
      credential: z.string(),
      /** The server has stored all records before this moment, ms since 1970 UTC. */
      sentUntilMs: z.nullable(z.number()),
      /** It has all since this moment, ms since 1970 UTC; older states do not say. */
      sentFromMs: z.optional(z.number()),
    }),
  ),
  /** Queued fragments that are not uploaded yet. */
  uploads: z.array(PendingUpload),
});
export type State = z.infer<typeof State>;

/** Reads the state of an earlier run; undefined if there is none for this seed and server. */
export async function readState(
  file: string,
  { seed, url }: { seed: number; url: string },
): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const state = State.parse(JSON.parse(text));
  return state.seed === seed && state.url === url ? state : undefined;
}

/** Writes the state atomically, readable for its owner only, because it has credentials. */
export async function writeState(file: string, state: State): Promise<void> {
  await writeWhole(file, JSON.stringify(state), 0o600);
}

/** Writes a file atomically: readers see the old or the new one. */
export async function writeWhole(file: string, text: string, mode = 0o644): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  await writeFile(fresh, text, { mode });
  await rename(fresh, file);
}
