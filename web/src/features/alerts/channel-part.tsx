import {
  type AttentionChannel,
  type AttentionSettings,
  findAttentionSettings,
  TEST_PAUSE_S,
  testAttentionChannel,
} from '@ridewatch/contract/attention';
import { queryClient, useAction } from '../../calls/api.ts';
import type { ApiError } from '../../core/api-error.ts';
import { Button } from '../../ui/button.tsx';
import styles from './alerts.module.css';
import { useAlertsText } from './use-alerts-text.ts';

const isTooSoon = ({ status }: ApiError): boolean => status === 429;

interface ChannelPartProps {
  channel: AttentionChannel;
  state: AttentionSettings['webhook'];
  query: { clientId?: number };
  canTest: boolean;
}

/** How sending goes on a channel, and a test of it. */
export function ChannelPart({ channel, state, query, canTest }: ChannelPartProps) {
  const text = useAlertsText();
  const test = useAction(testAttentionChannel, {
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [findAttentionSettings.path] }),
  });
  const { data } = test;
  return (
    <div className={styles.channel}>
      <p className={styles.note}>{text.state(state.sent, state.waiting, state.failed)}</p>
      {state.last_error !== null && (
        <p className={styles.error}>{text.lastError(state.last_error)}</p>
      )}
      {canTest && (
        <div className={styles.test}>
          <Button
            type="button"
            isBusy={test.isPending}
            onClick={() => test.mutate({ query, body: { channel }, isQuiet: isTooSoon })}
          >
            {text.test}
          </Button>
          <span className={styles.note}>{text.testHint}</span>
        </div>
      )}
      <p role="status" className={data?.error ? styles.error : styles.note}>
        {data && (data.error === null ? text.testSent : text.testFailed(data.error))}
        {test.error && isTooSoon(test.error) && text.testTooSoon(TEST_PAUSE_S)}
      </p>
    </div>
  );
}
