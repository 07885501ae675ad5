import { describe, expect, it } from 'vitest';
import { labelsUnder, TIME_PX, timeAt } from './axis-labels.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { drawTimeline, type TimelineColours, type TimelineScene } from './draw.ts';
import type { LapsLine } from './laps-line.ts';
import { layoutOf } from './layout.ts';

const HOUR_MS = 3_600_000;
const colours = Object.fromEntries(
  [
    'track',
    'line',
    'label',
    'accent',
    'processed',
    'waiting',
    'error',
    'live',
    'deleted',
    'cancelled',
    'entered',
    'exited',
    'surface',
  ].map((name) => [name, name]),
) as unknown as TimelineColours;

interface Step {
  readonly call: string;
  readonly colour: string;
  readonly values: readonly unknown[];
}

/** A canvas context that records what was drawn, and in which colour. */
function paper() {
  const steps: Step[] = [];
  const state: Record<string, unknown> = {};
  const context = new Proxy(state, {
    get(_target, name: string) {
      if (name in state) return state[name];
      return (...values: unknown[]) => {
        const isLine = name.startsWith('stroke');
        const colour = String(state[isLine ? 'strokeStyle' : 'fillStyle'] ?? '');
        steps.push({ call: name, colour, values });
        return name === 'measureText' ? { width: String(values[0]).length * 6 } : undefined;
      };
    },
    set(_target, name: string, value) {
      state[name] = value;
      return true;
    },
  });
  return { steps, context: context as unknown as CanvasRenderingContext2D };
}

const block = (
  id: number,
  fromH: number,
  toH: number,
  kind: Block['kind'] = 'processed',
): Block => ({
  id,
  startMs: fromH * HOUR_MS,
  endMs: toH * HOUR_MS,
  kind,
  entered: 2,
  exited: 1,
});
function draw(blocks: readonly Block[], more: Partial<TimelineScene> = {}) {
  const ticks = blocks.map((one) => ({
    momentMs: one.startMs,
    entered: one.entered,
    exited: one.exited,
    block: one,
  }));
  const rows: readonly TimelineRow[] = [{ id: 1, label: 'Door', blocks, ticks }];
  const { steps, context } = paper();
  drawTimeline(
    context,
    {
      rows,
      line: undefined,
      layout: layoutOf(rows, more.line !== undefined),
      view: { startMs: 0, endMs: 10 * HOUR_MS },
      widthPx: 1000,
      axis: [{ momentMs: 5 * HOUR_MS, label: '05:00' }],
      selectedId: undefined,
      ...more,
    },
    colours,
  );
  return steps;
}
const texts = (steps: readonly Step[]) =>
  steps.filter(({ call }) => call === 'fillText').map(({ values }) => values[0]);
const coloursOf = (steps: readonly Step[]) => new Set(steps.map(({ colour }) => colour));

