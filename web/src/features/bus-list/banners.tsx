import { closeMessage, listActiveMessages, type Message } from '@ridewatch/contract/news';
import { cacheAnswer, keyOf, queryClient, useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { FailedRead } from '../../page/failed-read.tsx';
import { BannerBox } from '../../ui/banner-box.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { noticeText } from './notice-text.ts';
import { useListText } from './use-list-text.ts';

const NewsMedia = lazyComponent(async () => (await import('../../news/news-media.tsx')).NewsMedia);

/** Interval at which they are read again, ms: a banner begins and ends while the list stays open. */
const READ_EVERY_MS = 60_000;

/** Reads the messages, and whether they are known, so that they do not push down a list that is already shown. */
export function useMessages() {
  const answer = useEndpoint(listActiveMessages, {}, { refetchInterval: READ_EVERY_MS });
  // Reading them again after a failure must not hide the list.
  const isKnown = !answer.isPending || answer.errorUpdateCount > 0;
  return { answer, isKnown, messages: answer.data?.items ?? [] };
}

/**
 * The first of the messages as a banner, and how many there are; a closed one makes room for the next and stays closed
 * for the user. Says if the messages could not be loaded.
 */
export function Banner({ answer, messages }: ReturnType<typeof useMessages>) {
  const text = useListText();
  const locked = useLock();
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
        locked={locked}
        onClick={() => close(message.id, messages)}
      >
        <CloseIcon />
      </IconButton>
    </BannerBox>
  );
}

/** Takes a banner away at once; it comes back if the server did not hear of it. */
function close(id: number, messages: readonly Message[]): void {
  const items = messages.filter((message) => message.id !== id);
  cacheAnswer(listActiveMessages, {}, { items, number: 0, total: items.length });
  const readAgain = () =>
    queryClient.invalidateQueries({ queryKey: keyOf(listActiveMessages, {}) });
  void call(closeMessage, { params: { messageId: id } }).catch(readAgain);
}
