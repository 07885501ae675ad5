// The fences between rooms: which room may import which. It compares resolved paths, so that no import evades it, and
// no room needs an exemption.
import { readSources, resolveImport } from './imports.ts';
import {
  packages,
  type Room,
  serverFeatures,
  serverLayers,
  serverTop,
  testSupport,
  webFeatures,
  webLayers,
  webTop,
} from './rooms.ts';

const lower = serverLayers.flat();
const all = [...lower, ...serverFeatures, ...serverTop];
const webRooms = [...webLayers.flat(), ...webFeatures, ...webTop];

const isIn = (file: string, place: string): boolean =>
  file === place || file.startsWith(`${place}/`);
const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || isIn(file, testSupport) || isIn(file, 'web/src/test');

/**
 * Checks every import of the packages.
 * @param root the project's root
 * @returns one sentence for each import that crosses a fence, and for each file outside all rooms
 */
export function findCrossings(root: string): string[] {
  return packages.flatMap(({ path: folder }) =>
    readSources(root, folder).flatMap((source) => [
      ...misplaced(source.path),
      ...source.imports.flatMap((specifier) => crossing(source.path, specifier)),
    ]),
  );
}

function misplaced(file: string): string[] {
  if (isTest(file) || roomOf(file) || webRoomOf(file)) return [];
  if (!isIn(file, 'server/src') && !isIn(file, 'web/src')) return [];
  return [`${file} lies in no room of scripts/rooms.ts.`];
}

function crossing(file: string, specifier: string): string[] {
  const target = resolveImport(file, specifier, packages);
  if (target === undefined) return [];
  const say = (reason: string): string[] => [`${file} imports ${specifier}: ${reason}`];
  const own = packages.find(({ path: folder }) => isIn(file, folder));
  const other = packages.find(({ path: folder }) => isIn(target, folder));
  if (own !== other) {
    // The screens show documents.
    if (other === undefined && isIn(file, 'web/src') && /^docs\/.*\.md$/.test(target)) return [];
    if (other === undefined) return isTest(file) ? [] : say('it lies outside the packages.');
    if (specifier.startsWith('.'))
      return say(`${other.name} is known by its name, not by its path.`);
    const isOtherSide = isTest(file) && own?.testImports?.includes(other.name);
    return own === undefined || own.imports.includes(other.name) || isOtherSide
      ? []
      : say(`${own.name} knows nothing of ${other.name}.`);
  }
  if (own === undefined || isTest(file)) return [];
  if (own.path === 'server/src') return serverCrossing(file, target).flatMap(say);
  if (own.path === 'web/src') return webCrossing(file, target).flatMap(say);
  return [];
}

function serverCrossing(file: string, target: string): string[] {
  if (isTest(target)) return ['only tests import what belongs to tests.'];
  const from = roomOf(file);
  const to = roomOf(target);
  if (from === undefined || to === undefined || from === to || serverTop.includes(from)) return [];
  if (serverTop.includes(to)) return ['what puts the server together is imported by nobody.'];
  if (from.isPure) return [`${from.path} imports no other room.`];
  const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
  if (toLayer < fromLayer) return [];
  if (fromLayer < serverLayers.length) return [`${from.path} imports rooms of lower layers only.`];
  if (!to.gives.some((file) => target === `${to.path}/${file}`))
    return ['a feature reaches another only through a file that it gives in scripts/rooms.ts.'];
  if (serverFeatures.indexOf(to) < serverFeatures.indexOf(from)) return [];
  return [`${to.path} stands behind ${from.path} in scripts/rooms.ts.`];
}

// The most specific room, because laps/engine is inside laps.
function roomOf(file: string): Room | undefined {
  return all
    .filter(({ path: place }) => isIn(file, place))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

function layerOf(room: Room): number {
  const layer = serverLayers.findIndex((rooms) => rooms.includes(room));
  return layer === -1 ? serverLayers.length : layer;
}

// The web's rooms are in layers like the server's; a feature imports the features above it in the list.
function webCrossing(file: string, target: string): string[] {
  if (isTest(target)) return ['only tests import what belongs to tests.'];
  const [from, to] = [webRoomOf(file), webRoomOf(target)];
  if (from === undefined || to === undefined || from === to || webTop.includes(from)) return [];
  if (webTop.includes(to)) return ['what puts the web together is imported by nobody.'];
  const [fromLayer, toLayer] = [webLayerOf(from), webLayerOf(to)];
  if (toLayer < fromLayer) return [];
  if (fromLayer < webLayers.length) return [`${from.path} imports rooms of lower layers only.`];
  if (webFeatures.indexOf(to) < webFeatures.indexOf(from)) return [];
  return [`${to.path} stands behind ${from.path} in scripts/rooms.ts.`];
}

const webRoomOf = (file: string): Room | undefined =>
  webRooms.find(({ path: place }) => isIn(file, place));

function webLayerOf(room: Room): number {
  const layer = webLayers.findIndex((rooms) => rooms.includes(room));
  return layer === -1 ? webLayers.length : layer;
}
