import { type ReactNode, useState } from 'react';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Choice } from '../../ui/choice.tsx';
import type { Place } from './places.ts';
import styles from './stop-detail.module.css';
import { StopFacts } from './stop-facts.tsx';
import { StopStats } from './stop-stats.tsx';
import { useGpsText } from './use-gps-text.ts';

interface StopDetailProps {
  place: Place;
  zone: string;
  groupId: number | undefined;
  date: string;
  /** Absent where nobody drove: at a stop of a route. */
  video?: ReactNode;
}

/** The chosen stop: video and statistics, side by side or one at a time on a phone. */
export function StopDetail({ place, zone, groupId, date, video }: StopDetailProps) {
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
        groupId={groupId}
        date={date}
      />
    );
  const showsOne = isPhone && video !== undefined;
  return (
    <section className={styles.detail} aria-label={place.name || text.pause}>
      {!isPhone && <StopFacts place={place} zone={zone} />}
      {showsOne && (
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
      <div className={styles.parts} data-alone={video === undefined || undefined}>
        {(!showsOne || view === 'video') && video}
        {(!showsOne || view === 'stats') && stats}
      </div>
    </section>
  );
}
