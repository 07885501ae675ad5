import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { PickField, type PickOption } from './pick-field.tsx';

const options = [
  { value: '1', name: 'А 472 КМ', label: 'А 472 КМ · Иван Петров' },
  { value: '2', name: 'А 47', label: 'А 47 · Иван Петров' },
  { value: '3', name: 'В 118 ОР', label: 'В 118 ОР · Анна Соколова' },
  { value: '4', name: 'В 118 ОР', label: 'В 118 ОР · Иван Петров' },
];

function show(all: readonly PickOption[] = options, props: { isSearching?: boolean } = {}) {
  let chosen = '';
  function Form() {
    const [value, setValue] = useState('');
    chosen = value;
    return (
      <>
        <PickField label="Bus" options={all} value={value} onChange={setValue} {...props} />
        <button type="button">Save</button>
      </>
    );
  }
  render(<Form />);
  const field = screen.getByRole('combobox', { name: 'Bus' });
  return { hand: userEvent.setup(), field, chosen: () => chosen };
}

describe('a field for one of many', () => {
  it('takes a plate that is typed whole, in small Latin letters and without spaces', async () => {
    const { hand, field, chosen } = show();
    await hand.type(field, 'a472km');
    await hand.tab();
    expect(chosen()).toBe('1');
    expect(field).toHaveValue('А 472 КМ · Иван Петров');
  });

  it('lets a longer plate be typed after one that is a part of it', async () => {
    const { hand, field, chosen } = show();
    await hand.type(field, 'А 47');
    expect(field).toHaveValue('А 47');
    await hand.type(field, '2 КМ');
    await hand.tab();
    expect(chosen()).toBe('1');
  });

  it('takes no name that several have', async () => {
    const { hand, field, chosen } = show();
    await hand.type(field, 'В 118 ОР');
    await hand.tab();
    expect(chosen()).toBe('?В 118 ОР');
  });

  it('takes nothing by Enter while the options are those of an earlier text', async () => {
    const found = show(options, { isSearching: true });
    await found.hand.type(found.field, '47{Enter}');
    expect(found.chosen()).toBe('?47');
    cleanup();
    const answered = show();
    await answered.hand.type(answered.field, '47{Enter}');
    expect(answered.chosen()).toBe('1');
  });

  it('lists what holds the typed part, whatever its letters', async () => {
    const { hand, field } = show();
    await hand.type(field, '118op');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'В 118 ОР · Анна Соколова',
      'В 118 ОР · Иван Петров',
    ]);
  });
});
