import { type ReactNode, useDeferredValue, useState } from 'react';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { IconButton } from '../../ui/button.tsx';
import { BackIcon } from '../../ui/icons.tsx';
import type { SheetHeight } from '../../ui/sheet.tsx';
import type { Place } from './places.ts';
import { StopFacts } from './stop-facts.tsx';
import styles from './track-tab.module.css';
import { useGpsText } from './use-gps-text.ts';

// For phones.
const Sheet = lazyComponent(async () => (await import('../../ui/sheet.tsx')).Sheet);

interface TrackTabProps {
  /** Above the list on a phone. */
  figures?: ReactNode;
  map: ReactNode;
  listTitle: ReactNode;
  list: ReactNode;
  chosen: Place | undefined;
  zone: string;
  /** The video of the selected place, if it can have one. */
  video?: ReactNode;
  /** The details of the selected place, or the content while none is selected. */
  detail: ReactNode;
  onBack: () => void;
}

/** Map, list and the selected place: side by side on a desktop, a sheet over the map on a phone. */
export function TrackTab(props: TrackTabProps) {
  const { figures, map, listTitle, chosen, video } = props;
  // The map is made first: it works on while the rest renders.
  const hasMap = useDeferredValue(true, false);
  const list = hasMap && props.list;
  const detail = hasMap && props.detail;
  const text = useGpsText();
  const isPhone = useIsPhone();
  const [height, setHeight] = useState<SheetHeight>(chosen ? 'full' : 'low');
  const [seen, setSeen] = useState(chosen?.key);
  if (seen !== chosen?.key) {
    setSeen(chosen?.key);
    // The selected place is in the sheet; the whole lap is on the map.
    if (!chosen) setHeight('low');
    else if (seen === undefined) setHeight('full');
  }
  if (!isPhone) {
    return (
      <div className={styles.grid}>
        <div className={styles.column}>
          <div className={styles.stage} data-video={video ? true : undefined}>
            {map}
            {video}
          </div>
          {detail}
        </div>
        <section className={styles.side}>
          <header className={`${styles.head} ${styles.upper}`}>{listTitle}</header>
          <div className={styles.scroll}>{list}</div>
        </section>
      </div>
    );
  }
  const head = chosen ? (
    <div className={styles.chosen}>
      <IconButton label={text.back} onClick={props.onBack}>
        <BackIcon />
      </IconButton>
      <StopFacts place={chosen} zone={props.zone} />
    </div>
  ) : (
    <div className={styles.head}>{listTitle}</div>
  );
  return (
    <>
      {map}
      <Sheet
        label={text.halts}
        handleLabel={text.sheet}
        height={height}
        onHeight={setHeight}
        head={head}
      >
        <div className={styles.sheetPart} hidden={chosen !== undefined}>
          {figures}
          {list}
        </div>
        {chosen && (
          <div key={chosen.key} className={styles.sheetPart}>
            {detail}
          </div>
        )}
      </Sheet>
    </>
  );
}
