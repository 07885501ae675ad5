// The bytes of answers, worked out from the tables of the standard.
import { describe, expect, it } from 'vitest';
import { createAnswers } from './answers.ts';
import type { Message } from './messages.ts';

const message = (version: number | null, id: number, serial: number): Message => ({
  ...{ version, id, serial, terminal: '139', isEncrypted: false, split: null },
  phone: Buffer.from('139'.padStart(version === null ? 12 : 20, '0'), 'hex'),
  body: Buffer.alloc(0),
});
const [old, recent] = [message(null, 0x0200, 0x1234), message(1, 0x0102, 0x007e)];

describe('an answer', () => {
  it('to any message names its serial and id, in its form and with escapes', () => {
    const answers = createAnswers();
    expect(answers.general(old, old.serial, 0).toString('hex')).toBe(
      '7e8001000500000000013900011234020000997e',
    );
    expect(answers.general(recent, recent.serial, 1).toString('hex')).toBe(
      '7e8001400501000000000000000001390002007d02010201837e',
    );
  });

  it('to a registration has the code, or the reason why there is none', () => {
    const answers = createAnswers();
    const code = '00112233445566778899aabbccddeeff';
    expect(answers.registered(old, code).toString('hex')).toBe(
      `7e810000230000000001390001123400${Buffer.from(code).toString('hex')}bd7e`,
    );
    expect(answers.registered(old, undefined).toString('hex')).toBe(
      '7e8100000300000000013900021234049a7e',
    );
  });

  it('that asks for missing parts has their number in one byte, and since 2019 in two', () => {
    const answers = createAnswers();
    answers.general(old, 0, 0);
    answers.general(old, 0, 0);
    expect(answers.resend(old, 0x7d, [2, 3]).toString('hex')).toBe(
      '7e800300070000000001390003007d010200020003c17e',
    );
    expect(answers.resend(recent, 0x7d, [2, 3]).toString('hex')).toBe(
      '7e8003400801000000000000000001390004007d01000200020003887e',
    );
  });
});
