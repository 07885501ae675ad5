// The screenshot book: a picture of each wanted view in every device, theme and language, and nothing else.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devices, languages, themes } from './book/camera.ts';

const program = path.resolve(import.meta.dirname, 'book/main.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-book-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The size of a PNG, px. */
async function sizeOf(file: string): Promise<{ width: number; height: number }> {
  const bytes = await readFile(path.join(folder, file));
  expect(bytes.subarray(1, 4).toString(), file).toBe('PNG');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

it('of one view in one state has eight pictures, and a page that shows them', async () => {
  const options = ['--only', 'login', '--state', 'empty', '--out', folder];
  // The book sets its own moment.
  const env = { ...process.env, CLOCK_OFFSET_MS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options], { env });
  expect(stdout).toContain('8 pictures');
  const names = Object.entries(devices).flatMap(([device, { width }]) =>
    themes.flatMap((theme) =>
      Object.keys(languages).map((language) => ({
        file: `login-empty-${device}-${theme}-${language}.png`,
        width,
      })),
    ),
  );
  expect(names).toHaveLength(8);
  expect((await readdir(folder)).toSorted()).toEqual(
    ['index.html', ...names.map(({ file }) => file)].toSorted(),
  );
  const index = await readFile(path.join(folder, 'index.html'), 'utf8');
  for (const { file, width } of names) {
    expect((await sizeOf(file)).width, file).toBe(width);
    expect(index).toContain(file);
  }
});
