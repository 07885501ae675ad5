// Runs before each file of stories: names the file, so that what a process notes can be told apart.
import path from 'node:path';
import { expect } from 'vitest';

const file = expect.getState().testPath ?? '';
process.env.STORY_FILE = path
  .relative(path.resolve(import.meta.dirname, '..'), file)
  .replaceAll(path.sep, '/');
