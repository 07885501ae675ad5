import { MAX_ROUTE_UNPACKED_BYTES } from '@ridewatch/contract/routes';
import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readGtfs } from './gtfs.ts';
import { findFeed } from './gtfs-tables.ts';
import { readKml, withOutside } from './kml.ts';
import { readKmz } from './kmz.ts';
import { message } from './messages.ts';
import { type FileProposal, proposeContent, proposeGtfs } from './proposal.ts';
import { type FileContent, FileRefusal } from './route-file.ts';
import { readStopsCsv } from './stops-csv.ts';
import { decodeText } from './text.ts';
import { readXml, type XmlEvent } from './xml.ts';
import { isZip, listEntries, namesOf } from './zip.ts';

const GZIP = [0x1f, 0x8b] as const;

/**
 * Reads a route file; its content decides the format, not its name.
 * @param choice id of the choice in a file with several routes; null for none
 * @param turnAt index of the stop where the user turns a loop; null for nowhere
 * @throws FileRefusal with a message that says why the file cannot be used
 */
export async function readRouteFile(
  bytes: Uint8Array,
  choice: string | null,
  turnAt: number | null = null,
): Promise<FileProposal> {
  if (bytes.length === 0) throw new FileRefusal(message('empty'));
  if (isZip(bytes)) return readArchive(bytes, choice, turnAt);
  if (bytes[0] === GZIP[0] && bytes[1] === GZIP[1]) {
    throw new FileRefusal(message('gzip'));
  }
  return readText(bytes, choice, turnAt);
}

async function readText(
  bytes: Uint8Array,
  choice: string | null,
  turnAt: number | null,
): Promise<FileProposal> {
  const { text, encoding } = decodeText(bytes);
  const content = await contentOf(text);
  const notes = encoding === 'utf-8' ? [] : [message('encoding', encoding)];
  return proposeContent({ ...content, notes: [...notes, ...content.notes] }, choice, turnAt);
}

async function contentOf(text: string): Promise<FileContent> {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) throw new FileRefusal(message('empty'));
  if (first === '{' || first === '[') return readGeoJson(text);
  return first === '<' ? readMarkup(text) : readStopsCsv(text);
}

function readMarkup(text: string): FileContent {
  const root = rootOf(readXml(text));
  if (root === 'gpx') return readGpx(readXml(text));
  if (root === 'kml') {
    const { links, ...content } = readKml(readXml(text));
    return withOutside(content, links);
  }
  throw new FileRefusal(
    root === undefined ? message('emptyXml') : message('otherXml', root.slice(0, 40)),
  );
}

function rootOf(events: Iterable<XmlEvent>): string | undefined {
  for (const event of events) if (event.kind === 'open') return event.name;
  return undefined;
}

async function readArchive(
  bytes: Uint8Array,
  choice: string | null,
  turnAt: number | null,
): Promise<FileProposal> {
  const entries = await listEntries(bytes);
  const budget = { bytesLeft: MAX_ROUTE_UNPACKED_BYTES };
  const feed = findFeed(entries, budget);
  if (feed !== null) return proposeGtfs(await readGtfs(feed, choice), turnAt);
  const archives = entries.filter(({ name }) => /\.(zip|kmz)$/i.test(name));
  const isKmz = entries.some(({ name }) => /\.kml$/i.test(name));
  if (isKmz) return proposeContent(await readKmz(entries), choice, turnAt);
  if (archives.length > 0) {
    throw new FileRefusal(message('archivesInZip', namesOf(archives.map(({ name }) => name))));
  }
  throw new FileRefusal(message('noFeed'));
}
