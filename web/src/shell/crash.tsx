import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** What stands in place of a screen that failed while it was drawn, or could not be loaded. */
export function Crash() {
  const text = useText().common;
  return (
    <EmptyState title={text.crashTitle} text={text.crashText}>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
    </EmptyState>
  );
}
