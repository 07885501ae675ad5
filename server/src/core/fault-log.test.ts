import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultLog, type FaultLog } from './fault-log.ts';

const MINUTE_MS = 60_000;
let nowMs: number;
let lines: string[];
let faults: FaultLog;
beforeEach(() => {
  nowMs = 0;
  lines = [];
  const warn = (fields: object, text?: string) => {
    lines.push([text, ...Object.values(fields)].join(' '));
  };
  faults = createFaultLog({ log: { warn, error: warn }, clock: { elapsedMs: () => nowMs } });
});
const fail = (cause: string, minutes = 1) => {
  nowMs += minutes * MINUTE_MS;
  faults.fail('it', cause, { cause }, 'fails:');
};
const work = (minutes = 1) => {
  nowMs += minutes * MINUTE_MS;
  faults.work('it', {}, 'works');
};

describe('a fault that lasts', () => {
  it('is in the log when it begins, once an hour, and when it ends', () => {
    work();
    for (let minute = 0; minute < 119; minute += 1) fail('refused');
    work();
    work();
    expect(lines).toEqual(['fails: refused', 'fails: refused', 'works']);
  });

  it('is in the log again when its cause is another one, also when the two take turns', () => {
    for (let minute = 0; minute < 40; minute += 2) {
      fail('refused');
      fail('closed');
    }
    expect(lines).toEqual(['fails: refused', 'fails: closed']);
  });

  it('that comes back soon after its end is in the log if it lasts', () => {
    fail('closed');
    for (let minute = 0; minute < 10; minute += 2) {
      work();
      fail('closed');
    }
    expect(lines).toEqual(['fails: closed', 'works']);
    fail('closed', 15);
    work();
    expect(lines.slice(2)).toEqual(['fails: closed', 'works']);
  });

  it('is in the log again when the thing is another one under the same name', () => {
    fail('refused');
    faults.renew('it');
    work();
    faults.renew('it');
    fail('refused');
    work();
    expect(lines).toEqual(['fails: refused', 'works', 'fails: refused', 'works']);
  });

  it('of one thing hides none of another', () => {
    fail('closed');
    faults.fail('other', 'closed', { cause: 'closed' }, 'fails:');
    expect(lines).toHaveLength(2);
  });
});
