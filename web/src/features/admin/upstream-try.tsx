import { tryUpstream, type Upstream } from '@ridewatch/contract/admin-upstreams';
import { useEffect, useState } from 'react';
import { queryClient } from '../../calls/api.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import { useRowAction } from './row-calls.ts';
import { ADMIN_KEY } from './use-rows.ts';
import { useUpstreamText } from './use-upstream-text.ts';

/** An attempt takes some seconds; until it is over the rows are read so often, ms. */
const READ_EVERY_MS = 3000;

/** Ends the wait of an upstream after a fault; nothing while it does not wait. */
export function TryNow({ row }: { row: Upstream }) {
  const text = useUpstreamText();
  const locked = useLock();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const ask = useRowAction(tryUpstream, {
    onSuccess: ({ next_try_at }) => {
      setAskedFor(next_try_at);
      showToast({ kind: 'done', text: text.trying });
      return readUpstreams();
    },
  });
  const isTried = askedFor !== null && row.next_try_at === askedFor;
  useEffect(() => {
    if (!isTried) return;
    const timer = setInterval(() => void readUpstreams(), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [isTried]);
  if (!row.enabled || row.fault === null || row.next_try_at === null || isTried) return null;
  return (
    <Button
      isBusy={ask.isPending}
      locked={locked}
      onClick={() => ask.mutate({ params: { upstreamId: row.id } })}
    >
      {text.tryNow}
    </Button>
  );
}

async function readUpstreams(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [ADMIN_KEY, 'upstreams'] });
}
