// KMZ: a KML document in a zip archive, with the documents of the archive to which it links. Links that lead out of the
// archive are named and never fetched.
import path from 'node:path';
import { MAX_ROUTE_FILE_BYTES } from '@ridewatch/contract/routes';
import { readKml, withOutside } from './kml.ts';
import { type Message, message } from './messages.ts';
import { type FileContent, type FileLine, FileRefusal, type FileStop } from './route-file.ts';
import { decodeText } from './text.ts';
import { readXml } from './xml.ts';
import { type Budget, namesOf, readEntry, type ZipEntry } from './zip.ts';

/** Most documents of an archive that are read. */
const MOST_DOCUMENTS = 200;

/**
 * Reads the main document of an archive and all of the archive to which it leads.
 * @param entries those of the archive, with a KML document at least
 * @throws FileRefusal
 */
export async function readKmz(entries: readonly ZipEntry[]): Promise<FileContent> {
  const documents = entries.filter(({ name }) => isDocument(name));
  const main = mainOf(documents);
  if (main === undefined) throw new FileRefusal(message('noFeed'));
  const budget: Budget = { bytesLeft: MAX_ROUTE_FILE_BYTES };
  const read = new Set<ZipEntry>([main]);
  const lines: FileLine[] = [];
  const stops: FileStop[] = [];
  const notes: Message[] = [];
  const outside = new Set<string>();
  let name: string | null = null;
  // Grows while it is walked: a document may link to others.
  for (const document of read) {
    const { text, encoding } = decodeText(await wholeOf(document, budget));
    const content = readKml(readXml(text));
    name ??= content.name;
    lines.push(...content.lines);
    stops.push(...content.stops);
    notes.push(...content.notes);
    if (encoding !== 'utf-8') notes.push(message('encoding', encoding));
    for (const link of content.links) {
      const found = entryOf(link, document, entries);
      if (found === undefined || !isDocument(found.name)) outside.add(link);
      else read.add(found);
      if (read.size > MOST_DOCUMENTS) throw new FileRefusal(message('manyLinks', MOST_DOCUMENTS));
    }
  }
  const others = documents.filter((document) => !read.has(document));
  if (others.length > 0) {
    notes.push(message('othersInZip', namesOf(others.map((one) => one.name))));
  }
  return withOutside({ format: 'kml', name, lines, stops, notes }, outside);
}

const isDocument = (name: string): boolean =>
  /\.kml$/i.test(name) && !/(?:^|\/)__MACOSX\//.test(name);

// The standard: the first document at the root of the archive. Some have it in a folder.
function mainOf(documents: readonly ZipEntry[]): ZipEntry | undefined {
  const isAtRoot = ({ name }: ZipEntry): boolean => !name.includes('/');
  return (
    documents.find(({ name }) => name.toLowerCase() === 'doc.kml') ??
    documents.find(isAtRoot) ??
    documents[0]
  );
}

/** The file of the archive to which a document links. */
function entryOf(
  link: string,
  document: ZipEntry,
  entries: readonly ZipEntry[],
): ZipEntry | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(link)) return undefined;
  const folder = path.posix.dirname(document.name);
  const wanted = path.posix.join(
    folder,
    decoded(link.replace(/[?#].*$/s, '')).replaceAll('\\', '/'),
  );
  return (
    entries.find(({ name }) => name === wanted) ??
    entries.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function wholeOf(entry: ZipEntry, budget: Budget): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readEntry(entry, budget)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
