import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshServer, showPart } from '../../test/open.tsx';
import { ShiftPicker } from './shift-picker.tsx';

beforeEach(() => {
  freshServer();
});
function Shift() {
  const [texts, setTexts] = useState({ start: '', end: '21:4' });
  return (
    <>
      <ShiftPicker texts={texts} onChange={setTexts} />
      <output>{`${texts.start}–${texts.end}`}</output>
    </>
  );
}
const times = () => screen.getByRole('status').textContent;

describe('the times of a shift', () => {
  it('are chosen as an hour and its minutes, and a shift may end at 24:00', async () => {
    const { hand } = await showPart(<Shift />);
    await hand.click(screen.getByRole('button', { name: 'Choose the times of the shift' }));
    const group = async (name: string) => within(await screen.findByRole('group', { name }));
    const press = async (name: string, number: string) =>
      hand.click((await group(name)).getByRole('button', { name: number }));
    expect(
      (await group('Shift, start: minutes')).getByRole('button', { name: '10' }),
    ).toBeDisabled();
    await press('Shift, start: hours', '06');
    expect(times()).toBe('06:00–21:4');
    await press('Shift, start: minutes', '10');
    await press('Shift, end: hours', '22');
    await press('Shift, end: minutes', '45');
    expect(times()).toBe('06:10–22:45');
    await press('Shift, end: hours', '24');
    expect(times()).toBe('06:10–24:00');
    const starts = (await group('Shift, start: hours')).getAllByRole('button');
    expect(starts.at(-1)).toHaveTextContent('23');
  });
});
