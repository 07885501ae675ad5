// Sign-ins of terminals that upload.
import { expect, it } from 'vitest';
import { beginRunning, hasBroken, noteSignIn, SILENT_MS } from './running-upload.ts';
import type { UploadState } from './upload-state.ts';

const state = (receivedMs: number, isComing: boolean): UploadState => ({
  ...{ commandId: 1, fragmentId: 1, receivedBytes: 1000, receivedMs, isComing },
  ...{ movedMs: receivedMs, isWhole: false, isFinished: false, hasBegun: true },
});

it('an upload that has gone on after a sign-in has not broken by it when its connection ends later', () => {
  const running = beginRunning(state(0, true), false, 0);
  noteSignIn(running, 1000);
  expect(hasBroken(running, state(11_000, false), 60_000)).toBe(false);
  expect(running.mostSilentMs).toBe(SILENT_MS);
});

it('an upload whose connection ends after a sign-in has broken', () => {
  const running = beginRunning(state(0, true), false, 0);
  noteSignIn(running, 1000);
  expect(hasBroken(running, state(5000, true), 6000)).toBe(false);
  expect(hasBroken(running, state(5000, false), 15_000)).toBe(true);
});
