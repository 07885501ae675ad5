import { useEffect, useRef } from 'react';
import { showToast } from '../ui/toast-store.ts';
import { useEditText } from './use-edit-text.ts';

/**
 * Returns a function that shows a reason in a toast after the component has unmounted, for refusals that arrive late.
 * While the component is mounted it does nothing, because the component shows the reason itself.
 */
export function useToastAfterUnmount(): (reason: string) => void {
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
