import { describe, expect, it } from 'vitest';
import { isAhead, openText, type QueryText, seeAddress, sendText } from './query-text.ts';

const type = (text: QueryText, typed: string): QueryText => ({ ...text, typed });

describe('the search of the bus list', () => {
  it('keeps what is typed while the address is two words behind', () => {
    let text = sendText(type(openText(''), '0'));
    text = sendText(type(text, '04'));
    text = type(text, '045');
    text = seeAddress(text, '0');
    expect(text.typed).toBe('045');
    text = seeAddress(text, '04');
    expect(text.typed).toBe('045');
    expect(isAhead(text)).toBe(true);
    text = seeAddress(sendText(text), '045');
    expect(text).toEqual({ typed: '045', inAddress: '045', onWay: [] });
    expect(isAhead(text)).toBe(false);
  });

  it('keeps what is typed when the address leaves a word out', () => {
    let text = sendText(type(openText(''), '0'));
    text = type(sendText(type(text, '04')), '045');
    expect(seeAddress(text, '04')).toEqual({ typed: '045', inAddress: '04', onWay: [] });
  });

  it('takes over what a link or a step back says', () => {
    const sent = seeAddress(sendText(type(openText(''), '04')), '04');
    expect(seeAddress(sent, '').typed).toBe('');
    expect(seeAddress(sent, 'А 472').typed).toBe('А 472');
  });
});
