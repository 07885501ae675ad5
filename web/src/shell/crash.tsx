import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** What stands in place of a screen that failed while it was drawn, or is older than what the server has. */
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

/** What stands in place of a screen that is not here yet; it comes when the connection is back. */
export function NotLoaded({ isLost }: { isLost: boolean }) {
  const text = useText().common;
  return isLost && <EmptyState title={text.loadFailed} text={text.connectionLost} />;
}
