// Checks that files and folders that documents name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAMED = /`((?:contract|server|unit|web|scripts|e2e|bench|fuzz|docs)\/[\w./-]+)`/g;
/** Paths that a command creates, so that a fresh clone lacks them. */
const MADE = ['web/dist'];

/**
 * @param {string} root the project's root
 * @returns {string[]} one sentence for each named path that does not exist
 */
export function findLostPaths(root) {
  const documents = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name));
  return ['README.md', ...documents].flatMap((document) => {
    const text = readFileSync(path.join(root, document), 'utf8');
    return [...text.matchAll(NAMED)]
      .map(([, named]) => named)
      .filter((named) => !MADE.includes(named) && !existsSync(path.join(root, named)))
      .map((named) => `${document} names ${named}, which is not there.`);
  });
}
