import { describe, expect, it } from 'vitest';
import { errorOf } from './api-error.ts';

const messageOf = async (body: unknown, statusText = '', status = 502): Promise<string> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (await errorOf(new Response(text, { status, statusText }))).message;
};

describe('the message of a failed call', () => {
  const all = { error_description: 'described', message: 'said', error: 'code' };
  // The chain of spec section 8, from its first link to its last.
  it.each([
    ['error_description', all, 'described'],
    ['message', { ...all, error_description: '' }, 'said'],
    ['error', { error: 'code', message: null }, 'code'],
    ['the text of the answer', 'the disk is full', 'the disk is full'],
    ['the status text', {}, 'Bad Gateway'],
    ['the status text, of an empty answer', '', 'Bad Gateway'],
    ["the status text, of a proxy's page", '<html><h1>502</h1></html>', 'Bad Gateway'],
  ])('is %s', async (_name, body, message) => {
    expect(await messageOf(body, 'Bad Gateway')).toBe(message);
  });

  it("is 'Undefined Error' if there is nothing else", async () => {
    expect(await messageOf({})).toBe('Undefined Error');
    expect(await messageOf(' <!doctype html><title>Oops</title>')).toBe('Undefined Error');
  });

  it('is short enough to read', async () => {
    expect(await messageOf('x'.repeat(10_000))).toHaveLength(255);
  });

  it('comes with code, field and how long to wait', async () => {
    const headers = { 'retry-after': '7' };
    const body = JSON.stringify({ error: 'too_large', field: 'file' });
    expect(await errorOf(new Response(body, { status: 413, headers }))).toMatchObject({
      status: 413,
      error: 'too_large',
      field: 'file',
      retryAfterS: 7,
    });
  });
});
