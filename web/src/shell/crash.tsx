import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Replaces a screen that threw while rendering, or whose code the server no longer has. */
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

/** Replaces a screen that is still loading; says so if the connection is lost. */
export function NotLoaded({ isLost }: { isLost: boolean }) {
  const text = useText().common;
  return isLost && <EmptyState title={text.loadFailed} text={text.connectionLost} />;
}
