import { describe, expect, it } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createFileReader } from './reader.ts';

const log = createLog('silent');
const nothing = { choice: null, turnAt: null };
const csv = (rows: number) =>
  new File([`name,lat,lon\n${Array.from({ length: rows }, (_, n) => `${n},1,1`).join('\n')}`], 'a');

describe('the thread that reads files', () => {
  it('reads one file after another, also after one that it refused', async () => {
    const { readFile: read, close } = createFileReader(log);
    const answers = await Promise.allSettled([
      read(csv(1), nothing, 'en'),
      read(new File([''], 'empty'), nothing, 'en'),
      read(csv(3), nothing, 'en'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await close();
  });

  it('is given up when a file takes too long', async () => {
    const { readFile: read, close } = createFileReader(log, 1);
    await expect(read(csv(900), nothing, 'en')).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'file',
      message: 'Reading the file takes too long.',
    });
    await close();
  });

  it('tells a user who asks while too many wait to come back', async () => {
    const { readFile: read, close } = createFileReader(log);
    const asked = Array.from({ length: 18 }, () => read(csv(1), nothing, 'en'));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'unavailable', retryAfterS: 30 } }]);
    await close();
  });
});
