import { beforeEach, expect, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { createFailedCommands, type FailedCommands } from './failed-commands.ts';

const FULL = new AppError('unavailable', 'The disk of the server is full.');
const BUSY = new AppError('too_many_attempts', 'This unit sends too many batches at once.');

let nowMs: number;
let lines: unknown[];
let commands: FailedCommands;
beforeEach(() => {
  [nowMs, lines] = [0, []];
  const warn = (fields: object) => {
    lines.push(fields);
  };
  const clock = { elapsedMs: () => nowMs };
  commands = createFailedCommands({ log: { warn, error: warn }, clock });
});

const kinds = ['start_live', 'stop_live'];
/** Fails each five seconds for so long. */
function fail(seconds: number, unitId: number, error = FULL): void {
  for (let second = 0; second <= seconds; second += 5) {
    commands.failed({ unitId, kinds }, error);
    nowMs += 5000;
  }
}

it('a failure of commands is in the log once it lasts, and each cause of many units once', () => {
  fail(55, 1);
  expect(lines).toEqual([]);
  fail(300, 1);
  fail(300, 2);
  expect(lines).toEqual([{ unitId: 1, kinds, err: FULL }]);
  fail(60, 1, BUSY);
  expect(lines).toHaveLength(2);
});

it('a failure that the next look mends, or that comes after hours without one, is not in the log', () => {
  for (let minute = 0; minute < 10; minute += 1) {
    fail(30, 1);
    commands.worked({ unitId: 1, kinds });
    nowMs += 30_000;
  }
  for (let hour = 0; hour < 3; hour += 1) {
    fail(30, 1);
    nowMs += 3_600_000;
  }
  expect(lines).toEqual([]);
});

it('the log says that commands are carried out again once no unit fails, and units that left fail no more', () => {
  fail(60, 1);
  fail(60, 2);
  fail(0, 3);
  const [first] = lines;
  commands.worked({ unitId: 1, kinds });
  commands.worked({ unitId: 3, kinds });
  expect(lines).toEqual([first]);
  commands.worked({ unitId: 2, kinds });
  commands.worked({ unitId: 2, kinds });
  expect(lines).toEqual([first, { kinds }]);
  nowMs += 3_600_000;
  fail(60, 1);
  nowMs += 3_600_000;
  fail(60, 2);
  commands.worked({ unitId: 2, kinds });
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toEqual({ kinds });
});
