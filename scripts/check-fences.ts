// Prints imports that cross a fence; fails if there are any.
import path from 'node:path';
import { findCrossings } from './fences.ts';

const crossings = findCrossings(path.resolve(import.meta.dirname, '..'));
for (const crossing of crossings) process.stderr.write(`${crossing}\n`);
process.exit(crossings.length === 0 ? 0 : 1);
