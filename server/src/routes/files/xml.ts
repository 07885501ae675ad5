// Reads the tags and texts of an XML document in order, in the subset of XML that route files use. It refuses documents
// that declare entities, so that nothing is expanded or fetched.

import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };
type Attributes = ReadonlyMap<string, string>;

const NAME = String.raw`[^\s<>/=!?'"]+`;
const TAG = new RegExp(
  String.raw`^(/?)(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)$`,
);
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'g');
/** Most nested elements. */
const MAX_DEPTH = 200;

/**
 * Reads a document. Names come without prefixes, in lower case.
 * @throws FileRefusal for a document that is not well-formed or declares entities
 */
export function* readXml(text: string): Generator<XmlEvent> {
  const open: string[] = [];
  let at = 0;
  for (let tag = text.indexOf('<', at); tag >= 0; tag = text.indexOf('<', at)) {
    if (tag > at) yield { kind: 'text', text: unescaped(text.slice(at, tag)) };
    if (text.startsWith('<!--', tag)) at = after(text, '-->', tag);
    else if (text.startsWith('<![CDATA[', tag)) {
      at = after(text, ']]>', tag);
      yield { kind: 'text', text: text.slice(tag + '<![CDATA['.length, at - ']]>'.length) };
    } else if (text.startsWith('<?', tag)) at = after(text, '?>', tag);
    else if (text.startsWith('<!', tag)) at = doctype(text, tag);
    else {
      at = tagEnd(text, tag);
      const [, closes, name = '', attributes = '', isEmpty] =
        TAG.exec(text.slice(tag + 1, at - 1)) ?? broken(text, tag);
      const local = (name.split(':').at(-1) ?? '').toLowerCase();
      if (closes !== '') {
        if (open.pop() !== name) broken(text, tag);
      } else {
        yield { kind: 'open', name: local, attributes: attributesOf(attributes) };
        if (isEmpty === '') open.push(name);
        if (open.length > MAX_DEPTH) broken(text, tag);
      }
      if (closes !== '' || isEmpty !== '') yield { kind: 'close', name: local };
    }
  }
  if (open.length > 0) {
    throw new FileRefusal(message('openXml', (open.at(-1) ?? '').slice(0, 60)));
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? broken(text, from) : at + mark.length;
}

// Attribute values may contain `>`.
function tagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '>') return at + 1;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return broken(text, from);
}

function doctype(text: string, from: number): number {
  const end = after(text, '>', from);
  if (text.slice(from, end).includes('[')) {
    throw new FileRefusal(message('entities'));
  }
  return end;
}

function broken(text: string, at: number): never {
  const line = text.slice(0, at).split('\n').length;
  throw new FileRefusal(message('brokenXml', line));
}

function attributesOf(text: string): Attributes {
  const attributes = new Map<string, string>();
  if (text === '') return attributes;
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    attributes.set(name.toLowerCase(), unescaped(double ?? single ?? ''));
  }
  return attributes;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const MAX_CODE_POINT = 0x10ffff;

// Leaves unknown entities as they are.
function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,32});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    const code =
      name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}
