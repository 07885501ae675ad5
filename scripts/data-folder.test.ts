import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

it('The data of tests lie where tests may write', () => {
  accessSync(dataFolder(0), constants.W_OK);
});

it('The data of tests lie on the disk when the memory has no room for them', () => {
  expect(dataFolder(Number.POSITIVE_INFINITY)).toBe(tmpdir());
});
