import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { packedAnswer } from '../../core/http/cached-answer.ts';
import { createUnreadAnswers } from './unread.ts';

const newAnswer = () => packedAnswer(Buffer.from('packed'), 'key');
const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
const busy = expect.objectContaining({ code: 'unavailable', retryAfterS: 5 });

it('a user who reads none of eight large answers gets no ninth until one is read', () => {
  const unread = createUnreadAnswers();
  const responses = Array.from({ length: 8 }, newResponse);
  for (const response of responses) unread.add(1, newAnswer(), response);
  expect(() => unread.expectRoom(1)).toThrow(busy);
  unread.expectRoom(2);
  responses[3]?.emit('close');
  unread.expectRoom(1);
});

it('one answer that is sent several times to a user counts once', () => {
  const unread = createUnreadAnswers();
  const answer = newAnswer();
  const responses = Array.from({ length: 20 }, newResponse);
  for (const response of responses) unread.add(1, answer, response);
  for (let n = 0; n < 7; n += 1) unread.add(1, newAnswer(), newResponse());
  expect(() => unread.expectRoom(1)).toThrow(busy);
  for (const response of responses) response.emit('close');
  unread.expectRoom(1);
});

it('all users together have at most 24 large answers unread', () => {
  const unread = createUnreadAnswers();
  for (let n = 0; n < 24; n += 1) unread.add(n % 3, newAnswer(), newResponse());
  expect(() => unread.expectRoom(7)).toThrow(busy);
});
