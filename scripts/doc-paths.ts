// Checks documents: files, folders and headings that they name or link exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const NAMED = /`((?:contract|server|unit|web|scripts|e2e|harness|bench|fuzz|docs)\/[\w./-]+)`/g;
/** A link to a file of the project, to one of its headings, or to a heading of the same document. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const HEADING = /^#+ (.+)$/gm;
/** Paths that a command creates, so that a fresh clone lacks them. */
const MADE = ['web/dist'];

/**
 * @param root the project's root
 * @returns one sentence for each path or link that leads nowhere
 */
export function findLostPaths(root: string): string[] {
  const documents = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name));
  return ['README.md', ...documents].flatMap((document) => {
    const text = readFileSync(path.join(root, document), 'utf8');
    const lost = [...text.matchAll(NAMED)]
      .map(([, named = '']) => named)
      .filter((named) => !MADE.includes(named) && !existsSync(path.join(root, named)))
      .map((named) => `${document} names ${named}, which is not there.`);
    const broken = [...text.matchAll(LINK)]
      .filter(([, target = '', anchor]) => !leadsTo(path.join(root, document), target, anchor))
      .map(([link]) => `${document} has the link ${link.slice(1)}, which leads nowhere.`);
    return [...lost, ...broken];
  });
}

function leadsTo(document: string, target: string, anchor: string | undefined): boolean {
  const file = target === '' ? document : path.join(path.dirname(document), target);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(HEADING)].map(
    ([, heading = '']) => heading,
  );
  return headings.some((heading) => anchorOf(heading) === anchor);
}

// As GitHub makes it: lower case, letters, digits, `-` and `_`, and hyphens for spaces.
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
