import { describe, expect, it } from 'vitest';
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

  it.each(['processed', 'waiting', 'error', 'live', 'deleted'] as const)(
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

  it('has laps below with their numbers, and stops with names where there is room', () => {
    const lap = {
      id: 1,
      label: '1',
      startMs: HOUR_MS,
      endMs: 4 * HOUR_MS,
      isWhole: true,
      entered: 5,
      exited: 5,
    };
    const stop = {
      name: 'Market',
      startMs: 2 * HOUR_MS,
      endMs: 2 * HOUR_MS,
      entered: 1,
      exited: 0,
      fragments: [],
    };
    const line: LapsLine = { label: 'Laps', laps: [lap], stops: [] };
    expect(texts(draw([], { line }))).toContain('1');
    expect(texts(draw([], { line: { ...line, stops: [stop] } }))).toContain('Market');
  });
});
