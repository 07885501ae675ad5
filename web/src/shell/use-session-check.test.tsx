import { checkSession } from '@ridewatch/contract/auth';
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshServer } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { useSessionCheck } from './use-session-check.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  vi.useFakeTimers();
  renderHook(useSessionCheck);
});
const asked = () => server.asked(checkSession).length;

it('asks every two seconds or so while nothing else is answered', async () => {
  server.answer(checkSession, undefined as never);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBeGreaterThanOrEqual(4);
  expect(asked()).toBeLessThanOrEqual(5);
});

it('leaves a server in trouble alone for a while', async () => {
  server.refuse(checkSession, 'unavailable');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked()).toBe(2);
});
