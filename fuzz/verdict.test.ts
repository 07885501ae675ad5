import { describe, expect, it } from 'vitest';
import { MOST_HEALTH_MS, MOST_MEMORY_MIB } from './run.ts';
import { faultsOfRun } from './verdict.ts';

const watched = {
  ...{ p50Ms: 5, p99Ms: MOST_HEALTH_MS, worstMs: 5000, asked: 1000 },
  ...{ firstMiB: 250, mostMiB: MOST_MEMORY_MIB, lastMiB: 250 },
};
const kinds = new Map<string, number>();

describe('a run', () => {
  it('is clean up to its limits', () => {
    expect(faultsOfRun({ kinds, watched })).toEqual([]);
  });

  it.each([
    ['whose p99 of /healthz is over 200 ms', { p99Ms: 201 }, 'p99 of /healthz is 201 ms, over 200'],
    ['whose /healthz was never answered', { asked: 0 }, '/healthz was never answered'],
    ['that takes too much memory', { mostMiB: 1025 }, 'the server held 1025 MiB, over 1024'],
  ])('%s fails', (_name, worse, fault) => {
    expect(faultsOfRun({ kinds, watched: { ...watched, ...worse } })).toEqual([fault]);
  });

  it('with a finding fails', () => {
    const found = new Map([['GET /api/settings: status 500', 2]]);
    expect(faultsOfRun({ kinds: found, watched })).toEqual(['2 × GET /api/settings: status 500']);
  });

  it('beside other tests has a limit of its own', () => {
    const slow = { kinds, watched: { ...watched, p99Ms: 1500 } };
    expect(faultsOfRun(slow, 2000)).toEqual([]);
    expect(faultsOfRun(slow, 1000)).toHaveLength(1);
  });
});
