import {
  type FeedBatch,
  findUnitFeed,
  listenToUnit,
  setTestMode,
} from '@ridewatch/contract/admin-feed';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { useEffect, useState } from 'react';
import { cacheAnswer, useEndpoint } from '../../calls/api.ts';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { isGone } from './is-gone.ts';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { useProtocolText } from './use-protocol-text.ts';
import { readAgain } from './use-rows.ts';

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
      <p>{said.releasing(formatNumber(released), formatNumber(total))}</p>
      <ProgressBar label={said.title} percent={(100 * released) / total}>
        {null}
      </ProgressBar>
    </div>
  );
}

/** The last batches or messages of a unit as received, while somebody listens. */
export function FeedPart({ unitId }: { unitId: number }) {
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
        {momentText(received_at)} · {outcome} · {said.bytes(formatNumber(bytes))}
      </summary>
      {isOpen && (
        <>
          {fate !== null && body !== null && (
            <h4>{BYTES.test(body) ? spoken.bytes : spoken.text}</h4>
          )}
          <pre className={styles.json} data-wrap={fate !== null || undefined}>
            {body === null ? said.unread : readable(body)}
          </pre>
          {answer !== null && (
            <>
              <h4>{said.answer}</h4>
              <pre className={styles.json}>{readable(answer)}</pre>
            </>
          )}
        </>
      )}
    </details>
  );
}

/** Bytes of a protocol, two hexadecimal digits each. */
const BYTES = /^(?:[\da-f]{2})+$/i;

// A cut text is no JSON; it is shown as it is.
function readable(text: string): string {
  if (BYTES.test(text)) return text.replace(/..(?=.)/g, '$& ');
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
