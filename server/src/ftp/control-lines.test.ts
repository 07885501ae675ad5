import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triesOf } from '../test/tries-of.ts';
import { type ControlLine, createLineReader, LONGEST_LINE } from './control-lines.ts';

const readWhole = (bytes: Buffer) => createLineReader().push(bytes);

describe('the lines of an FTP connection', () => {
  it('are verb and argument, whatever ends them', () => {
    expect(readWhole(Buffer.from('user abc\r\nPASS a b \n\r\nNOOP\r\n'))).toEqual([
      { verb: 'USER', argument: 'abc' },
      { verb: 'PASS', argument: 'a b ' },
      { verb: '', argument: '' },
      { verb: 'NOOP', argument: '' },
    ]);
  });

  it('come without the Telnet commands that are put before ABOR', () => {
    const bytes = [255, 244, 255, 242, ...Buffer.from('ABOR\r\n'), 255, 253, 1];
    expect(readWhole(Buffer.from([...bytes, ...Buffer.from('QUIT\r\n')]))).toEqual([
      { verb: 'ABOR', argument: '' },
      { verb: 'QUIT', argument: '' },
    ]);
  });

  it('come without a Telnet option, whatever its number is', () => {
    for (const option of [1, 0x0a, 0xfb, 0xfe, 0xff]) {
      const bytes = [...Buffer.from('NO'), 255, 253, option, ...Buffer.from('OP\r\n')];
      expect(readWhole(Buffer.from(bytes))).toEqual([{ verb: 'NOOP', argument: '' }]);
    }
  });

  it('are no more read after one that is too long', () => {
    const [longest, longer] = [LONGEST_LINE, LONGEST_LINE + 1].map((length) =>
      Buffer.from(`${'N'.repeat(length)}\nNOOP\n`),
    );
    expect(readWhole(longest ?? Buffer.alloc(0))).toHaveLength(2);
    expect(readWhole(longer ?? Buffer.alloc(0))).toEqual(['too long']);
  });

  it('are the same however the network cuts them, and whatever the bytes are', () => {
    const near = fc.constantFrom(...Buffer.from('STOR \r\n'), 255, 244, 251, 0);
    const bytes = fc.array(fc.oneof(near, fc.nat(255)), { maxLength: 1500 });
    const cuts = fc.array(fc.nat(1500), { maxLength: 8 });
    fc.assert(
      fc.property(bytes, cuts, (all, at) => {
        const reader = createLineReader();
        const ends = [...at.map((cut) => Math.min(cut, all.length)), all.length];
        const lines: (ControlLine | 'too long')[] = [];
        let from = 0;
        for (const end of ends.sort((a, b) => a - b)) {
          lines.push(...reader.push(Buffer.from(all.slice(from, end))));
          from = end;
        }
        expect(lines).toEqual(readWhole(Buffer.from(all)));
        for (const line of lines) {
          if (line === 'too long') continue;
          expect(line.verb.length + line.argument.length).toBeLessThanOrEqual(LONGEST_LINE);
          expect(`${line.verb}${line.argument}`).not.toContain('\n');
        }
      }),
      { numRuns: triesOf(500) },
    );
  });
});
