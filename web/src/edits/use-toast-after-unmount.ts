import { useEffect, useRef } from 'react';
import { showToast } from '../ui/toast-store.ts';
import { useEditText } from './use-edit-text.ts';

/**
 * For refusals that may arrive after the component has unmounted: returns a function that then shows the reason in a
 * toast. While the component is mounted, the function does nothing, because the component shows the reason itself.
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
