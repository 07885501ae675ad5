// Says which imports cross a fence; fails when one does.
import path from 'node:path';
import { findCrossings } from './fences.mjs';

const crossings = findCrossings(path.resolve(import.meta.dirname, '..'));
for (const crossing of crossings) process.stderr.write(`${crossing}\n`);
process.exit(crossings.length === 0 ? 0 : 1);
