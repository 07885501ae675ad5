import { describe, expect, it } from 'vitest';
import { cellAfter, cellsBetween, placeBlock } from './cell-moves.ts';

const size = { rows: 4, columns: 3, page: 2 };
const press = (key: string, modifiers: { shift?: boolean; ctrl?: boolean } = {}) => ({
  key,
  shiftKey: modifiers.shift === true,
  ctrlKey: modifiers.ctrl === true,
  metaKey: false,
});
const lead = (at: [number, number], ...how: Parameters<typeof press>) => {
  const cell = cellAfter({ row: at[0], column: at[1] }, press(...how), size);
  return cell && [cell.row, cell.column];
};

describe('a key in the price table', () => {
  it('moves to the next cell, and stays at the edge', () => {
    expect(lead([1, 1], 'ArrowUp')).toEqual([0, 1]);
    expect(lead([1, 1], 'ArrowDown')).toEqual([2, 1]);
    expect(lead([1, 1], 'ArrowLeft')).toEqual([1, 0]);
    expect(lead([1, 1], 'ArrowRight')).toEqual([1, 2]);
    expect(lead([0, 2], 'ArrowRight')).toEqual([0, 2]);
    expect(lead([0, 0], 'ArrowUp')).toEqual([0, 0]);
  });

  it('with Ctrl moves to the edge', () => {
    expect(lead([1, 1], 'ArrowDown', { ctrl: true })).toEqual([3, 1]);
    expect(lead([1, 1], 'ArrowLeft', { ctrl: true })).toEqual([1, 0]);
    expect(lead([1, 1], 'End', { ctrl: true })).toEqual([3, 2]);
    expect(lead([1, 1], 'Home', { ctrl: true })).toEqual([0, 0]);
  });

  it('goes down by Enter, up by Shift+Enter, by pages and along the row', () => {
    expect(lead([1, 1], 'Enter')).toEqual([2, 1]);
    expect(lead([1, 1], 'Enter', { shift: true })).toEqual([0, 1]);
    expect(lead([0, 1], 'PageDown')).toEqual([2, 1]);
    expect(lead([3, 1], 'PageUp')).toEqual([1, 1]);
    expect(lead([1, 1], 'Home')).toEqual([1, 0]);
    expect(lead([1, 1], 'End')).toEqual([1, 2]);
  });

  it('goes on in the next row by Tab, and out of the table at its ends', () => {
    expect(lead([1, 2], 'Tab')).toEqual([2, 0]);
    expect(lead([1, 0], 'Tab', { shift: true })).toEqual([0, 2]);
    expect(lead([3, 2], 'Tab')).toBeUndefined();
    expect(lead([0, 0], 'Tab', { shift: true })).toBeUndefined();
  });

  it('that is a digit leads nowhere', () => expect(lead([1, 1], '5')).toBeUndefined());
});

describe('a pasted block', () => {
  const at = (row: number, column: number) => ({ row, column });

  it('begins at the upper left corner of what is selected, whichever way it was selected', () => {
    const { placed } = placeBlock([['1', '2']], { from: at(2, 2), to: at(1, 1) }, size);
    expect(placed).toEqual([
      { cell: at(1, 1), text: '1' },
      { cell: at(1, 2), text: '2' },
    ]);
  });

  it('that is one value fills everything that is selected', () => {
    const { placed } = placeBlock([['7']], { from: at(0, 0), to: at(1, 1) }, size);
    expect(placed.map(({ cell }) => cell)).toEqual(cellsBetween(at(0, 0), at(1, 1)));
    expect(placed.every(({ text }) => text === '7')).toBe(true);
  });

  it('says how many of its cells the table has no room for', () => {
    const block = [
      ['1', '2'],
      ['3', '4'],
    ];
    const { placed, beyond } = placeBlock(block, { from: at(3, 2), to: at(3, 2) }, size);
    expect(placed).toEqual([{ cell: at(3, 2), text: '1' }]);
    expect(beyond).toBe(3);
  });
});
