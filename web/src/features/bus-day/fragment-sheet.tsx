import { type ReactNode, useState } from 'react';
import { Sheet, type SheetHeight } from '../../ui/sheet.tsx';
import { useDayText } from './use-day-text.ts';

interface FragmentSheetProps {
  count: number;
  /** Below the title, unless the sheet is low: there the rows need the room. */
  filters: ReactNode;
  /** The list. @param isOpen whether the sheet is more than a strip */
  children: (isOpen: boolean) => ReactNode;
}

/** A sheet with the day's fragments over the lower end of a phone's screen. */
export function FragmentSheet({ count, filters, children }: FragmentSheetProps) {
  const text = useDayText();
  const [height, setHeight] = useState<SheetHeight>('low');
  return (
    <Sheet
      label={text.fragments(count)}
      handleLabel={text.sheet}
      height={height}
      onHeight={setHeight}
      head={
        <>
          <strong>{text.fragments(count)}</strong>
          {height !== 'low' && filters}
        </>
      }
    >
      {children(height !== 'low')}
    </Sheet>
  );
}
