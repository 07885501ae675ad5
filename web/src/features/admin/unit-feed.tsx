import {
  type FeedBatch,
  findUnitFeed,
  listenToUnit,
  setTestMode,
} from '@ridewatch/contract/admin-feed';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { useEffect, useRef, useState } from 'react';
import { cacheAnswer, useEndpoint } from '../../calls/api.ts';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import { momentText, secondText } from './moments.ts';
import { isBytes, readableRaw } from './raw-text.ts';
import { useRowAction } from './row-calls.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { useProtocolText } from './use-protocol-text.ts';
import { ROWS_EVERY_MS, readAgain } from './use-rows.ts';

/** Interval at which batches are read while the server keeps them, ms. */
const READ_EVERY_MS = 3000;

/** The test mode of a unit: begins it, or has everything counted that the unit sent meanwhile. */
export function TestPart({ row }: { row: AdminUnit }) {
  const { test: said } = useAdminText();
  const locked = useLock();
  const action = useRowAction(setTestMode, { onSettled: () => readAgain() });
  const change = (test: boolean) => action.mutate({ params: { unitId: row.id }, body: { test } });
  return (
    <DrawerPart title={said.title}>
      {row.test_since === null ? (
        <>
          <p>{said.off}</p>
          {row.releasing !== null && <Releasing {...row.releasing} />}
          <div>
            <Button
              locked={locked}
              disabled={row.releasing !== null}
              isBusy={action.isPending}
              onClick={() => change(true)}
            >
              {said.begin}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>{said.on(momentText(row.test_since))}</p>
          <div>
            <Sure
              label={said.release}
              text={said.releaseText}
              isBusy={action.isPending}
              onSure={() => change(false)}
            />
          </div>
        </>
      )}
    </DrawerPart>
  );
}

// How far the release of the last test is; the row is read again until it ends.
function Releasing({ released, total }: NonNullable<AdminUnit['releasing']>) {
  const { test: said } = useAdminText();
  useEffect(() => {
    const timer = setInterval(() => readAgain(), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status">
      <p>{said.releasing(formatNumber(released), total, formatNumber(total))}</p>
      <ProgressBar label={said.title} percent={(100 * released) / total}>
        {null}
      </ProgressBar>
    </div>
  );
}

interface FeedPartProps {
  unitId: number;
  /** Called when the feed has brought messages, at most as often as the row is read anyway. */
  onNews: () => void;
}

/** The last batches or messages of a unit as received, while somebody listens. */
export function FeedPart({ unitId, onNews }: FeedPartProps) {
  const { feed: said } = useAdminText();
  const locked = useLock();
  const params = { unitId: unitId };
  const answer = useEndpoint(
    findUnitFeed,
    { params },
    {
      refetchInterval: ({ state }) =>
        state.data?.listening_until && !isGone(state.error) ? READ_EVERY_MS : false,
      // The drawer tells of a unit that is gone.
      isQuiet: isGone,
    },
  );
  const listen = useRowAction(listenToUnit, {
    onSuccess: (feed) => cacheAnswer(findUnitFeed, { params }, feed),
  });
  const feed = answer.data;
  useNews(feed && (feed.items[0]?.id ?? 0), answer.dataUpdatedAt, onNews);
  return (
    <DrawerPart
      title={said.title}
      tool={
        <Button locked={locked} isBusy={listen.isPending} onClick={() => listen.mutate({ params })}>
          {said.listen}
        </Button>
      }
    >
      <FailedRead answer={answer} what={said.title} />
      {feed?.listening_until && <p role="status">{said.until(momentText(feed.listening_until))}</p>}
      {feed?.items.length === 0 && <p>{feed.listening_until ? said.waits : said.none}</p>}
      {feed?.items.map((batch) => (
        <Batch key={batch.id} batch={batch} />
      ))}
    </DrawerPart>
  );
}

/**
 * Tells of new messages.
 * @param newest id of the last one; 0: there is none; undefined: not known yet
 * @param readAt when it was read, ms since 1970
 */
function useNews(newest: number | undefined, readAt: number, onNews: () => void): void {
  const told = useRef<{ newest: number; readAt: number }>(undefined);
  useEffect(() => {
    if (newest === undefined) return;
    const before = told.current;
    const isNew = before !== undefined && before.newest !== newest;
    if (before !== undefined && (!isNew || readAt < before.readAt + ROWS_EVERY_MS)) return;
    // The row was read together with the first messages.
    told.current = { newest, readAt: isNew ? readAt : 0 };
    if (isNew) onNews();
  }, [newest, readAt, onNews]);
}

function Batch({ batch }: { batch: FeedBatch }) {
  const { feed: said } = useAdminText();
  const { feed: spoken } = useProtocolText();
  // There may be a hundred, of 80 KiB each: only what somebody opens is formatted.
  const [isOpen, setOpen] = useState(false);
  const { received_at, status, fate, bytes, body, answer } = batch;
  const outcome = fate === null ? spoken.answered(status ?? 0) : spoken.fates[fate];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {secondText(received_at)} · {outcome} · {said.bytes(bytes, formatNumber(bytes))}
      </summary>
      {isOpen && (
        <>
          {fate !== null && body !== null && <h4>{isBytes(body) ? spoken.bytes : spoken.text}</h4>}
          <pre className={styles.json} data-wrap={fate !== null || undefined}>
            {body === null ? said.unread : readableRaw(body)}
          </pre>
          {answer !== null && (
            <>
              <h4>{said.answer}</h4>
              <pre className={styles.json}>{readableRaw(answer)}</pre>
            </>
          )}
        </>
      )}
    </details>
  );
}
