import { type ReactNode, useState } from 'react';
import { Sheet, type SheetHeight } from '../../ui/sheet.tsx';
import { useDayText } from './use-day-text.ts';

/** A sheet with the day's fragments over the lower end of a phone's screen. */
export function FragmentSheet({ count, children }: { count: number; children: ReactNode }) {
  const text = useDayText();
  const [height, setHeight] = useState<SheetHeight>('low');
  return (
    <Sheet
      label={text.fragments(count)}
      handleLabel={text.sheet}
      height={height}
      onHeight={setHeight}
      head={<strong>{text.fragments(count)}</strong>}
    >
      {children}
    </Sheet>
  );
}
