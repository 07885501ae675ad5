import { useText } from '../../i18n/language.ts';
import { useNewsText } from '../../news/use-news-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './news.module.css';

interface NotLoadedProps {
  answer: { isError: boolean; isFetching: boolean; data: unknown; refetch: () => unknown };
  /** Says what could not be loaded. */
  failed: string;
}

/** Takes the place of a list until it is loaded: that it loads, or the loading error with a retry (spec section 2). */
export function NotLoaded({ answer, failed }: NotLoadedProps) {
  const text = useNewsText();
  const { retry } = useText().common;
  if (answer.data !== undefined) return null;
  if (!answer.isError) {
    return (
      <div className={styles.waiting} aria-busy="true">
        {text.loading}
      </div>
    );
  }
  return (
    <EmptyState title={text.failed} text={failed}>
      <Button kind="primary" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
        {retry}
      </Button>
    </EmptyState>
  );
}
