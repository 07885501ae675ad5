// Documents name files and folders of the project; each that they name is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAMED = /`((?:contract|server|unit|web|scripts|e2e|bench|fuzz|docs)\/[\w./-]+)`/g;
/** Made by a command, so not in a fresh clone. */
const MADE = ['web/dist'];

/**
 * @param {string} root the project's root
 * @returns {string[]} a sentence for each path that a document names and nobody finds
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
