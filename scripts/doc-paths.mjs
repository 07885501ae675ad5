// Checks that files and folders that documents name exist, and that a walk counts its files right.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAMED = /`((?:contract|server|unit|web|scripts|e2e|bench|fuzz|docs)\/[\w./-]+)`/g;
/** Paths that a command creates, so that a fresh clone lacks them. */
const MADE = ['web/dist'];

/** A walk through the code: its name, how many files it says it has, and its text. */
const WALK = /^\*\*(.+)\*\* \((\d+)(?: more)? files\)\.([\s\S]*?)(?=\n\n|$(?![\s\S]))/gm;

/**
 * @param {string} root the project's root
 * @returns {string[]} one sentence for each named path that does not exist, and for each wrong count
 */
export function findLostPaths(root) {
  const documents = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name));
  return ['README.md', ...documents].flatMap((document) => {
    const text = readFileSync(path.join(root, document), 'utf8');
    const walks = [...text.matchAll(WALK)].flatMap(([, name, said, walk]) => {
      const files = new Set([...walk.matchAll(NAMED)].map(([, named]) => named));
      return files.size === Number(said)
        ? []
        : [`${document}: '${name}' names ${files.size} files and says ${said}.`];
    });
    const lost = [...text.matchAll(NAMED)]
      .map(([, named]) => named)
      .filter((named) => !MADE.includes(named) && !existsSync(path.join(root, named)))
      .map((named) => `${document} names ${named}, which is not there.`);
    return [...lost, ...walks];
  });
}
