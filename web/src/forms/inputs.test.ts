import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
/** They accept no text, get their properties from a field of ours, or say that a text is too long. */
const OTHERS = /type="(checkbox|radio|range|file|hidden)"|\bhidden\b|\{\.\.\.rest\}|readTyped/;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
);
const inputs = files.flatMap((file) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/<input\b.*?\/>/gs)]
    .map(([source]) => source)
    .filter((source) => !OTHERS.test(source))
    .map((source) => ({ file, source })),
);

describe('inputs of text', () => {
  it('are found', () => expect(inputs.length).toBeGreaterThan(4));

  // Spec section 9: 255 characters at most. Longer texts have areas of several lines, with limits of their own. Fields of forms say so; the others end there.
  it('end at a length', () => {
    const endless = inputs.filter(({ source }) => !source.includes('maxLength='));
    expect(endless.map(({ file }) => file)).toEqual([]);
  });
});
