import { describe, expect, it } from 'vitest';
import { afterFailure, afterProgress, hasGivenUp, newSource, tryAgain } from './source.ts';

describe('a video whose address runs out', () => {
  it('is read again from the newest address', () => {
    const renewed = afterFailure(newSource(7, '/old'), '/new', 12);
    expect(renewed).toMatchObject({ id: 7, address: '/new', attempt: 1 });
    expect(hasGivenUp(renewed)).toBe(false);
  });

  it('may run out again after it went on', () => {
    let source = newSource(7, '/0');
    for (let hour = 1; hour < 10; hour += 1) {
      source = afterProgress(afterFailure(source, `/${hour}`, hour * 60), hour * 60 + 5);
      expect(source).toMatchObject({ address: `/${hour}`, failures: 0 });
    }
  });
});

describe('a broken video', () => {
  const broken = [1, 2, 3].reduce(
    (source) => afterProgress(afterFailure(source, '/same', 4), 4.5),
    newSource(7, '/same'),
  );

  it('is given up after two more tries', () => {
    expect(hasGivenUp(broken)).toBe(true);
    expect(broken.attempt).toBe(2);
  });

  it('is tried again when somebody asks for it', () => {
    const again = tryAgain(broken, '/fetched');
    expect(hasGivenUp(again)).toBe(false);
    expect(again).toMatchObject({ address: '/fetched', attempt: 3, failures: 0 });
  });
});
