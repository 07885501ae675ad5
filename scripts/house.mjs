// Prints figures by room: lengths of files, casts, circles, exemptions and the share of tests, and how large and how high
// the web is. Strict limits are lint rules and fences.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCircles } from './circles.mjs';
import { findFloors } from './floors.mjs';
import { readSources, resolveImport } from './imports.mjs';
import { packages, serverFeatures, serverLayers, serverTop, testSupport } from './rooms.mjs';
import { readWalks } from './walks.mjs';

/** Above this a file has two subjects (biome.json). */
const LONG = 300;
const FOLDERS = [
  'contract/src',
  'server/src',
  'unit/src',
  'web/src',
  'e2e',
  'harness',
  'bench',
  'fuzz',
];
const serverRooms = [...serverLayers.flat(), ...serverFeatures, ...serverTop];

const isTest = (file) => /\.test\.tsx?$/.test(file) || /^(server|web)\/src\/test\//.test(file);

const root = path.resolve(import.meta.dirname, '..');
process.stdout.write(`${describeHouse().join('\n')}\n`);

function describeHouse() {
  const sources = FOLDERS.flatMap((folder) => readSources(root, folder));
  const rooms = groupBy(sources, ({ path }) => roomOf(path));
  const circles = findCircles(importsOf(sources));
  const rows = [...rooms].map(([room, files]) => rowOf(room, files, circles));
  const all = rowOf('all', sources, circles);
  const head = [
    'room',
    'files',
    'lines',
    'median',
    'p90',
    `>${LONG}`,
    'casts',
    'circles',
    'exempt',
    'tests',
  ];
  const named = circles.map((circle) => `circle: ${circle.join(', ')}`);
  return [...layOut([head, ...rows, all]), ...named, ...describeWeb(sources), ...describeWalks()];
}

// How far a newcomer reads to follow one thing; a border is a wire, the database or a queue.
function describeWalks() {
  return readWalks(root).map(
    ({ name, files, borders }) =>
      `walk: ${name}: ${files.length} files, ${borders.length} of them behind a border`,
  );
}

// Lines that are not blank, without tests; a floor is a room, or a file that is in none.
function describeWeb(sources) {
  const names = sources.map(({ path }) => path).filter((path) => path.startsWith('web/src/'));
  const styles = readdirSync(path.join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => `web/src/${name}`);
  const [source, css] = [names.filter((name) => !isTest(name)), styles].map(countLines);
  const rooms = importsOf(sources.filter(({ path }) => path.startsWith('web/src/')));
  const inWeb = new Map(
    [...rooms].map(([room, imports]) => [
      room,
      new Set([...imports].filter((one) => one !== room && one.startsWith('web/'))),
    ]),
  );
  const floors = findFloors(inWeb);
  return [
    `web: ${source} lines of source + ${css} of CSS = ${source + css}`,
    `web: ${floors.length} floors: ${floors.map((room) => room.replace('web/src/', '')).join(', ')}`,
  ];
}

function countLines(names) {
  return names.reduce((sum, name) => {
    const lines = readFileSync(path.join(root, name), 'utf8').split('\n');
    return sum + lines.filter((line) => line.trim() !== '').length;
  }, 0);
}

function rowOf(room, files, circles) {
  const code = files.filter(({ path }) => !isTest(path));
  const lines = code.map((file) => file.lines).sort((a, b) => a - b);
  const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
  const testLines = sum(files, (file) => (isTest(file.path) ? file.lines : 0));
  const codeLines = sum(code, (file) => file.lines);
  const at = (share) => lines[Math.min(lines.length - 1, Math.floor(lines.length * share))] ?? 0;
  const isAll = room === 'all';
  return [
    room,
    code.length,
    codeLines,
    at(0.5),
    at(0.9),
    lines.filter((count) => count > LONG).length,
    sum(code, (file) => file.casts),
    isAll ? circles.length : circles.filter((circle) => circle.includes(room)).length,
    sum(files, (file) => file.exemptions),
    codeLines === 0 ? '' : (testLines / codeLines).toFixed(2),
  ].map(String);
}

// Which rooms each room imports, without tests.
function importsOf(sources) {
  const rooms = new Map();
  for (const { path, imports } of sources) {
    if (isTest(path)) continue;
    const room = placeOf(path);
    if (!rooms.has(room)) rooms.set(room, new Set());
    for (const specifier of imports) {
      const target = resolveImport(path, specifier, packages);
      if (target !== undefined) rooms.get(room).add(placeOf(target));
    }
  }
  return rooms;
}

// A file at the root of a package counts as a room of its own.
function placeOf(file) {
  const room = roomOf(file);
  return room.endsWith('/src') ? file : room;
}

function roomOf(file) {
  const inServer = serverRooms
    .filter(({ path }) => file === path || file.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inServer !== undefined) return serverTop.includes(inServer) ? 'server/src' : inServer.path;
  if (file.startsWith(`${testSupport}/`)) return 'server/src';
  const [head, ...rest] = file.split('/');
  if (rest[0] !== 'src') return head;
  const depth = rest[1] === 'features' ? 3 : 2;
  return rest.length <= depth ? `${head}/src` : [head, ...rest.slice(0, depth)].join('/');
}

// Map.groupBy needs Node 21.
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function layOut(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
      )
      .join('  '),
  );
}
