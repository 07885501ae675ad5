import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Sure } from './sure.tsx';
import { useNewsText } from './use-news-text.ts';
import { readAgain } from './use-rows.ts';

interface DeleteButtonProps {
  note: string;
  section: 'news' | 'messages';
  remove: () => Promise<unknown>;
}

/** Deletes a row, and then shows the list. */
export function DeleteButton({ note, section, remove }: DeleteButtonProps) {
  const text = useNewsText();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await remove();
      await navigate({
        to: '/admin/{-$section}/{-$id}',
        params: { section, id: undefined },
        search: (search) => search,
      });
    } catch {
      // The call has shown a toast.
      setBusy(false);
    }
    await readAgain();
  };
  return <Sure label={text.delete} text={note} isBusy={isBusy} onSure={() => void run()} />;
}
