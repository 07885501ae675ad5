import { listActiveMessages } from '@ridewatch/contract/news';
import { useSyncExternalStore } from 'react';
import { useEndpoint } from '../../api.ts';
import { FailedRead } from '../../bus-page/failed-read.tsx';
import { lazyComponent } from '../../lazy-component.tsx';
import { createStoredValue } from '../../stored-value.ts';
import { BannerBox } from '../../ui/banner-box.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { noticeText } from './notice-text.ts';
import { useListText } from './use-list-text.ts';

const NewsMedia = lazyComponent(async () => (await import('../../news/news-media.tsx')).NewsMedia);

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
  const image = message.mediaId !== null && (
    <NewsMedia key={message.id} id={message.mediaId} title={said.title} />
  );
  return (
    <BannerBox key={message.id} {...said} kind={message.notice?.kind} image={image}>
      {messages.length > 1 && <span>{text.firstOf(messages.length)}</span>}
      <IconButton
        label={text.closeBanner(said.title)}
        onClick={() => closed.set([...closed.get(), message.id])}
      >
        <CloseIcon />
      </IconButton>
    </BannerBox>
  );
}
