import { useState } from 'react';
import { Sure } from './sure.tsx';
import { useNewsText } from './use-news-text.ts';
import { readAgain } from './use-rows.ts';
import { useOnward } from './use-still-here.ts';

interface DeleteButtonProps {
  note: string;
  section: 'news' | 'messages';
  remove: () => Promise<unknown>;
}

/** Deletes a row, and then leads to the list. */
export function DeleteButton({ note, section, remove }: DeleteButtonProps) {
  const text = useNewsText();
  const goOn = useOnward(section);
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await remove();
      await goOn();
    } catch {
      // The call has shown a toast, or the drawer says that the row is gone.
      setBusy(false);
      await readAgain();
    }
  };
  return <Sure label={text.delete} text={note} isBusy={isBusy} onSure={() => void run()} />;
}
