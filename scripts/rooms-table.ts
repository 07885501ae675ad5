// Writes the packages and the rooms of scripts/rooms.ts into docs/architecture.md; --check only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Folder,
  folders,
  packages,
  type Room,
  serverFeatures,
  serverLayers,
  serverTop,
  webFeatures,
  webLayers,
  webTop,
} from './rooms.ts';

const target = path.resolve(import.meta.dirname, '../docs/architecture.md');

const table = (...rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const placeOf = ({ path: place }: { readonly path: string }): string => `\`${place}\``;
const givenBy = ({ gives }: Room): string =>
  gives.length === 0 ? '' : `; gives ${gives.map((file) => `\`${file}\``).join(', ')}`;

function packageTable(): string {
  const namesOf = ({ imports = [], limits }: Folder): string =>
    [...imports.map((name) => name.split('/').at(-1)), limits].filter(Boolean).join('; ');
  return table(
    ['package or folder', 'what is in it', 'what it may import'],
    ['---', '---', '---'],
    ...[...packages, ...folders].map((one) => [placeOf(one), one.holds, namesOf(one)]),
  );
}

function roomTable(
  layers: readonly (readonly Room[])[],
  features: readonly Room[],
  top: readonly Room[],
): string {
  const rows = (layer: string | number, rooms: readonly Room[]) =>
    rooms.map((room) => [layer, placeOf(room), `${room.holds}${givenBy(room)}`]);
  return table(
    ['layer', 'room', 'what is in it'],
    ['---', '---', '---'],
    ...layers.flatMap((layer, index) => rows(index + 1, layer)),
    ...rows('feature', features),
    ...rows('top', top),
  );
}

/** Replaces what stands between the marks of a table. @throws Error when a mark is missing */
function fill(page: string, name: string, content: string): string {
  const begin = `<!-- ${name}: written by npm run docs:rooms -->`;
  const end = `<!-- ${name} end -->`;
  const [head, rest] = page.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`${target} has no '${begin}' or no '${end}'.`);
  return `${head}${begin}\n\n${content}\n\n${end}${tail}`;
}

const page = readFileSync(target, 'utf8');
const tables = {
  packages: packageTable(),
  rooms: roomTable(serverLayers, serverFeatures, serverTop),
  'web rooms': roomTable(webLayers, webFeatures, webTop),
};
const fresh = Object.entries(tables).reduce((text, [name, one]) => fill(text, name, one), page);
if (!process.argv.includes('--check')) writeFileSync(target, fresh);
else if (fresh !== page) {
  process.stderr.write(
    'docs/architecture.md does not show the packages and rooms of scripts/rooms.ts: run npm run docs:rooms\n',
  );
  process.exit(1);
}