describe('a drawn timeline', () => {
  it('begins on an empty canvas and names the hours', () => {
    const steps = draw([]);
    expect(steps[0]?.call).toBe('clearRect');
    expect(texts(steps)).toEqual(['05:00']);
    const line = steps.find(({ call, colour }) => call === 'fillRect' && colour === 'line');
    expect(line?.values[0]).toBe(500);
  });

  it('keeps the label of an hour within the canvas', () => {
    const steps = draw([], { axis: [{ momentMs: 0, label: '00:00' }] });
    expect(steps.find(({ call }) => call === 'fillText')?.values[1]).toBe(0);
  });

  it.each(['processed', 'waiting', 'error', 'live', 'deleted', 'cancelled'] as const)(
    'has a block that is %s in its colour',
    (kind) => expect(coloursOf(draw([block(1, 2, 3, kind)]))).toContain(kind),
  );

  it('leaves out what lies before and behind the view', () => {
    const inside = draw([block(1, 2, 3)]).length;
    const view = { startMs: 5 * HOUR_MS, endMs: 10 * HOUR_MS };
    expect(draw([block(1, 2, 3)], { view }).length).toBeLessThan(inside);
  });

  it('marks the selected block', () => {
    expect(coloursOf(draw([block(1, 2, 3)]))).not.toContain('accent');
    expect(coloursOf(draw([block(1, 2, 3)], { selectedId: 1 }))).toContain('accent');
  });

  it('marks who got on and who got off above the bar', () => {
    const drawn = coloursOf(draw([block(1, 2, 3, 'waiting')]));
    expect(drawn).toContain('entered');
    expect(drawn).toContain('exited');
  });

  const lap = (label: string, fromH: number, toH: number) => ({
    id: Number(label),
    label,
    startMs: fromH * HOUR_MS,
    endMs: toH * HOUR_MS,
    isWhole: true,
    entered: 5,
    exited: 5,
  });
  const stop = (name: string, fromH: number, toH = fromH) => ({
    name,
    startMs: fromH * HOUR_MS,
    endMs: toH * HOUR_MS,
    entered: 1,
    exited: 0,
    fragments: [],
  });
  const line = (laps: LapsLine['laps'], stops: LapsLine['stops']): LapsLine => ({
    label: 'Laps',
    laps,
    stops,
  });
  const placeOf = (steps: readonly Step[], text: string) =>
    Number(steps.find(({ call, values }) => call === 'fillText' && values[0] === text)?.values[1]);

  it('has laps below with their numbers, and stops with names where there is room', () => {
    expect(texts(draw([], { line: line([lap('1', 1, 4)], []) }))).toContain('1');
    const withStop = draw([], { line: line([lap('1', 1, 4)], [stop('Market', 2)]) });
    expect(texts(withStop)).toContain('Market');
  });

  it('keeps the numbers of the laps beside the names of their stops', () => {
    const laps = [lap('1', 0, 5), lap('2', 5, 10)];
    const stops = [stop('Depot', 0, 0.1), stop('Market', 5), stop('Park', 7)];
    const steps = draw([], { line: line(laps, stops) });
    expect(texts(steps)).toEqual(expect.arrayContaining(['1', '2', 'Depot', 'Market', 'Park']));
    // The number comes first, the name of the first stop behind it.
    expect(placeOf(steps, '1')).toBeLessThan(placeOf(steps, 'Depot'));
    expect(placeOf(steps, '2')).toBeGreaterThan(500);
    expect(placeOf(steps, 'Market')).toBeGreaterThan(placeOf(steps, '2') + 6);
  });

  it('keeps the number of a lap in sight of which the view has only the middle', () => {
    const view = { startMs: 4 * HOUR_MS, endMs: 6 * HOUR_MS };
    for (const stops of [[], [stop('Market', 5)]]) {
      const at = placeOf(draw([], { view, line: line([lap('7', 1, 9)], stops) }), '7');
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThan(1000);
    }
  });

  it('keeps the name of a stop in sight at which the bus stands during the whole view', () => {
    const view = { startMs: 4 * HOUR_MS, endMs: 6 * HOUR_MS };
    const steps = draw([], { view, line: line([lap('7', 1, 9)], [stop('Market', 3, 8)]) });
    expect(placeOf(steps, 'Market')).toBeGreaterThan(placeOf(steps, '7'));
    expect(placeOf(steps, 'Market')).toBeLessThan(900);
  });

  it('names a stop only where the name before leaves room, and the same ones while the view moves', () => {
    const stops = [stop('Market', 2), stop('Library', 2.2), stop('Park', 3), stop('Zoo', 3.1)];
    const laps = line([lap('1', 0, 10)], stops);
    expect(texts(draw([], { line: laps }))).toEqual(expect.arrayContaining(['Market', 'Park']));
    expect(texts(draw([], { line: laps }))).not.toContain('Library');
    const view = { startMs: 2.1 * HOUR_MS, endMs: 12.1 * HOUR_MS };
    expect(texts(draw([], { line: laps, view }))).not.toContain('Zoo');
  });
});

describe('the pointed time', () => {
  const view = { startMs: 0, endMs: 10 * HOUR_MS };
  const labels = [0, 1, 2, 3, 4, 10].map((hour) => ({ momentMs: hour * HOUR_MS }));

  it('takes the place of the labels that it would cover', () => {
    expect(labelsUnder(labels, timeAt(200, 1000), view, 1000)).toEqual({ first: 2, last: 2 });
    expect(labelsUnder(labels, timeAt(250, 1000), view, 1000)).toEqual({ first: 2, last: 3 });
    expect(labelsUnder(labels, timeAt(700, 1000), view, 1000)).toEqual({ first: -1, last: -1 });
    expect(labelsUnder(labels, undefined, view, 1000)).toEqual({ first: -1, last: -1 });
  });

  it('stays within the timeline, where the labels at its ends make room', () => {
    expect(timeAt(0, 1000)).toBe(TIME_PX / 2);
    expect(labelsUnder(labels, timeAt(0, 1000), view, 1000)).toEqual({ first: 0, last: 0 });
    expect(labelsUnder(labels, timeAt(1000, 1000), view, 1000)).toEqual({ first: 5, last: 5 });
  });
});
