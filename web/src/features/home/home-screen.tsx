import { findHome, HOME_KEPT_MS, HOME_REFRESH_MS, type Home } from '@ridewatch/contract/home';
import { useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { nowMs } from '../../clock.ts';
import { useLanguage, useText } from '../../i18n/language.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { useSession } from '../../session.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { dayInWords, moscowDay, moscowHour, moscowTime, shortDay } from './day-names.ts';
import { Figures } from './figures.tsx';
import styles from './home-screen.module.css';
import { HomeSkeleton } from './home-skeleton.tsx';
import { HoursCard } from './hours-card.tsx';
import { useHomeAddress } from './use-home-address.ts';
import { useHomeText } from './use-home-text.ts';

/** After the figures, because the library of the map is larger than the page. */
const FleetMap = lazyComponent(async () => (await import('./fleet-map.tsx')).FleetMap);

/** The day at a glance, of all buses that the user may see. */
export function HomeScreen() {
  const text = useHomeText();
  const { common } = useText();
  const language = useLanguage();
  const isPhone = useIsPhone();
  useTitle(text.title);
  const answer = useEndpoint(
    findHome,
    {},
    { staleTime: HOME_KEPT_MS, refetchInterval: HOME_REFRESH_MS, refetchOnWindowFocus: true },
  );
  const { data: home, isError, isFetching, refetch } = answer;
  const day = home?.day ?? moscowDay(nowMs());
  const compared = isPhone ? text.comparedShort : text.compared;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{text.today(dayInWords(day, language))}</h1>
        {home && <p>{compared(moscowTime(home.made_at), shortDay(home.before_day, language))}</p>}
      </header>
      {home && <Day home={home} before={shortDay(home.before_day, language)} />}
      {!home && isError && (
        <EmptyState title={common.loadFailed} text={text.failed}>
          <Button kind="primary" isBusy={isFetching} onClick={() => void refetch()}>
            {common.retry}
          </Button>
        </EmptyState>
      )}
      {!home && !isError && <HomeSkeleton />}
    </div>
  );
}

function Day({ home, before }: { home: Home; before: string }) {
  const text = useHomeText();
  const { show, side, note } = useHomeAddress();
  const canReview = useSession()?.user.can_edit ?? false;
  const isPhone = useIsPhone();
  const [isMapAsked, setMapAsked] = useState(false);
  const { moving, standing, silent } = home.buses;
  if (moving + standing + silent === 0) {
    return <EmptyState title={text.noBuses} text={text.noBusesText} />;
  }
  const running = moscowHour(home.made_at);
  return (
    <>
      <Figures home={home} text={text} canReview={canReview} />
      {home.rebuilding > 0 && (
        <p role="status" className={styles.note}>
          {text.rebuilding(home.rebuilding)}
        </p>
      )}
      <div className={styles.columns}>
        <div className={styles.map}>
          {isPhone && !isMapAsked ? (
            <Button onClick={() => setMapAsked(true)}>{text.map}</Button>
          ) : (
            <FleetMap show={show} onShow={(next) => note({ show: next })} text={text} />
          )}
        </div>
        <HoursCard
          hours={home.hours}
          running={running}
          side={side}
          onSide={(next) => note({ key: next === 'exited' ? next : undefined })}
          before={before}
          text={text}
        />
      </div>
    </>
  );
}
