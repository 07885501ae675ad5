// Watches the statements by which units of other protocols are looked up, at the connections to the database.
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';

/** The look-ups since the beginning of the watch. */
interface WatchedLookUps {
  /** The ids of each statement. */
  ids(): readonly (readonly string[])[];
  /** Most statements that ran at the same time. */
  mostAtOnce(): number;
  /** Lets none from now on reach the database until the returned function is called. */
  hold(): () => void;
}

/** Begins the watch, which ends with the test. */
export function watchLookUps(): WatchedLookUps {
  const ids: string[][] = [];
  let running = 0;
  let most = 0;
  let held: PromiseWithResolvers<void> | undefined;
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const watch = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [text, values] = given;
    const isLookUp = typeof text === 'string' && /from "units".*"protocol_id" = any/s.test(text);
    if (!isLookUp) return query.apply(this, given);
    ids.push((values as unknown[]).find(Array.isArray) ?? []);
    running += 1;
    most = Math.max(most, running);
    const answered = async () => {
      await held?.promise;
      return query.apply(this, given);
    };
    return answered().finally(() => {
      running -= 1;
    });
  } as never);
  const letGo = (): void => {
    held?.resolve();
    held = undefined;
  };
  onTestFinished(() => {
    letGo();
    watch.mockRestore();
  });
  return {
    ids: () => ids,
    mostAtOnce: () => most,
    hold: () => {
      held = Promise.withResolvers();
      return letGo;
    },
  };
}
