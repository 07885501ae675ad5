import { findHome, HOME_KEPT_MS, HOME_REFRESH_MS, type Home } from '@ridewatch/contract/home';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useEndpoint } from '../../calls/api.ts';
import { useConnectionLost } from '../../core/connection.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useSession } from '../../core/session.ts';
import { useLanguage, useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { useTopBar } from '../../ui/use-top-bar.ts';
import { inputOf } from './address.ts';
import { AttentionList } from './attention-list.tsx';
import { CustomerChoice } from './customer-choice.tsx';
import { customerSearch } from './customer-search.ts';
import { dayInWords, hourIn, shortDay, zonedTime } from './day-names.ts';
import { Figures } from './figures.tsx';
import styles from './home-screen.module.css';
import { HomeSkeleton } from './home-skeleton.tsx';
import { HoursCard } from './hours-card.tsx';
import { useHomeAddress } from './use-home-address.ts';
import { useHomeText } from './use-home-text.ts';

/** Of a new installation. */
const FirstSteps = lazyComponent(
  async () => (await import('./first-steps/first-steps.tsx')).FirstSteps,
);
/** After the figures, because the library of the map is larger than the page. */
const FleetMap = lazyComponent(async () => (await import('./fleet-map.tsx')).FleetMap);

/** The day at a glance, of all buses that the user may see, or of one customer's. */
export function HomeScreen() {
  const text = useHomeText();
  const { common } = useText();
  useTitle(text.title);
  const { clientId, note } = useHomeAddress();
  const answer = useEndpoint(findHome, inputOf(clientId), {
    staleTime: HOME_KEPT_MS,
    refetchInterval: HOME_REFRESH_MS,
    refetchOnWindowFocus: true,
  });
  const { data: home, isError, isFetching, refetch } = answer;
  const isLost = useConnectionLost();
  const isAdmin = useSession()?.user.role === 'ADMIN';
  const day = home && <Day home={home} clientId={clientId} />;
  const hasSteps = home !== undefined && isAdmin && hasNoCounts(home);
  // The steps must not push away a row that is about to be pressed.
  const waits = hasSteps && countBuses(home) === 0;
  return (
    <div className={styles.page}>
      <Head home={home} clientId={clientId} />
      {hasSteps && <FirstSteps>{waits && day}</FirstSteps>}
      {!waits && day}
      {!home && isError && (
        <EmptyState title={common.loadFailed} text={isLost ? common.connectionLost : text.failed}>
          <Button kind="primary" isBusy={isFetching} onClick={() => void refetch()}>
            {common.retry}
          </Button>
          {clientId !== undefined && (
            <Button onClick={() => note({ customer: undefined })}>{text.allCustomers}</Button>
          )}
        </EmptyState>
      )}
      {!home && !isError && <HomeSkeleton />}
    </div>
  );
}

interface DayProps<Known> {
  home: Known;
  clientId: number | undefined;
}

/** Names the day of the buses, once it is known, and the day with which it is compared; on a phone in the top bar. */
function Head({ home, clientId }: DayProps<Home | undefined>) {
  const text = useHomeText();
  const language = useLanguage();
  const isPhone = useIsPhone();
  const topBar = useTopBar();
  const compared = isPhone ? text.comparedShort : text.compared;
  const notes = home && (
    <>
      {home.zones > 1 && <p className={styles.note}>{text.zones}</p>}
      {home.incomplete > 0 && (
        <p role="status" className={styles.note}>
          {text.incomplete(home.incomplete)}
        </p>
      )}
    </>
  );
  const title = (
    <div className={styles.title}>
      <h1>
        {home ? text.today(dayInWords(home.day, language, isPhone ? 'short' : 'long')) : text.title}
      </h1>
      {home && (
        <p>
          {compared(
            zonedTime(home.made_at, home.timezone, text.moscow),
            shortDay(home.before_day, language),
          )}
        </p>
      )}
      {!isPhone && notes}
    </div>
  );
  const choice = home && home.customers.length > 0 && (
    <CustomerChoice
      customers={home.customers}
      chosenId={clientId}
      buses={countBuses(home)}
      text={text}
    />
  );
  return (
    <>
      {topBar && createPortal(title, topBar)}
      {(!isPhone || choice) && (
        <header className={styles.head}>
          {!isPhone && title}
          {choice}
        </header>
      )}
      {isPhone && notes}
    </>
  );
}

function Day({ home, clientId }: DayProps<Home>) {
  const text = useHomeText();
  const language = useLanguage();
  const { show, busId, side, note } = useHomeAddress();
  const user = useSession()?.user;
  const canReview = user?.can_edit ?? false;
  const isAdmin = user?.role === 'ADMIN';
  const isPhone = useIsPhone();
  const [isMapAsked, setMapAsked] = useState(busId !== undefined);
  const isPainted = useIsPainted();
  const map = useRef<HTMLDivElement>(null);
  // On a phone the map lies below the figures: a user who asks for it, or for a bus on it, is led there.
  const isMapShown = isPhone && isMapAsked && isPainted;
  useEffect(() => {
    if (isMapShown) map.current?.scrollIntoView({ block: 'center' });
  }, [isMapShown]);
  const hasBuses = countBuses(home) > 0;
  const list = (
    <AttentionList
      key={isPhone ? 'few' : 'all'}
      attention={home.attention}
      ofCustomer={customerSearch(clientId)}
      review={canReview ? home.review : undefined}
      {...{ hasBuses, isPhone, text }}
    />
  );
  if (!hasBuses) {
    return (
      <>
        {/* An administrator has the first steps, which say what to do. */}
        {!isAdmin && <EmptyState title={text.noBuses} text={text.noBusesText} />}
        {needsAttention(home) && <div className={styles.alone}>{list}</div>}
      </>
    );
  }
  return (
    <>
      <Figures
        home={home}
        buses={countBuses(home)}
        clientId={clientId}
        text={text}
        canReview={canReview}
      />
      <div className={styles.columns}>
        <div className={styles.attention}>{list}</div>
        <div ref={map} className={styles.map} aria-busy={!isPainted}>
          {isPhone && !isMapAsked ? (
            <Button onClick={() => setMapAsked(true)}>{text.map}</Button>
          ) : (
            isPainted && (
              <FleetMap
                clientId={clientId}
                show={show}
                onShow={(next) => note({ show: next })}
                busId={busId}
                onPick={(next) => note({ bus: next === undefined ? undefined : String(next) })}
              />
            )
          )}
        </div>
        <div className={styles.hours}>
          <HoursCard
            hours={home.hours}
            running={hourIn(home.made_at, home.timezone)}
            side={side}
            onSide={(next) => note({ key: next === 'entered' ? undefined : next })}
            before={shortDay(home.before_day, language)}
            text={text}
          />
        </div>
      </div>
    </>
  );
}

// An installation that works may look so at night; the server then knows that its first steps are done.
function hasNoCounts({ entered, exited }: Home): boolean {
  return entered.now + entered.before + exited.now + exited.before === 0;
}

// An installation without buses has causes, too: an unknown unit knocks, a disk is full.
const needsAttention = ({ attention }: Home): boolean =>
  Object.values(attention).some(({ total }) => total > 0);

/** Time in which the figures are painted, ms. */
const PAINT_MS = 250;

// The map's code and calls wait until the figures are there to be read.
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), PAINT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPainted;
}

const countBuses = ({ buses }: Home): number =>
  Object.values(buses).reduce((sum, count) => sum + count, 0);
