// Writes the packages and the rooms of scripts/rooms.mjs into docs/architecture.md; --check only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  folders,
  packages,
  serverFeatures,
  serverLayers,
  serverTop,
  webFeatures,
  webLayers,
  webTop,
} from './rooms.mjs';

const target = path.resolve(import.meta.dirname, '../docs/architecture.md');

const table = (...rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const placeOf = ({ path: place }) => `\`${place}\``;
const givenBy = ({ gives }) => (gives === undefined ? '' : `; gives \`${gives}\``);

function packageTable() {
  const namesOf = ({ imports = [], limits }) =>
    [...imports.map((name) => name.split('/').at(-1)), limits].filter(Boolean).join('; ');
  return table(
    ['package or folder', 'what is in it', 'what it may import'],
    ['---', '---', '---'],
    ...[...packages, ...folders].map((one) => [placeOf(one), one.holds, namesOf(one)]),
  );
}

function roomTable(layers, features, top) {
  const rows = (layer, rooms) =>
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
function fill(page, name, content) {
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
    'docs/architecture.md does not show the packages and rooms of scripts/rooms.mjs: run npm run docs:rooms\n',
  );
  process.exit(1);
}
