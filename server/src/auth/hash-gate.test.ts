import { describe, expect, it } from 'vitest';
import { createHashGate } from './hash-gate.ts';

/** Enters the gate; the result can leave it. */
function visit(gate: ReturnType<typeof createHashGate>, address: string) {
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  const visitor = { isHashed: false, leave, over: Promise.resolve() };
  visitor.over = gate.enter(address, (inTurn) =>
    inTurn(async () => {
      visitor.isHashed = true;
      await promise;
    }),
  );
  return visitor;
}
const full = { code: 'unavailable', retryAfterS: 2 };

describe('the gate of hashes', () => {
  it('makes as many at once as it may, in the order in which they came', async () => {
    const gate = createHashGate({ atOnce: 2, mostWaiting: 2 });
    const visitors = [1, 2, 3, 4].map((n) => visit(gate, `10.0.0.${n}`));
    const hashed = () => visitors.map(({ isHashed }) => isHashed);
    await expect(visit(gate, '10.0.0.5').over).rejects.toMatchObject(full);
    expect(hashed()).toEqual([true, true, false, false]);
    visitors[1]?.leave();
    await visitors[1]?.over;
    expect(hashed()).toEqual([true, true, true, false]);
    visitors[0]?.leave();
    await visitors[0]?.over;
    expect(hashed()).toEqual([true, true, true, true]);
    for (const { leave } of visitors) leave();
    await Promise.all(visitors.map(({ over }) => over));
  });

  it('has sixty places behind those for whom hashes are made', async () => {
    const gate = createHashGate({ atOnce: 1 });
    const visitors = Array.from({ length: 61 }, (_, n) => visit(gate, `10.0.1.${n}`));
    await expect(visit(gate, '10.0.2.1').over).rejects.toMatchObject(full);
    for (const { leave } of visitors) leave();
    await Promise.all(visitors.map(({ over }) => over));
  });

  it('keeps places for others where one address asks for all of them', async () => {
    const gate = createHashGate({ atOnce: 1, mostWaiting: 5, mostOfAddress: 3 });
    const own = [1, 2, 3].map(() => visit(gate, '10.0.0.1'));
    await expect(visit(gate, '10.0.0.1').over).rejects.toMatchObject(full);
    const other = visit(gate, '10.0.0.2');
    for (const { leave } of [...own, other]) leave();
    await Promise.all([...own, other].map(({ over }) => over));
    // Leaving frees a place.
    const again = visit(gate, '10.0.0.1');
    again.leave();
    await again.over;
  });

  it('lets nobody wait for somebody who is inside and makes no hash', async () => {
    const gate = createHashGate({ atOnce: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const reading = gate.enter('10.0.0.1', () => promise);
    const other = visit(gate, '10.0.0.2');
    other.leave();
    await other.over;
    resolve();
    await reading;
  });

  it('turns away those who had no turn for too long', async () => {
    let nowMs = 0;
    const gate = createHashGate({ atOnce: 1, longestWaitMs: 5000 }, () => nowMs);
    const first = visit(gate, '10.0.0.1');
    const late = visit(gate, '10.0.0.2');
    nowMs = 5001;
    const next = visit(gate, '10.0.0.3');
    next.leave();
    first.leave();
    await expect(late.over).rejects.toMatchObject(full);
    await next.over;
    expect([late.isHashed, next.isHashed]).toEqual([false, true]);
  });
});
