import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../test/open.tsx';
import { Modal } from './modal.tsx';
import { MonthPage } from './month-page.tsx';
import { Popover } from './popover.tsx';
import { Select } from './select.tsx';

beforeEach(() => {
  freshServer();
});

describe('a dialog', () => {
  const show = async () => {
    const onClose = vi.fn();
    const view = await showPart(
      <Modal title="Rename" onClose={onClose}>
        <label>
          Name <input />
        </label>
      </Modal>,
    );
    return { ...view, onClose, dialog: await screen.findByRole('dialog', { name: 'Rename' }) };
  };

  it('is closed by its button', async () => {
    const { hand, onClose } = await show();
    await hand.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('is closed by Esc, and not by a press within', async () => {
    const { hand, onClose } = await show();
    await hand.click(screen.getByRole('textbox', { name: 'Name' }));
    expect(onClose).not.toHaveBeenCalled();
    await hand.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('a select', () => {
  const options = [
    { value: '1', label: 'Front door' },
    { value: '2', label: 'Rear door' },
  ];
  function Door({ onChange }: { onChange: (value: string) => void }) {
    const [value, setValue] = useState('1');
    return (
      <Select
        label="Camera"
        value={value}
        options={options}
        onChange={(chosen) => {
          setValue(chosen);
          onChange(chosen);
        }}
      />
    );
  }

  it('has its label as its name and shows what is chosen', async () => {
    await showPart(<Door onChange={vi.fn()} />);
    const field = await screen.findByRole('combobox', { name: 'Camera Front door' });
    expect(field).toHaveTextContent('Front door');
  });

  it('is operated with the keyboard', async () => {
    const onChange = vi.fn();
    const { hand } = await showPart(<Door onChange={onChange} />);
    const field = await screen.findByRole('combobox');
    field.focus();
    await hand.keyboard('{Enter}');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    await hand.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(onChange).toHaveBeenCalledWith('2'));
    expect(field).toHaveTextContent('Rear door');
  });

  it('without options cannot be opened', async () => {
    await showPart(<Select label="Lap" value={null} options={[]} onChange={vi.fn()} />);
    expect(await screen.findByRole('combobox')).toBeDisabled();
  });
});

describe('a popover', () => {
  const show = () =>
    showPart(
      <Popover label="More" button="…">
        {(close) => (
          <button type="button" onClick={close}>
            Done
          </button>
        )}
      </Popover>,
    );

  it('opens below its button, takes the focus and gives it back', async () => {
    const { hand } = await show();
    const button = screen.getByRole('button', { name: 'More' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await hand.click(button);
    const panel = await screen.findByRole('dialog', { name: 'More' });
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const done = within(panel).getByRole('button', { name: 'Done' });
    await waitFor(() => expect(done).toHaveFocus());
    await hand.click(done);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(button).toHaveFocus());
  });

  it('is closed by Esc, and by another press of its button', async () => {
    const { hand } = await show();
    const button = screen.getByRole('button', { name: 'More' });
    for (const close of [() => hand.keyboard('{Escape}'), () => hand.click(button)]) {
      await hand.click(button);
      await screen.findByRole('dialog');
      await close();
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    }
  });
});

describe('a calendar', () => {
  const show = async (last?: string) => {
    const onDay = vi.fn();
    const view = await showPart(
      <MonthPage day="2026-03-10" today="2026-03-12" last={last} onDay={onDay} />,
    );
    return { ...view, onDay };
  };

  it('begins at the chosen day and is walked through with the keys', async () => {
    const { hand, onDay } = await show();
    expect(screen.getByRole('button', { name: '10 March 2026' })).toHaveFocus();
    await hand.keyboard('{ArrowDown}{ArrowLeft}{PageDown}{Enter}');
    expect(onDay).toHaveBeenCalledWith('2026-04-16');
    expect(screen.getByRole('grid', { name: 'April 2026' })).toBeVisible();
  });

  it('takes a day in digits, which show its month; a digit begins it wherever the focus is', async () => {
    const { hand, onDay } = await show();
    await hand.keyboard('5.2.26');
    expect(screen.getByRole('textbox', { name: 'Date in digits' })).toHaveValue('5.2.26');
    expect(screen.getByRole('grid', { name: 'February 2026' })).toBeVisible();
    await hand.keyboard('{Enter}');
    expect(onDay).toHaveBeenCalledWith('2026-02-05');
  });

  it('refuses digits that are no day, or one after its last', async () => {
    const { hand, onDay } = await show('2026-03-12');
    for (const typed of ['31.2.2026', '13.3.2026']) {
      const field = screen.getByRole('textbox', { name: 'Date in digits' });
      await hand.clear(field);
      await hand.type(field, `${typed}{Enter}`);
      expect(field).toBeInvalid();
    }
    expect(onDay).not.toHaveBeenCalled();
  });

  it('has one stop for the Tab key among its days', async () => {
    await show();
    const days = within(screen.getByRole('grid')).getAllByRole('button');
    expect(days.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });

  it('goes no further than its last day', async () => {
    const { hand, onDay } = await show('2026-03-12');
    await hand.keyboard('{PageDown}{Enter}');
    expect(onDay).toHaveBeenCalledWith('2026-03-12');
    expect(screen.getByRole('button', { name: '13 March 2026' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Next month' })).toBeDisabled();
  });

  it('says which day is today, and goes there', async () => {
    const { hand, onDay } = await show();
    expect(screen.getByRole('button', { name: '12 March 2026' })).toHaveAttribute(
      'aria-current',
      'date',
    );
    await hand.click(screen.getByRole('button', { name: 'Today' }));
    expect(onDay).toHaveBeenCalledWith('2026-03-12');
  });
});
