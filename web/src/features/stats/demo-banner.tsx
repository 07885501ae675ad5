import { useSyncExternalStore } from 'react';
import { useSession } from '../../core/session.ts';
import { createStoredValue } from '../../core/stored-value.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon, InfoIcon } from '../../ui/icons.tsx';
import styles from './stats-screen.module.css';
import { useStatsText } from './use-stats-text.ts';

const closed = createStoredValue('ridewatch.statsBannerClosed', (raw) => raw === true);

/** Says that the statistics are in demo mode and feedback is welcome (spec section 1), until the user closes it. */
export function DemoBanner() {
  const text = useStatsText();
  const isPhone = useIsPhone();
  const isClosed = useSyncExternalStore(closed.subscribe, closed.get);
  const email = useSession()?.user.company.support_email ?? '';
  if (isClosed) return null;
  return (
    <div className={styles.banner}>
      <InfoIcon />
      <p>
        <strong>{isPhone ? text.shortDemo : text.demo}</strong>{' '}
        {!isPhone && <span>{text.feedbackBefore}</span>}{' '}
        <a href={`mailto:${email}`}>{isPhone ? text.shortFeedback : text.feedback}</a>
      </p>
      <IconButton label={text.close} onClick={() => closed.set(true)}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
