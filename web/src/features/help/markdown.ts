// Reads the Markdown of our own documents, when the screens are built: headings, places, paragraphs, lists, tables, code
// and pictures. The screens render blocks as elements, so no text becomes HTML.

/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'strong' | 'emphasis' | 'code' | 'key'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

/** A part of a document. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly text: string }
  /** The page to which an address leads in every language. */
  | { readonly kind: 'place'; readonly id: string }
  | { readonly kind: 'paragraph'; readonly line: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly source: string; readonly text: string };

const FENCE = /^```/;
const HEADING = /^(#{1,4}) (.+)$/;
const PLACE = /^<a id="([\w-]+)"><\/a>$/;
const ITEM = /^(?:[-*]|\d+\.) (.*)$/;
const PICTURE = /^!\[([^\]]*)\]\(([^)]+)\)$/;
const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|<kbd>([^<]+)<\/kbd>|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Reads a document. */
export function readMarkdown(text: string): Block[] {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = readBlock(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Reads one line with its marks. */
export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let last = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > last) parts.push({ kind: 'text', text: text.slice(last, found.index) });
    const [whole, code, strong, emphasis, key, link, to] = found;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis });
    else if (key !== undefined) parts.push({ kind: 'key', text: key });
    else parts.push({ kind: 'link', text: (link ?? '').replaceAll('`', ''), to: to ?? '' });
    last = found.index + whole.length;
  }
  if (last < text.length) parts.push({ kind: 'text', text: text.slice(last) });
  return parts;
}

/** The id of a heading, as GitHub makes it. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** @returns the block that begins at a line, and the line behind it */
function readBlock(lines: readonly string[], at: number): [Block | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  if (FENCE.test(line)) return readCode(lines, at + 1);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const text = (heading[2] ?? '').replaceAll('`', '');
    const level = heading[1]?.length ?? 1;
    return [{ kind: 'heading', level, id: headingId(text), text }, at + 1];
  }
  const place = PLACE.exec(line);
  if (place !== null) return [{ kind: 'place', id: place[1] ?? '' }, at + 1];
  const picture = PICTURE.exec(line);
  if (picture !== null) {
    return [{ kind: 'picture', text: picture[1] ?? '', source: picture[2] ?? '' }, at + 1];
  }
  if (line.startsWith('|')) return readTable(lines, at);
  if (ITEM.test(line)) return readList(lines, at);
  const end = endOf(lines, at, (next) => !startsBlock(next));
  return [{ kind: 'paragraph', line: readInline(lines.slice(at, end).join(' ')) }, end];
}

function startsBlock(line: string): boolean {
  return [FENCE, HEADING, PLACE, ITEM, PICTURE, /^\||^\s*$/].some((start) => start.test(line));
}

function endOf(lines: readonly string[], at: number, isMore: (line: string) => boolean): number {
  let end = at + 1;
  while (end < lines.length && isMore(lines[end] ?? '')) end++;
  return end;
}

function readCode(lines: readonly string[], at: number): [Block, number] {
  const end = lines.findIndex((line, index) => index >= at && FENCE.test(line));
  const last = end === -1 ? lines.length : end;
  return [{ kind: 'code', text: lines.slice(at, last).join('\n') }, last + 1];
}

function readTable(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.slice(at, end).map((line) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => readInline(cell.trim().replaceAll('\\|', '|'))),
  );
  return [{ kind: 'table', head, rows }, end];
}

function readList(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => ITEM.test(line) || /^\s+\S/.test(line));
  const items: string[] = [];
  for (const line of lines.slice(at, end)) {
    const item = ITEM.exec(line);
    if (item === null) items[items.length - 1] += ` ${line.trim()}`;
    else items.push(item[1] ?? '');
  }
  const isOrdered = /^\d/.test(lines[at] ?? '');
  return [{ kind: 'list', isOrdered, items: items.map(readInline) }, end];
}
