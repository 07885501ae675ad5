// Writes the server's rooms of scripts/rooms.mjs into docs/architecture.md; --check only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serverFeatures, serverLayers, serverTop } from './rooms.mjs';

const target = path.resolve(import.meta.dirname, '../docs/architecture.md');
const BEGIN = '<!-- rooms: written by npm run docs:rooms -->';
const END = '<!-- rooms end -->';

const rows = (layer, rooms) =>
  rooms.map(({ path: place, holds }) => `| ${layer} | \`${place}\` | ${holds} |`);

function table() {
  return [
    '| layer | room | what is in it |',
    '| --- | --- | --- |',
    ...serverLayers.flatMap((rooms, index) => rows(index + 1, rooms)),
    ...rows('feature', serverFeatures),
    ...rows('top', serverTop),
  ].join('\n');
}

const page = readFileSync(target, 'utf8');
const [head, rest] = page.split(BEGIN);
const tail = rest?.split(END)[1];
if (tail === undefined) throw new Error(`${target} has no '${BEGIN}' or no '${END}'.`);
const fresh = `${head}${BEGIN}\n\n${table()}\n\n${END}${tail}`;
if (!process.argv.includes('--check')) writeFileSync(target, fresh);
else if (fresh !== page) {
  process.stderr.write(
    'docs/architecture.md does not show the rooms of scripts/rooms.mjs: run npm run docs:rooms\n',
  );
  process.exit(1);
}
