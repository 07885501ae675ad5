import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docTypeOf } from './doc-type.ts';

/** An EBML header in the usual order: versions and limits, then the type. */
const head = (docType: Buffer, sizeOfHead: number[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, ...sizeOfHead]),
    Buffer.from([
      0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81, 4, 0x42, 0xf3, 0x81, 8,
    ]),
    Buffer.from([0x42, 0x82, 0x80 | docType.length]),
    docType,
    Buffer.from([0x42, 0x87, 0x81, 4, 0x42, 0x85, 0x81, 2]),
  ]);

describe('the type of an EBML file', () => {
  it.each(['webm', 'matroska'])('is %s, however long the size of its head is written', (name) => {
    const length = 27 + name.length;
    expect(docTypeOf(head(Buffer.from(name), [0x80 | length]))).toBe(name);
    expect(docTypeOf(head(Buffer.from(name), [0x10, 0, 0, length]))).toBe(name);
  });

  it('ends where it is filled up with zeros', () => {
    expect(docTypeOf(head(Buffer.from('webm\0\0'), [0x80 | 33]))).toBe('webm');
  });

  it('is not known where the head is cut off, is another or is anything', () => {
    const whole = head(Buffer.from('webm'), [0x80 | 31]);
    expect(docTypeOf(whole.subarray(0, 24))).toBeUndefined();
    expect(docTypeOf(Buffer.from('RIFF....AVI '))).toBeUndefined();
  });

  it('is read from any bytes without a failure', () => {
    const magic = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
    const read = (rest: Uint8Array) => docTypeOf(Buffer.concat([magic, rest]));
    expect(() =>
      fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (rest) => void read(rest))),
    ).not.toThrow();
  });
});
