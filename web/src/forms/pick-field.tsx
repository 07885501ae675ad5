import { folded } from '@ridewatch/contract/folded';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './pick-field.module.css';
import { TextField } from './text-field.tsx';
import { useFormText } from './use-form-text.ts';

/** Most options that the list shows; typing finds the others. */
const MOST_SHOWN = 100;
const GAP_PX = 4;

export interface PickOption {
  readonly value: string;
  readonly label: string;
  /** A text that chooses the option, too, when the user types it whole: the plate of a bus whose label has its customer. */
  readonly name?: string;
}

interface PickFieldProps {
  label: string;
  options: readonly PickOption[];
  /** The value of an option; empty: none; with a question mark before it, a text that is no option. */
  value: string;
  /** The options are what a search for the text has found: all are shown. */
  isFound?: boolean;
  /** The search for the text is not answered yet: Enter takes none of the options, which an earlier text has found. */
  isSearching?: boolean;
  problem?: string | undefined;
  hint?: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

/**
 * A field for one of many options, by typing a part of its name. The arrows go through the list, Enter chooses, Esc
 * closes it; a name that is typed whole is chosen, too, in whatever letters and spaces once the field is left.
 */
export function PickField(props: PickFieldProps) {
  const { label, options, value, isFound = false, isSearching = false } = props;
  const { problem, hint, placeholder, onChange } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isTyping, setTyping] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [active, setActive] = useState(-1);
  const typed = value.startsWith('?') ? value.slice(1) : undefined;
  const shown = typed ?? options.find((one) => one.value === value)?.label ?? '';
  // Options may arrive after their name was typed.
  const late =
    typed &&
    (isFocused ? options.find((one) => one.label === typed) : named(options, typed))?.value;
  useEffect(() => {
    if (late) onChange(late);
  }, [late, onChange]);
  const part = isTyping && !isFound ? folded(shown) : '';
  const found =
    part === '' ? options : options.filter(({ label: one }) => folded(one).includes(part));
  const listed = found.slice(0, MOST_SHOWN);
  const close = () => {
    setOpen(false);
    setTyping(false);
    setActive(-1);
  };
  const open = () => {
    setOpen(true);
    setActive(listed.findIndex((one) => one.value === value));
  };
  const choose = (option: PickOption | undefined) => {
    if (option) onChange(option.value);
    close();
  };
  const type = (text: string) => {
    const whole = options.find((one) => one.label === text);
    onChange(whole?.value ?? (text === '' ? '' : `?${text}`));
    setTyping(true);
    setOpen(whole === undefined);
    setActive(text === '' ? -1 : 0);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) open();
      else setActive(Math.max(0, Math.min(listed.length - 1, active + step)));
    } else if (event.key === 'Enter' && isOpen && (isSearching || listed[active])) {
      event.preventDefault();
      if (!isSearching) choose(listed[active]);
    } else if (event.key === 'Escape' && isOpen) {
      // Only the list closes, not what the field is in.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  const isListed = isOpen && listed.length > 0;
  return (
    <div ref={frame} className={styles.frame}>
      <TextField
        {...{ label, problem }}
        {...(hint !== undefined && { hint })}
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? id : undefined}
        aria-activedescendant={isListed && listed[active] ? `${id}-${active}` : undefined}
        placeholder={placeholder}
        value={shown}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          close();
        }}
        onClick={() => (isOpen ? close() : open())}
        onKeyDown={press}
        onChange={({ target }) => type(target.value)}
      />
      {isListed && (
        <List
          {...{ id, label, active, frame }}
          options={listed}
          value={value}
          more={found.length - listed.length}
          onChoose={choose}
        />
      )}
    </div>
  );
}

// The only option with a name; undefined if there are several, or none.
function named(options: readonly PickOption[], typed: string): PickOption | undefined {
  const wanted = folded(typed);
  const found = options.filter(({ label, name }) =>
    [label, name ?? label].map(folded).includes(wanted),
  );
  return found.length === 1 ? found[0] : undefined;
}

interface ListProps {
  id: string;
  label: string;
  options: readonly PickOption[];
  value: string;
  /** Index of the option that Enter chooses; −1: none. */
  active: number;
  /** Options that are not listed. */
  more: number;
  frame: { readonly current: HTMLElement | null };
  onChoose: (option: PickOption) => void;
}

function List({ id, label, options, value, active, more, frame, onChoose }: ListProps) {
  const text = useFormText();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const panel = ref.current;
    const input = frame.current?.querySelector('input');
    if (!panel || !input) return;
    panel.showPopover();
    const place = () => placePanel(input, panel);
    place();
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
    };
  }, [frame]);
  useEffect(() => {
    const row = ref.current?.querySelector(`[id="${id}-${active}"]`);
    row?.scrollIntoView?.({ block: 'nearest' });
  }, [id, active]);
  return (
    <div ref={ref} popover="manual" className={styles.panel}>
      <div id={id} role="listbox" tabIndex={-1} aria-label={text.optionsOf(label)}>
        {options.map((option, at) => (
          <button
            key={option.value}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={option.value === value}
            data-active={at === active || undefined}
            // The focus stays in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            {option.label}
          </button>
        ))}
      </div>
      {more > 0 && <small>{text.moreOptions(more)}</small>}
    </div>
  );
}

function placePanel(input: HTMLElement, panel: HTMLElement): void {
  const at = input.getBoundingClientRect();
  panel.style.minWidth = `${at.width}px`;
  const below = at.bottom + GAP_PX;
  const isBelow = below + panel.offsetHeight <= innerHeight;
  panel.style.left = `${Math.max(GAP_PX, Math.min(at.left, innerWidth - panel.offsetWidth - GAP_PX))}px`;
  panel.style.top = `${isBelow ? below : Math.max(GAP_PX, at.top - GAP_PX - panel.offsetHeight)}px`;
}
