// A small run of `npm run fuzz -- --parsers all`: damaged frames of each protocol to its parser in a thread of its own, then over
// sockets to a running product with a sound unit beside them.
import { expect, it } from 'vitest';
import { fuzzParsers } from '../fuzz/parsers/main.ts';
import { parsers } from '../fuzz/parsers/parsers.ts';

const SEED = 2026;
const LIMIT_MS = 280_000;

it.each(parsers)(
  'damaged frames of $protocol cost neither the server nor the unit beside them anything',
  async ({ protocol }) => {
    const said: string[] = [];
    const isClean = await fuzzParsers({
      ...{ protocol, seed: SEED, frames: 4000, sockets: 400, only: undefined },
      say: (text) => said.push(text),
    });
    expect([isClean, said.filter((line) => line.includes('FOUND'))]).toEqual([true, []]);
    expect(said.join('\n')).toMatch(/4,000 frames, .*: clean\n.*over sockets: 400 frames/s);
  },
  LIMIT_MS,
);

it('a protocol that there is not is named', async () => {
  const run = fuzzParsers({
    ...{ protocol: 'wialon', seed: SEED, frames: 1, sockets: 0, only: undefined },
    say: () => undefined,
  });
  await expect(run).rejects.toThrow("'wialon' is none of egts, jt808, osmand, jt1078, ftp, all");
});
