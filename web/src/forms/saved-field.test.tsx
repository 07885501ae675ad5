import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../test/open.tsx';
import { currentToasts } from '../ui/toast-store.ts';
import { SavedField } from './saved-field.tsx';

let save: (text: string) => Promise<string | undefined>;
const saved = vi.fn();

beforeEach(() => {
  freshServer();
  saved.mockReset();
  save = async () => undefined;
});

function Name() {
  const [name, setName] = useState('Central');
  return (
    <SavedField
      label="Name"
      value={name}
      check={(text) => (text === '' ? 'Please fill this in' : undefined)}
      onSave={async (text) => {
        saved(text);
        const refused = await save(text);
        if (refused === undefined) setName(text);
        return refused;
      }}
    />
  );
}
const field = () => screen.getByRole('textbox', { name: 'Name' });

describe('a field that saves itself', () => {
  it('saves when one leaves it, and says so', async () => {
    const { hand } = await showPart(<Name />);
    await hand.type(field(), ' 2 ');
    expect(saved).not.toHaveBeenCalled();
    await hand.tab();
    expect(saved).toHaveBeenCalledExactlyOnceWith('Central 2');
    expect(await screen.findByRole('img', { name: 'Saved' })).toBeVisible();
    expect(field()).toHaveValue('Central 2');
  });

  it('saves with Enter, and not what is the same', async () => {
    const { hand } = await showPart(<Name />);
    await hand.type(field(), ' {Enter}');
    expect(saved).not.toHaveBeenCalled();
    await hand.type(field(), '2{Enter}');
    await waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith('Central2'));
  });

  it('shows what was stored again with Esc', async () => {
    const { hand } = await showPart(<Name />);
    await hand.type(field(), 'x{Escape}');
    expect(field()).toHaveValue('Central');
    await hand.tab();
    expect(saved).not.toHaveBeenCalled();
  });

  it('keeps what is wrong, with the reason, and sends nothing', async () => {
    const { hand } = await showPart(<Name />);
    await hand.clear(field());
    await hand.tab();
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('Please fill this in');
    expect(saved).not.toHaveBeenCalled();
  });

  it('keeps what the server refuses, with the reason, until it is accepted', async () => {
    save = async () => 'There is such a route already';
    const { hand } = await showPart(<Name />);
    await hand.type(field(), '2{Enter}');
    await waitFor(() =>
      expect(field()).toHaveAccessibleDescription('There is such a route already'),
    );
    expect(field()).toHaveValue('Central2');
    save = async () => undefined;
    await hand.type(field(), '{Enter}');
    await waitFor(() => expect(field()).toBeValid());
  });

  it('saves what was typed when its place on the page goes, and a toast says what was refused', async () => {
    save = async () => 'There is such a route already';
    const { hand, unmount } = await showPart(<Name />);
    await hand.type(field(), '2');
    unmount();
    expect(saved).toHaveBeenCalledExactlyOnceWith('Central2');
    await waitFor(() =>
      expect(currentToasts().map(({ text }) => text)).toEqual([
        'Not saved: There is such a route already',
      ]),
    );
  });
});
