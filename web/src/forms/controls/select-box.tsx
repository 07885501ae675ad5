import { Select } from '@base-ui/react/select';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { DoneIcon, DownIcon } from '../../ui/icons.tsx';
import styles from './select-box.module.css';

const GAP_PX = 4;

interface SelectBoxProps {
  label: string;
  /** Null if there are no options. */
  value: string | null;
  options: readonly { readonly value: string; readonly label: string }[];
  /** The text of the button; undefined: the label of the chosen option. */
  shown?: string | undefined;
  onChange: (value: string) => void;
}

/** A labelled button with the chosen option and a list of all options. */
export function SelectBox({ label, value, options, shown, onChange }: SelectBoxProps) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  // Render the list inside the field's landmark: in `body`, screen reader users who move by landmarks would miss it.
  const [part, setPart] = useState<HTMLElement>();
  useLayoutEffect(() => {
    setPart(field.current?.closest<HTMLElement>('[role=dialog], main') ?? undefined);
  }, []);
  return (
    <div ref={field} className={styles.field}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <Select.Root
        items={options}
        value={value}
        disabled={options.length === 0}
        onValueChange={(chosen) => {
          if (chosen !== null) onChange(chosen);
        }}
      >
        <Select.Trigger className={styles.trigger} aria-labelledby={`${id} ${id}-value`}>
          <Select.Value id={`${id}-value`} className={styles.value}>
            {shown}
          </Select.Value>
          <Select.Icon>
            <DownIcon />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal container={part}>
          <Select.Positioner
            className={styles.positioner}
            alignItemWithTrigger={false}
            // A scrolling dialog would clip an absolute position.
            positionMethod="fixed"
            sideOffset={GAP_PX}
          >
            <Select.Popup className={styles.popup} aria-labelledby={id}>
              {options.map((option) => (
                <Select.Item key={option.value} value={option.value} className={styles.option}>
                  <Select.ItemText>{option.label}</Select.ItemText>
                  <Select.ItemIndicator className={styles.chosen}>
                    <DoneIcon />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </div>
  );
}
