import { listActiveMessages } from '@ridewatch/contract/news';
import { useSyncExternalStore } from 'react';
import { useEndpoint } from '../../api.ts';
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
  return { isKnown: !answer.isPending, messages };
}

/** The messages as banners; a closed one stays closed in this browser. */
export function Banners({ messages }: Pick<ReturnType<typeof useMessages>, 'messages'>) {
  const text = useListText();
  return messages.map((message) => {
    const said = noticeText(message);
    return (
      <aside
        key={message.id}
        className={styles.banner}
        data-kind={message.notice?.kind}
        aria-label={said.title}
      >
        <InfoIcon />
        <div className={styles.words}>
          <strong>{said.title}</strong>
          <p>{said.text}</p>
        </div>
        <IconButton
          label={text.closeBanner(said.title)}
          onClick={() => closed.set([...closed.get(), message.id])}
        >
          <CloseIcon />
        </IconButton>
      </aside>
    );
  });
}
