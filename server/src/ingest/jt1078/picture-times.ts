// The times of a stream's pictures. A terminal says when each is shown, and sends a picture before the B pictures that need
// it though they are shown before it. So the times in a stream go back, and the times of decoding must not.

/** A greater step between two pictures is one of the terminal's clock, ms. */
const MOST_STEP_MS = 5000;
/** The step that stands for it. */
const USUAL_STEP_MS = 40;
/** Most pictures that are sent before one that is shown before them. */
const MOST_AHEAD = 4;

/** Times of a picture since the first one, ms. */
export interface PictureTimes {
  /** When it is decoded; never less than before. */
  readonly atMs: number;
  /** When it is shown; never before it is decoded. */
  readonly shownMs: number;
}

/**
 * Makes the clock of one stream. A picture is decoded when the latest shown one so far is, or the second latest one, and so
 * on: as far back as pictures were sent ahead until now. When one is shown earlier still, all pictures from this one on are
 * shown so much later; a terminal's clock that is set back a little looks the same.
 * @returns takes the terminal's time of the next picture in the order of sending, ms
 */
export function createPictureTimes(): (timeMs: number) => PictureTimes {
  let last: { readonly timeMs: number; readonly ownMs: number } | undefined;
  /** The latest times since the first picture, in order. */
  const latest = [0];
  let laterMs = 0;

  function ownTime(timeMs: number): number {
    if (last === undefined) return 0;
    const ownMs = last.ownMs + timeMs - last.timeMs;
    const [earliestMs = 0, latestMs = 0] = [latest[0], latest.at(-1)];
    const isTooEarly = ownMs < earliestMs && latest.length > MOST_AHEAD;
    const isJump = isTooEarly || Math.abs(ownMs - latestMs) > MOST_STEP_MS;
    return isJump ? latestMs + USUAL_STEP_MS : ownMs;
  }

  return (timeMs) => {
    const ownMs = ownTime(timeMs);
    last = { timeMs, ownMs };
    const [earliestMs = 0] = latest;
    if (ownMs < earliestMs) {
      laterMs += earliestMs + 1 - ownMs;
      latest.unshift(ownMs);
    } else if (!latest.includes(ownMs)) {
      latest.push(ownMs);
      latest.sort((a, b) => a - b).shift();
    }
    return { atMs: (latest[0] ?? 0) + laterMs, shownMs: ownMs + laterMs };
  };
}
