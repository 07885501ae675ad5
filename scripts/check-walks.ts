// Fails if a walk of docs/architecture.md miscounts its files or passes one that it does not name.
import path from 'node:path';
import { findWrongWalks, readWalks } from './walks.ts';

const wrong = findWrongWalks(readWalks(path.resolve(import.meta.dirname, '..')));
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exitCode = 1;
}
