import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf, MAX_FORM_PARTS } from './multipart.ts';

async function read(form: FormData) {
  const sent = new Response(form);
  const body = Buffer.from(await sent.arrayBuffer());
  return fieldsOf(body, sent.headers.get('content-type') ?? '');
}
const readText = (lines: readonly string[], type = 'multipart/form-data; boundary=b') =>
  fieldsOf(Buffer.from(lines.join('\r\n')), type);
const DISPOSITION = 'Content-Disposition: form-data; name="a"';

describe('a form', () => {
  it('is read as it was filled in, whatever texts, files and names it holds', async () => {
    // No CR or LF, because encoding turns a lone one into CRLF (HTML, 4.10.21.8).
    const text = fc.string({ unit: 'grapheme' }).map((one) => one.replace(/[\r\n]/g, '-'));
    const field = fc.tuple(text, fc.oneof(text, fc.uint8Array({ maxLength: 300 })));
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 12 }), async (fields) => {
        const form = new FormData();
        const sent = new Map<string, unknown[]>();
        for (const [name, value] of fields) {
          if (typeof value === 'string') form.append(name, value);
          else form.append(name, new Blob([value], { type: 'text/csv' }), 'stops "1";\\.csv');
          sent.set(name, [...(sent.get(name) ?? []), value]);
        }
        const got = Object.entries(await read(form));
        expect(got.length).toBe(sent.size);
        for (const [name, value] of got) {
          const plain = [value].flat().map(async (one) => {
            if (typeof one === 'string') return one;
            expect([one.name, one.type]).toEqual(['stops "1";\\.csv', 'text/csv']);
            return new Uint8Array(await one.arrayBuffer());
          });
          expect(await Promise.all(plain)).toEqual(sent.get(name));
        }
      }),
    );
  });

  it.each([
    ['a backslash at its end, as browsers send it', '"\\"', '\\'],
    ['two backslashes, as browsers send them', '"\\\\"', '\\\\'],
    ['a backslash before a quote, as browsers send them', '"\\%22"', '\\"'],
    ['a quote behind a backslash, as other clients send it', '"a\\"b"', 'a"b'],
  ])('may have a name with %s', (_what, written, name) => {
    const disposition = `Content-Disposition: form-data; name=${written}; filename="x"`;
    const fields = readText(['--b', disposition, '', 'x', '--b--']);
    expect(Object.keys(fields)).toEqual([name]);
  });

  it('may have a preamble, blanks behind its boundary, and heads in any case of letters', () => {
    const lines = [
      'hello',
      '--b \t',
      DISPOSITION.toUpperCase().replace('"A"', 'a'),
      '',
      'x',
      '--b--',
    ];
    expect({ ...readText(lines, 'Multipart/Form-Data; charset=utf-8; Boundary="b"') }).toEqual({
      a: 'x',
    });
  });

  it.each([
    ['nothing', []],
    ['no end', ['--b', DISPOSITION, '', 'x']],
    ['a part without a name', ['--b', 'Content-Disposition: form-data', '', 'x', '--b--']],
    ['a part that is no field', ['--b', 'Content-Disposition: file; name="a"', '', 'x', '--b--']],
    ['a head without an end', ['--b', DISPOSITION, 'x', '--b--']],
    ['a head of 9,000 bytes', ['--b', DISPOSITION, `x: ${'x'.repeat(9000)}`, '', 'x', '--b--']],
  ])('with %s is refused', (_name, lines) => {
    expect(() => readText(lines)).toThrow('is not multipart/form-data');
  });

  it('without a boundary is refused', () => {
    expect(() => readText(['--b--'], 'multipart/form-data')).toThrow('is not multipart/form-data');
  });

  it('of damaged bytes is refused or read, and nothing else', async () => {
    const form = new FormData();
    form.append('name', 'Маршрут 1');
    form.append('file', new Blob(['a;b']), 'stops.csv');
    const sent = new Response(form);
    const whole = Buffer.from(await sent.arrayBuffer());
    const type = sent.headers.get('content-type') ?? '';
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const body = Buffer.from(whole);
        body[at] = byte;
        try {
          fieldsOf(body, type);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
    );
  });

  it(`has at most ${MAX_FORM_PARTS} parts, and is not looked at behind them`, () => {
    const part = ['--b', DISPOSITION, '', 'x'];
    const of = (count: number) => readText([...Array(count).fill(part).flat(), '--b--']);
    expect(of(MAX_FORM_PARTS).a).toHaveLength(MAX_FORM_PARTS);
    expect(() => of(MAX_FORM_PARTS + 1)).toThrow(`at most ${MAX_FORM_PARTS} parts`);
    // A megabyte of fields. The message names the limit, because parsing ends before the missing end.
    const many = Array(20_000).fill(part).flat();
    expect(() => readText(many)).toThrow(`at most ${MAX_FORM_PARTS} parts`);
  });
});
