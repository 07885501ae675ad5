import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml } from './xml.ts';

const read = (text: string) => [...readXml(text)];
const textOf = (text: string): string =>
  read(text)
    .map((event) => (event.kind === 'text' ? event.text : ''))
    .join('');

describe('an XML document', () => {
  it('is its tags and texts, names without prefixes', () => {
    const events = read('<?xml version="1.0"?><!-- x --><gx:A b="1 &lt; 2" c=\'>\'>t<B/></gx:A>');
    expect(events.map((event) => [event.kind, 'name' in event ? event.name : event.text])).toEqual([
      ['open', 'a'],
      ['text', 't'],
      ['open', 'b'],
      ['close', 'b'],
      ['close', 'a'],
    ]);
    const [open] = events;
    expect(open?.kind === 'open' && [...open.attributes]).toEqual([
      ['b', '1 < 2'],
      ['c', '>'],
    ]);
  });

  it('knows the five entities and numbers of letters, and leaves others as they are', () => {
    expect(textOf('<a>&amp;&#1071;&#x42F;&nbsp;&#0;&#xFFFFFF;<![CDATA[<&amp;]]></a>')).toBe(
      '&ЯЯ&nbsp;&#0;&#xFFFFFF;<&amp;',
    );
  });

  it('is refused when it declares entities: nothing is expanded or fetched', () => {
    const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><a>&lol2;</a>`;
    const file = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`;
    for (const document of [laughs, file])
      expect(() => read(document)).toThrow('declares entities');
    expect(textOf('<!DOCTYPE kml SYSTEM "http://example.org/kml.dtd"><a>t</a>')).toBe('t');
  });

  it.each([
    ['<a>\n<b>\n</a>', 'line 3'],
    ['<a b=1></a>', 'line 1'],
    ['<a>', 'inside <a>'],
    ['<a><!-- ', 'line 1'],
    ['<a b="></a>', 'line 1'],
    ['</a>', 'line 1'],
    ['<a>'.repeat(10_000), 'line 1'],
  ])('%s is refused with the place', (text, place) => {
    expect(() => read(text)).toThrow(place);
  });

  it('whatever the text is read or refused', () => {
    const tokens = fc.constantFrom('<', '>', '/', 'a', '"', "'", '=', '&', ';', '!--', ' ', '?');
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 30 }), (parts) => {
        try {
          read(parts.join(''));
        } catch (error) {
          expect(error).toMatchObject({ name: 'FileRefusal' });
        }
      }),
      { numRuns: 500 },
    );
  });
});
