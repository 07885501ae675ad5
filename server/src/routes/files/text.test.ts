import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './text.ts';

const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};
/** Encodes Russian letters only, one byte each. */
const cp1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.charCodeAt(0);
      return code < 128 ? code : code - 0x410 + 0xc0;
    }),
  );

describe('text of a route file', () => {
  it('is read with and without a byte order mark', () => {
    const text = 'name,lat\nРынок,55';
    expect(decodeText(Buffer.from(text)).text).toBe(text);
    expect(decodeText(Buffer.from(`\uFEFF${text}`)).text).toBe(text);
  });

  it.each([true, false])('is read as UTF-16, big-endian: %s, with and without its mark', (big) => {
    const text = 'name,lat\nstop,55.75\n';
    expect(decodeText(utf16(`\uFEFF${text}Рынок`, big)).text).toBe(`${text}Рынок`);
    expect(decodeText(utf16(text, big)).text).toBe(text);
  });

  it('is read in the code pages of one byte a letter', () => {
    expect(decodeText(cp1251('Остановка Рынок'))).toEqual({
      text: 'Остановка Рынок',
      encoding: 'windows-1251',
    });
    expect(decodeText(Buffer.from('Café de l’Opéra'.replace('’', "'"), 'latin1')).text).toBe(
      "Café de l'Opéra",
    );
  });

  it('is read as an XML document says of itself, unless it is UTF-8 all the same', () => {
    const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a/>`;
    const declared = Buffer.concat([Buffer.from(xml('windows-1251')), cp1251('Я')]);
    expect(decodeText(declared).text.at(-1)).toBe('Я');
    const unknown = Buffer.from(`${xml('klingon')}Я`);
    expect(decodeText(unknown).text.at(-1)).toBe('Я');
  });

  it('whatever the bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          decodeText(bytes);
        } catch (error) {
          expect(error).toMatchObject({ name: 'FileRefusal' });
        }
      }),
    );
  });
});
