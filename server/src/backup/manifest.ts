import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';

const FileEntry = z.object({ bytes: z.int(), sha256: z.string() });

/** The contents of a backup. Written last, so that a folder without it is no backup. */
export const Manifest = z.object({
  format: z.literal('ridewatch-backup-1'),
  created_at: z.string(),
  /** The applied migrations: a backup is restored into the same schema. */
  migrations: z.array(z.string()),
  /** Tables in the order in which they can be filled, with their partitions. */
  tables: z.array(
    z.extend(FileEntry, {
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
    }),
  ),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bounds: z.string() })),
  sequences: z.array(z.object({ name: z.string(), value: z.int(), called: z.boolean() })),
  media: z.array(z.extend(FileEntry, { key: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST_FILE = 'manifest.json';

/** The file of a table in a backup. */
export function tableFile(folder: string, name: string): string {
  return path.join(folder, 'tables', `${name}.copy.gz`);
}

/** The place of a media file in a backup. */
export function mediaFile(folder: string, key: string): string {
  return path.join(folder, 'media', key);
}

/** Size and SHA-256 of a file. */
export async function measureFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(file);
  stream.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await pipeline(stream, hash);
  return { bytes, sha256: hash.digest('hex') };
}

/** @throws Error when the folder holds no backup of this format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST_FILE), 'utf8').catch(() => {
    throw new Error(`${folder} holds no complete backup: ${MANIFEST_FILE} is missing.`);
  });
  return Manifest.parse(JSON.parse(text));
}
