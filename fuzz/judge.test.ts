import { describe, expect, it } from 'vitest';
import type { Description, Operation } from './description.ts';
import { judge } from './judge.ts';
import type { Answer } from './wire.ts';

const ofError = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const described: Operation = {
  method: 'GET',
  path: '/api/settings',
  parameters: [],
  responses: { 200: {}, 431: ofError },
};
const description: Description = {
  operations: [described],
  schemas: {
    Error: {
      type: 'object',
      properties: { error: { type: 'string' } },
      required: ['error'],
      additionalProperties: false,
    },
  },
  at: () => undefined,
};
const answerOf = (status: number, body: unknown = { error: 'code' }, type = 'application/json') =>
  ({
    status,
    headers: { 'content-type': type },
    body: Buffer.from(JSON.stringify(body)),
    ms: 1,
  }) satisfies Answer;

describe('an answer where there is no call', () => {
  it.each([400, 404, 408, 431])('may be the error of status %i', (status) => {
    expect(judge(description, undefined, answerOf(status))).toBeUndefined();
  });

  it.each([200, 401, 405, 413, 418, 429])('is at fault with status %i', (status) => {
    expect(judge(description, undefined, answerOf(status))).toBe(
      `status ${status} is not described`,
    );
  });

  it.each([408, 431])('is at fault with status %i when it is no error in form', (status) => {
    expect(judge(description, undefined, answerOf(status, { more: 1 }))).toMatch(
      new RegExp(`^status ${status}: \\$`),
    );
    expect(judge(description, undefined, answerOf(status, {}, 'text/html'))).toBe(
      `status ${status} is text/html, not application/json`,
    );
  });

  it('is at fault without a body, unless its description says when it has none', () => {
    const content = { 'application/json': {} };
    const empty = { ...answerOf(200), headers: {}, body: Buffer.alloc(0) };
    const of = (answer: Operation['responses'][string]) => {
      return { ...described, responses: { 200: answer } };
    };
    expect(judge(description, of({ content }), empty)).toBe('status 200 is , not application/json');
    expect(judge(description, of({ content, 'x-empty': 'All is stored' }), empty)).toBeUndefined();
  });

  it('is at fault with status 408 or 431 when it came too late', () => {
    for (const status of [408, 431]) {
      expect(judge(description, undefined, { ...answerOf(status), ms: 10_001 })).toBe(
        'slower than 10 s',
      );
    }
  });
});

describe('an answer of a call', () => {
  it('may be 431 where the description says so, and not be 408 where it does not', () => {
    expect(judge(description, described, answerOf(431))).toBeUndefined();
    expect(judge(description, described, answerOf(408))).toBe('status 408 is not described');
  });
});
