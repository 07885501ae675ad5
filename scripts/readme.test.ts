import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

it('the tour of the README has six pictures of the guide, each with a text, and they are there', () => {
  const [, tour = ''] = readme.split(/^## A tour$/m);
  const [own = ''] = tour.split(/^## /m);
  const pictures = [...own.matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)].map(([, text = '', at = '']) => ({
    text,
    at,
  }));
  expect(new Set(pictures.map(({ at }) => at)).size).toBe(6);
  for (const { text, at } of pictures) {
    expect(at).toMatch(/^docs\/guide\/en\/pictures\/[\w-]+\.webp$/);
    expect(existsSync(path.join(root, at)), at).toBe(true);
    expect(text.length, at).toBeGreaterThan(10);
  }
});
