// Prints figures by room: lengths of files, casts, circles, exemptions and the share of tests, and how large and how high
// the web is. Strict limits are lint rules and fences.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCircles } from './circles.ts';
import { findFloors } from './floors.ts';
import { readSources, resolveImport, type SourceFile } from './imports.ts';
import { packages, serverFeatures, serverLayers, serverTop, testSupport } from './rooms.ts';
import { readWalks } from './walks.ts';

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

const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || /^(server|web)\/src\/test\//.test(file);

const root = path.resolve(import.meta.dirname, '..');
process.stdout.write(`${describeHouse().join('\n')}\n`);

function describeHouse(): string[] {
  const sources = FOLDERS.flatMap((folder) => readSources(root, folder));
  const rooms = Map.groupBy(sources, ({ path }) => roomOf(path));
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
function describeWalks(): string[] {
  return readWalks(root).map(
    ({ name, files, borders }) =>
      `walk: ${name}: ${files.length} files, ${borders.length} of them behind a border`,
  );
}

// Lines that are not blank, without tests; a floor is a room, or a file that is in none.
function describeWeb(sources: readonly SourceFile[]): string[] {
  const names = sources.map(({ path }) => path).filter((path) => path.startsWith('web/src/'));
  const styles = readdirSync(path.join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => `web/src/${name}`);
  const source = countLines(names.filter((name) => !isTest(name)));
  const css = countLines(styles);
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

function countLines(names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const lines = readFileSync(path.join(root, name), 'utf8').split('\n');
    return sum + lines.filter((line) => line.trim() !== '').length;
  }, 0);
}

function rowOf(
  room: string,
  files: readonly SourceFile[],
  circles: readonly (readonly string[])[],
): string[] {
  const code = files.filter(({ path }) => !isTest(path));
  const lines = code.map((file) => file.lines).sort((a, b) => a - b);
  const sum = (list: readonly SourceFile[], of: (file: SourceFile) => number): number =>
    list.reduce((total, item) => total + of(item), 0);
  const testLines = sum(files, (file) => (isTest(file.path) ? file.lines : 0));
  const codeLines = sum(code, (file) => file.lines);
  const at = (share: number): number =>
    lines[Math.min(lines.length - 1, Math.floor(lines.length * share))] ?? 0;
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

// Lists which rooms each room imports, without tests.
function importsOf(sources: readonly SourceFile[]): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    if (isTest(path)) continue;
    const room = placeOf(path);
    const found = rooms.get(room) ?? new Set();
    rooms.set(room, found);
    for (const specifier of imports) {
      const target = resolveImport(path, specifier, packages);
      if (target !== undefined) found.add(placeOf(target));
    }
  }
  return rooms;
}

// A file at the root of a package counts as a room of its own.
function placeOf(file: string): string {
  const room = roomOf(file);
  return room.endsWith('/src') ? file : room;
}

function roomOf(file: string): string {
  const inServer = serverRooms
    .filter(({ path }) => file === path || file.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inServer !== undefined) return serverTop.includes(inServer) ? 'server/src' : inServer.path;
  if (file.startsWith(`${testSupport}/`)) return 'server/src';
  const [head = '', ...rest] = file.split('/');
  if (rest[0] !== 'src') return head;
  const depth = rest[1] === 'features' ? 3 : 2;
  return rest.length <= depth ? `${head}/src` : [head, ...rest.slice(0, depth)].join('/');
}

function layOut(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number): number =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widthOf(0)) : cell.padStart(widthOf(column)),
      )
      .join('  '),
  );
}
