import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../core/api-error.ts';
import { RETRY_MS } from '../edits/edits.ts';
import { freshServer, showPart } from '../test/open.tsx';
import { closeToast, currentToasts } from '../ui/toast-store.ts';
import { SavedField } from './saved-field.tsx';

let save: () => Promise<void>;
/** The value that the server has. */
let stored: string;
const saved = vi.fn();
const taken = async () => {
  throw new ApiError(409, 'conflict', 'There is such a route already', { field: 'name' });
};
const unseen = async () => {
  throw new ApiError(409, 'conflict', 'It was changed', { field: 'seen.name' });
};
const unanswered = async () => {
  throw new ApiError(0, 'network', 'No connection');
};

beforeEach(() => {
  freshServer();
  saved.mockReset();
  save = async () => undefined;
  stored = 'Central';
});
afterEach(() => vi.useRealTimers());

function Name() {
  const [name, setName] = useState('Central');
  return (
    <SavedField
      label="Name"
      value={name}
      check={(text) => (text === '' ? 'Please fill this in' : undefined)}
      onSave={async (text, seen) => {
        saved(text, seen);
        await save();
        setName(text);
      }}
      reasonOf={(error) => (error as Error).message}
      readStored={async () => {
        setName(stored);
        return stored;
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
    expect(saved).toHaveBeenCalledExactlyOnceWith('Central 2', 'Central');
    expect(await screen.findByRole('img', { name: 'Saved' })).toBeVisible();
    expect(field()).toHaveValue('Central 2');
  });

  it('saves with Enter, and not what is the same', async () => {
    const { hand } = await showPart(<Name />);
    await hand.type(field(), ' {Enter}');
    expect(saved).not.toHaveBeenCalled();
    await hand.type(field(), '2{Enter}');
    await waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith('Central2', 'Central'));
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
    save = taken;
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
    save = taken;
    const { hand, unmount } = await showPart(<Name />);
    await hand.type(field(), '2');
    unmount();
    expect(saved).toHaveBeenCalledExactlyOnceWith('Central2', 'Central');
    await waitFor(() =>
      expect(currentToasts().map(({ text }) => text)).toEqual([
        'Not saved: There is such a route already',
      ]),
    );
  });
});

describe('a field that got no answer', () => {
  it('keeps what was typed, says why, and sends it again until it is stored', async () => {
    save = unanswered;
    const { hand } = await showPart(<Name />);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await hand.type(field(), '2{Enter}');
    await waitFor(() => expect(field()).toHaveAccessibleDescription('No connection'));
    expect(field()).toHaveValue('Central2');
    save = async () => undefined;
    await act(() => vi.advanceTimersByTimeAsync(RETRY_MS));
    expect(saved).toHaveBeenCalledTimes(2);
    expect(await screen.findByRole('img', { name: 'Saved' })).toBeVisible();
    expect(field()).toBeValid();
  });

  it('says it once when its place on the page goes', async () => {
    save = unanswered;
    const { hand, unmount } = await showPart(<Name />);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await hand.type(field(), '2');
    unmount();
    const toasts = () => currentToasts().map(({ text }) => text);
    await waitFor(() => expect(toasts()).toEqual(['Not saved: No connection']));
    for (const { id } of currentToasts()) closeToast(id);
    await act(() => vi.advanceTimersByTimeAsync(2 * RETRY_MS));
    expect(saved).toHaveBeenCalledTimes(3);
    expect(toasts()).toEqual([]);
    save = async () => undefined;
    await act(() => vi.advanceTimersByTimeAsync(RETRY_MS));
  });
});

describe('a field whose value somebody else changed meanwhile', () => {
  const meet = async () => {
    save = unseen;
    stored = 'Riverside';
    const part = await showPart(<Name />);
    await part.hand.type(field(), '2{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Another user has set “Riverside”; your “Central2” is not saved.',
    );
    expect(field()).toHaveValue('Riverside');
    saved.mockReset();
    save = async () => undefined;
    return part;
  };
  const press = (name: string) => screen.getByRole('button', { name });

  it('shows the newer value, and writes its own over it when that is said', async () => {
    const { hand } = await meet();
    await hand.click(press('Save mine'));
    expect(saved).toHaveBeenCalledExactlyOnceWith('Central2', 'Riverside');
    expect(await screen.findByRole('img', { name: 'Saved' })).toBeVisible();
    expect(field()).toHaveValue('Central2');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('leaves the newer value when that is said', async () => {
    const { hand } = await meet();
    await hand.click(press('Keep theirs'));
    expect(field()).toHaveValue('Riverside');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(saved).not.toHaveBeenCalled();
  });

  it('sends nothing when it is left without a choice, and may be edited from there', async () => {
    const { hand } = await meet();
    await hand.tab();
    expect(saved).not.toHaveBeenCalled();
    await hand.type(field(), ' 3{Enter}');
    expect(saved).toHaveBeenCalledExactlyOnceWith('Riverside 3', 'Riverside');
  });

  it('keeps its own with the reason while the newer value cannot be read', async () => {
    save = unseen;
    const { hand } = await showPart(
      <SavedField
        label="Name"
        value="Central"
        check={() => undefined}
        onSave={save}
        reasonOf={(error) => (error as Error).message}
        readStored={unanswered as () => Promise<never>}
      />,
    );
    await hand.type(field(), '2{Enter}');
    await waitFor(() => expect(field()).toHaveAccessibleDescription('It was changed'));
    expect(field()).toHaveValue('Central2');
  });
});
