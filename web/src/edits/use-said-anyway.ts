import { useEffect, useRef } from 'react';
import { showToast } from '../ui/toast-store.ts';
import { useEditText } from './use-edit-text.ts';

/**
 * For changes that may be refused after their place on the page has gone: gives a function that says so in a toast
 * then, and does nothing while the place is there to say it.
 */
export function useSaidAnyway(): (reason: string) => void {
  const text = useEditText();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (reason) => {
    if (!isHere.current) showToast({ kind: 'error', text: `${text.notSaved}: ${reason}` });
  };
}
