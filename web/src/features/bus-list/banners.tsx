import { listActiveMessages } from '@ridewatch/contract/news';
import { useSyncExternalStore } from 'react';
import { useEndpoint } from '../../api.ts';
import { FailedRead } from '../../bus-page/failed-read.tsx';
import { createStoredValue } from '../../stored-value.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon, InfoIcon } from '../../ui/icons.tsx';
import styles from './banners.module.css';
import { noticeText } from './notice-text.ts';
import { useListText } from './use-list-text.ts';

const closed = createStoredValue<readonly number[]>('ridewatch.closed-messages', (raw) =>
  Array.isArray(raw) ? raw.filter((id) => typeof id === 'number') : [],
);

/** Reads the messages, and whether they are known, so that they do not push down a list that is already shown. */
export function useMessages() {
  const answer = useEndpoint(listActiveMessages, {});
  const closedIds = useSyncExternalStore(closed.subscribe, closed.get);
  const messages = answer.data?.items.filter((message) => !closedIds.includes(message.id)) ?? [];
  // Reading them again after a failure must not hide the list.
  return { answer, isKnown: !answer.isPending || answer.errorUpdateCount > 0, messages };
}

/**
 * The first of the messages as a banner, and how many there are; a closed one makes room for the next and stays closed
 * in this browser. Says if the messages could not be loaded.
 */
export function Banner({ answer, messages }: ReturnType<typeof useMessages>) {
  const text = useListText();
  const [message] = messages;
  if (message === undefined) return <FailedRead answer={answer} what={text.messages} />;
  const said = noticeText(message);
  return (
    <aside className={styles.banner} data-kind={message.notice?.kind} aria-label={said.title}>
      <InfoIcon />
      {/* A long notice is cut to a line; a press shows the whole of it. */}
      <details className={styles.words}>
        <summary>
          <strong>{said.title}</strong> {said.text}
        </summary>
      </details>
      {messages.length > 1 && <span className={styles.place}>{text.firstOf(messages.length)}</span>}
      <IconButton
        label={text.closeBanner(said.title)}
        onClick={() => closed.set([...closed.get(), message.id])}
      >
        <CloseIcon />
      </IconButton>
    </aside>
  );
}
