import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatNumber } from '../i18n/format.ts';
import { setLanguage } from '../i18n/language.ts';
import { createPlayhead } from '../player/playhead.ts';
import { at } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import { useTimelineView } from '../timeline/use-timeline-view.ts';
import type { HourBar, Side } from './hour-bars.ts';
import { HourChart } from './hour-chart.tsx';
import { csvOf } from './save-chart.ts';

const ms = (clock: string) => Date.parse(at(clock));
const hours: HourBar[] = [
  { startMs: ms('08:00'), endMs: ms('09:00'), entered: 40, exited: 10 },
  { startMs: ms('09:00'), endMs: ms('10:00'), entered: 1200, exited: 0 },
];
const bounds = { startMs: ms('00:00'), endMs: ms('00:00') + 24 * 3_600_000 };
const onPick = vi.fn();
beforeEach(() => {
  freshServer();
  onPick.mockClear();
});
const playhead = createPlayhead();
function Chart({ hidden }: { hidden: readonly Side[] }) {
  const axis = useTimelineView({ rows: [], bounds, playhead, selected: undefined });
  return (
    <HourChart
      hours={hours}
      axis={axis}
      zone="Europe/Moscow"
      hidden={new Set(hidden)}
      playhead={playhead}
      names={{ entered: 'Entered', exited: 'Exited', hour: 'Hour', title: 'The day by hour' }}
      svg={createRef()}
      formatNumber={formatNumber}
      onPick={onPick}
    />
  );
}
const show = async (hidden: readonly Side[] = []) => {
  const view = await showPart(<Chart hidden={hidden} />);
  // Bars are rendered when the width is known.
  await waitFor(() => expect(view.container.querySelector('g')).not.toBeNull());
  const svg = view.container.querySelector('svg');
  if (!svg) throw new Error('no chart');
  return { ...view, svg };
};
/** Position of an hour on a chart of 1,000 px. */
const xOf = (clock: string) => ((ms(clock) - bounds.startMs) / (24 * 3_600_000)) * 1000;

describe('the chart of a day by hour', () => {
  it('has the same figures in a table for who cannot see it', async () => {
    await show();
    const table = screen.getByRole('table', { name: 'The day by hour' });
    const rows = within(table).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'HourEnteredExited',
      '08:00–09:004010',
      '09:00–10:0012000',
    ]);
  });

  it('has a scale to a round number above the greatest, without what is hidden', async () => {
    const { svg, unmount } = await show();
    const topOf = (of: Element) => {
      const labels = [...of.querySelectorAll('text')].map(({ textContent }) => textContent ?? '');
      // The labels of the axis below are hours.
      const values = labels.filter((label) => !label.includes(':'));
      return Math.max(...values.map((label) => Number(label.replace(/\D/g, ''))));
    };
    const whole = topOf(svg);
    expect(whole).toBeGreaterThanOrEqual(1200);
    unmount();
    const { svg: second } = await show(['entered']);
    expect(topOf(second)).toBeLessThan(whole);
  });

  it('says what an hour brought when it is pointed at, and no longer', async () => {
    const { svg } = await show();
    fireEvent.pointerMove(svg, { clientX: xOf('08:30') });
    expect(screen.getAllByText('08:00–09:00')).toHaveLength(2);
    fireEvent.pointerLeave(svg, { pointerType: 'mouse' });
    expect(screen.getAllByText('08:00–09:00')).toHaveLength(1);
  });

  it('gives the hour that is pressed', async () => {
    const { svg } = await show();
    const press = (clientX: number) => {
      fireEvent.pointerDown(svg, { clientX, button: 0, pointerId: 1 });
      fireEvent.pointerUp(svg, { clientX, button: 0, pointerId: 1 });
    };
    press(xOf('09:10'));
    expect(onPick).toHaveBeenCalledWith(hours[1]);
    press(xOf('20:00'));
    expect(onPick).toHaveBeenCalledOnce();
  });

  it('is read and picked with the keyboard alone', async () => {
    const { hand } = await show();
    await hand.tab();
    const chart = screen.getByRole('slider', { name: 'The day by hour' });
    expect(chart).toHaveFocus();
    await hand.keyboard('{ArrowRight}{ArrowRight}');
    expect(chart).toHaveAttribute('aria-valuetext', '09:00–10:00: Entered 1\u00a0200, Exited 0');
    expect(screen.getAllByText('09:00–10:00')).toHaveLength(2);
    await hand.keyboard('{Enter}');
    expect(onPick).toHaveBeenCalledWith(hours[1]);
    await hand.keyboard('{ArrowLeft}{Enter}');
    expect(onPick).toHaveBeenLastCalledWith(hours[0]);
    await hand.keyboard('{Escape}{Enter}');
    expect(onPick).toHaveBeenCalledTimes(2);
  });

  it('comes closer with the wheel, and is moved by dragging, which picks no hour', async () => {
    const { svg } = await show();
    const bars = () => svg.querySelectorAll('rect[rx]').length;
    expect(bars()).toBe(4);
    // Eight times closer about 08:00: three hours.
    fireEvent.wheel(svg, { clientX: xOf('08:00'), deltaY: -720 });
    expect(bars()).toBe(4);
    fireEvent.pointerDown(svg, { clientX: 500, button: 0, pointerId: 1 });
    fireEvent.pointerMove(svg, { clientX: 900, pointerId: 1 });
    fireEvent.pointerUp(svg, { clientX: 900, pointerId: 1 });
    expect(bars()).toBe(2);
    expect(onPick).not.toHaveBeenCalled();
  });
});

describe('a table that is saved', () => {
  const rows = [
    ['Hour', 'Entered'],
    ['08:00', 5],
    ['a "quoted", name', 1],
    ['=1+1', '-0.05'],
  ];

  it('has commas, decimal points and no formula, as exports have', async () => {
    await setLanguage('en_US');
    expect(csvOf(rows)).toBe(
      '\uFEFFHour,Entered\r\n08:00,5\r\n"a ""quoted"", name",1\r\n\'=1+1,-0.05\r\n',
    );
  });

  it('has semicolons and decimal commas in Russian, as Russian spreadsheets read it', async () => {
    await setLanguage('ru_RU');
    expect(csvOf(rows)).toBe(
      '\uFEFFHour;Entered\r\n08:00;5\r\n"a ""quoted"", name";1\r\n\'=1+1;-0,05\r\n',
    );
  });
});
