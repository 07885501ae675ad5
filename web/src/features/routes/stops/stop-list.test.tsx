import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { routeStop } from '../../../test/made.ts';
import { freshServer, showPart } from '../../../test/open.tsx';
import { StopList } from './stop-list.tsx';

const stops = [
  routeStop(0, 'Вокзал', { terminal: 'first' }),
  routeStop(1, 'Рынок'),
  routeStop(2, 'Школа'),
  routeStop(0, 'Парк', { id: 510, routeDirection: 'REVERSE' }),
];
const onSelect = vi.fn();
const onMove = vi.fn();
const onStep = vi.fn();
const onRetry = vi.fn();
/** Height of a row, px; forward rows start at 100, those in reverse at 400. */
const ROW_PX = 40;

beforeEach(() => {
  freshServer();
  for (const spy of [onSelect, onMove, onStep, onRetry]) spy.mockReset();
  // jsdom has no layout, so sections and rows report fixed positions.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(
    this: Element,
  ) {
    const section = this.closest<HTMLElement>('[data-direction]');
    const topPx = section?.dataset.direction === 'REVERSE' ? 400 : 100;
    const rows = [...(section?.querySelectorAll('[data-stop]') ?? [])];
    const at = rows.indexOf(this);
    return new DOMRect(0, at < 0 ? topPx : topPx + at * ROW_PX, 300, at < 0 ? 200 : ROW_PX);
  });
});
const show = (isOpen = true, selectedId?: number) =>
  showPart(
    <StopList
      stops={stops}
      isOpen={isOpen}
      beginId={501}
      selectedId={selectedId}
      states={new Map()}
      onSelect={onSelect}
      onMove={onMove}
      onStep={onStep}
      onRetry={onRetry}
      editor={(stop) => <p>editor of {stop.name}</p>}
    />,
  );
const handle = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^Move “${name}”`) });
const drag = (name: string, toPx: number) => {
  fireEvent.pointerDown(handle(name), { button: 0, pointerId: 1, clientY: 110 });
  fireEvent.pointerMove(handle(name), { pointerId: 1, clientY: toPx });
  fireEvent.pointerUp(handle(name), { pointerId: 1, clientY: toPx });
};

describe('the list of stops', () => {
  it('says where the laps of the bus begin', async () => {
    await show();
    expect(screen.getByRole('button', { name: /Рынок ?The bus's laps begin here/ })).toBeVisible();
  });

  it('opens the editor of the selected stop below it', async () => {
    await show(true, 502);
    const row = screen.getByText('editor of Школа').closest('li') as HTMLElement;
    expect(within(row).getByRole('button', { name: /^\d ?Школа/ })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
  });

  it('lets go of a stop that is pressed once more', async () => {
    const { hand } = await show(true, 502);
    await hand.click(screen.getByRole('button', { name: /^\d ?Школа/ }));
    expect(onSelect).toHaveBeenCalledWith(undefined);
  });

  it('cannot be changed where it is only shown', async () => {
    await show(false);
    expect(screen.queryByRole('button', { name: /^Move/ })).not.toBeInTheDocument();
  });
});

describe('a stop that is dragged', () => {
  it('goes to the place where it is let go, and that is said', async () => {
    await show();
    drag('Вокзал', 205);
    expect(onMove).toHaveBeenCalledWith(500, { routeDirection: 'FORWARD', orderKey: 2 });
    expect(screen.getByText('“Вокзал”: forward, place 3')).toBeVisible();
  });

  it('goes to the other direction', async () => {
    await show();
    drag('Рынок', 450);
    expect(onMove).toHaveBeenCalledWith(501, { routeDirection: 'REVERSE', orderKey: 1 });
  });

  it('that is put back where it was changes nothing', async () => {
    await show();
    drag('Вокзал', 110);
    expect(onMove).not.toHaveBeenCalled();
  });

  it('stays where it was after Escape', async () => {
    await show();
    fireEvent.pointerDown(handle('Вокзал'), { button: 0, pointerId: 1, clientY: 110 });
    fireEvent.pointerMove(handle('Вокзал'), { pointerId: 1, clientY: 205 });
    fireEvent.keyDown(handle('Вокзал'), { key: 'Escape' });
    fireEvent.pointerUp(handle('Вокзал'), { pointerId: 1, clientY: 205 });
    expect(onMove).not.toHaveBeenCalled();
  });
});

describe('a stop that is moved with the keys', () => {
  it('goes a step, and says where it is now', async () => {
    onStep.mockReturnValue({ routeDirection: 'FORWARD', orderKey: 0 });
    await show();
    fireEvent.keyDown(handle('Рынок'), { key: 'ArrowUp' });
    expect(onStep).toHaveBeenCalledWith(501, -1);
    expect(screen.getByText('“Рынок”: forward, place 1')).toBeVisible();
  });

  it('says nothing at either end', async () => {
    await show();
    fireEvent.keyDown(handle('Вокзал'), { key: 'ArrowUp' });
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });
});
