import { type ReactNode, useState } from 'react';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { type Place, placeName } from './places.ts';
import styles from './stop-detail.module.css';
import { StopFacts, StopReasons } from './stop-facts.tsx';
import { StopStats } from './stop-stats.tsx';
import { useGpsText } from './use-gps-text.ts';

interface StopDetailProps {
  place: Place;
  zone: string;
  routeId: number | undefined;
  date: string;
  /** On phones only: a desktop shows it beside the map. Absent for a stop of a route. */
  video?: ReactNode;
  /** Clears the selection and shows the whole lap. */
  onClose: () => void;
}

/** The selected stop: its facts and statistics, on a phone also its video. */
export function StopDetail({ place, zone, routeId, date, video, onClose }: StopDetailProps) {
  const text = useGpsText();
  const isPhone = useIsPhone();
  const [view, setView] = useState<'video' | 'stats'>('video');
  const stats =
    place.classifierId === null ? (
      <p className={styles.none}>{text.statsNoStop}</p>
    ) : (
      <StopStats
        key={place.classifierId}
        classifierId={place.classifierId}
        routeId={routeId}
        date={date}
      />
    );
  if (!isPhone) {
    return (
      <section className={styles.detail} aria-label={placeName(place, text)}>
        <div className={styles.head}>
          <div>
            <StopFacts place={place} zone={zone} />
            <StopReasons place={place} zone={zone} />
          </div>
          <IconButton label={text.back} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        {stats}
      </section>
    );
  }
  return (
    <section className={styles.detail} aria-label={placeName(place, text)}>
      {video && (
        <Choice
          label={text.views}
          value={view}
          options={[
            { value: 'video', label: text.video },
            { value: 'stats', label: text.stats },
          ]}
          onChange={setView}
        />
      )}
      {video && view === 'video' ? video : stats}
      <StopReasons place={place} zone={zone} />
    </section>
  );
}
