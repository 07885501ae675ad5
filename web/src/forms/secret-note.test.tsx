// A secret that is shown once is copied next: its button has the focus of somebody without a mouse.
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { SecretNote } from './secret-note.tsx';

function Page() {
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <section>
        {secret && <SecretNote title="The key" text="Copy it now." secret={secret} />}
        <button type="button" onClick={() => setSecret(secret ? 'rwk_2' : 'rwk_1')}>
          Make
        </button>
      </section>
      <section>
        <input aria-label="Search" />
      </section>
    </>
  );
}

const press = (how: 'key' | 'finger'): HTMLElement => {
  const make = screen.getByRole('button', { name: 'Make' });
  make.focus();
  if (how === 'key') fireEvent.keyDown(make, { key: 'Enter' });
  else fireEvent.pointerDown(make);
  return make;
};
const copy = (secret: string) => screen.getByRole('button', { name: new RegExp(`${secret}$`) });

it('takes the focus to its button when a key was pressed, with each new secret', () => {
  render(<Page />);
  fireEvent.click(press('key'));
  expect(copy('rwk_1')).toHaveFocus();
  fireEvent.click(press('key'));
  expect(copy('rwk_2')).toHaveFocus();
});

it('leaves the focus of somebody who points', () => {
  render(<Page />);
  const make = press('finger');
  fireEvent.click(make);
  expect(copy('rwk_1')).toBeVisible();
  expect(make).toHaveFocus();
});

it('leaves the focus of somebody who has gone on elsewhere meanwhile', () => {
  render(<Page />);
  const make = press('key');
  const search = screen.getByLabelText('Search');
  search.focus();
  fireEvent.click(make);
  expect(copy('rwk_1')).toBeVisible();
  expect(search).toHaveFocus();
});
