import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TextField } from '../forms/text-field.tsx';
import { NOW } from '../test/browser.ts';
import { freshServer, showPart } from '../test/open.tsx';
import { Ago } from './ago.tsx';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { CopyButton } from './copy-button.tsx';
import { EmptyState } from './empty-state.tsx';
import { OverPage } from './over-page.tsx';
import { Popover } from './popover.tsx';
import { Sheet, type SheetHeight } from './sheet.tsx';
import { showToast } from './toast-store.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  freshServer();
});

describe('a button', () => {
  it('that is busy takes no click', async () => {
    const onClick = vi.fn();
    const { hand } = await showPart(
      <Button isBusy onClick={onClick}>
        Save
      </Button>,
    );
    await hand.click(screen.getByRole('button', { name: 'Save' }));
    expect(onClick).not.toHaveBeenCalled();
    expect(screen.getByRole('button')).toHaveAttribute('aria-busy', 'true');
  });
});

describe('a choice', () => {
  it('says which of a few is chosen', async () => {
    const onChange = vi.fn();
    const options = [
      { value: 'a' as const, label: 'First' },
      { value: 'b' as const, label: 'Second' },
    ];
    const { hand } = await showPart(
      <Choice label="Which" value="a" options={options} onChange={onChange} />,
    );
    expect(screen.getByRole('group', { name: 'Which' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'First' })).toHaveAttribute('aria-pressed', 'true');
    await hand.click(screen.getByRole('button', { name: 'Second' }));
    expect(onChange).toHaveBeenCalledWith('b');
  });
});

describe('a text field', () => {
  it('says its hint, and in its place what is wrong', async () => {
    const { showAgain } = await showPart(<TextField label="Name" hint="At least two letters" />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field).toHaveAccessibleDescription('At least two letters');
    expect(field).toBeValid();
    showAgain(<TextField label="Name" hint="At least two letters" problem="Too short" />);
    expect(field).toHaveAccessibleDescription('Too short');
    expect(field).toBeInvalid();
  });
});

describe('a layer over the page', () => {
  it('is closed by Esc, and by a press beside it, not within', async () => {
    const onClose = vi.fn();
    await showPart(
      <OverPage label="Video" look={undefined} onClose={onClose}>
        <p>Content</p>
      </OverPage>,
    );
    const layer = screen.getByRole('dialog', { name: 'Video' });
    fireEvent.pointerDown(screen.getByText('Content'));
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.pointerDown(layer);
    fireEvent(layer, new Event('cancel', { cancelable: true }));
    expect(onClose).toHaveBeenCalledTimes(2);
  });
});

describe('a panel below a button', () => {
  it('is there once it is opened, and goes when what is in it says so', async () => {
    const { hand } = await showPart(
      <Popover label="More" button="…">
        {(close) => (
          <button type="button" onClick={close}>
            Done
          </button>
        )}
      </Popover>,
    );
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await hand.click(screen.getByRole('button', { name: 'More' }));
    await hand.click(await screen.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });
});

describe('a sheet', () => {
  const Example = () => {
    const [height, setHeight] = useState<SheetHeight>('low');
    return (
      <Sheet
        label={`Stops, ${height}`}
        handleLabel="Higher, lower"
        height={height}
        onHeight={setHeight}
        head="Head"
      >
        Body
      </Sheet>
    );
  };
  const heightIs = (height: SheetHeight) =>
    expect(screen.getByRole('region', { name: `Stops, ${height}` })).toBeVisible();
  const handle = () => screen.getByRole('button', { name: 'Higher, lower' });

  it('opens to its full height with a press, and closes with the next one', async () => {
    await showPart(<Example />);
    for (const height of ['full', 'low'] as const) {
      fireEvent.pointerDown(handle(), { clientY: 500 });
      fireEvent.pointerUp(handle(), { clientY: 500 });
      heightIs(height);
    }
  });

  it('is moved with the keys', async () => {
    const { hand } = await showPart(<Example />);
    handle().focus();
    await hand.keyboard('{ArrowUp}');
    heightIs('half');
    await hand.keyboard('{Enter}');
    heightIs('full');
    await hand.keyboard('{ArrowDown}{ArrowDown}');
    heightIs('low');
  });

  it('goes on to the next height with a quick stroke', async () => {
    await showPart(<Example />);
    fireEvent.pointerDown(handle(), { clientY: 500, timeStamp: 0 });
    fireEvent.pointerMove(handle(), { clientY: 440 });
    fireEvent.pointerUp(handle(), { clientY: 440 });
    heightIs('half');
  });
});

describe('a toast', () => {
  it('is shown once however often it is said, and closed by its button', async () => {
    const { hand } = await showPart(<Toaster />);
    act(() => {
      showToast({ kind: 'done', text: 'Saved' });
      showToast({ kind: 'done', text: 'Saved' });
      showToast({ kind: 'error', text: 'Not saved' });
    });
    expect(screen.getAllByText('Saved')).toHaveLength(1);
    await hand.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    expect(screen.queryByText('Saved')).not.toBeInTheDocument();
    expect(screen.getByText('Not saved')).toBeVisible();
  });
});

describe('small parts', () => {
  it('copying says that it is done', async () => {
    const { hand } = await showPart(<CopyButton value="RW-7" />);
    await hand.click(screen.getByRole('button', { name: 'Copy RW-7' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('RW-7');
  });

  it('a moment says how long ago it was, in both languages', async () => {
    const moment = new Date(Date.parse(NOW) - 90_000).toISOString();
    const { unmount } = await showPart(<Ago moment={moment} />);
    expect(screen.getByText('1 min ago')).toBeVisible();
    unmount();
    await showPart(<Ago moment={moment} />, { language: 'ru_RU' });
    expect(screen.getByText('1 мин назад')).toBeVisible();
  });

  it('an empty place says what happened and what to do', async () => {
    await showPart(
      <EmptyState title="Nothing here" text="Look elsewhere.">
        <Button>Go</Button>
      </EmptyState>,
    );
    expect(screen.getByRole('heading', { name: 'Nothing here' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Go' })).toBeVisible();
  });
});
