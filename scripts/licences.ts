// npm run licences: writes docs/licences.md, the packages that are shipped, with their versions and licences, from the lock
// file. With --check it compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const file = path.join(root, 'docs/licences.md');
const lock: { packages: Readonly<Record<string, Package>> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
);

/** An entry of the lock file about a package. */
interface Package {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const HEAD = `# Licences

The packages that are installed with the product, without those that only build and test it. \`npm run licences\` writes
this list from \`package-lock.json\`. The programs under GPL and LGPL (ffmpeg, ffprobe, PostgreSQL's builds and others) run
as processes of their own.

| licence | packages |
| --- | --- |
`;

/** The list as Markdown. */
function listLicences(): string {
  const byLicence = new Map<string, Set<string>>();
  for (const [place, one] of Object.entries(lock.packages)) {
    const { version, license = 'none named', dev, link } = one;
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    if (name === undefined || dev || link) continue;
    byLicence.set(license, (byLicence.get(license) ?? new Set()).add(`${name} ${version}`));
  }
  const rows = [...byLicence]
    .sort(([, a], [, b]) => b.size - a.size)
    .map(([licence, names]) => `| ${licence} | ${[...names].sort().join(', ')} |`);
  return `${HEAD}${rows.join('\n')}\n`;
}

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== listLicences()) {
    process.stderr.write('docs/licences.md is not that of the lock file: npm run licences.\n');
    process.exit(1);
  }
} else writeFileSync(file, listLicences());
