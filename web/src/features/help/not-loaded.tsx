import { useText } from '../../i18n/language.ts';
import { useWaitingText } from '../../page/use-waiting-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { reloadPage } from './reload-page.ts';

/** Replaces a page whose code did not come. Browsers keep a failed import, so only a reload tries again. */
export function NotLoaded() {
  const { loadFailed, retry } = useText().common;
  const { failedText } = useWaitingText();
  return (
    <div role="alert">
      <EmptyState title={loadFailed} text={failedText}>
        <Button kind="primary" onClick={reloadPage}>
          {retry}
        </Button>
      </EmptyState>
    </div>
  );
}
