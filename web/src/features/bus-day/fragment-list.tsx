import type { Camera } from '@ridewatch/contract/buses';
import { effectiveCount, type Fragment, type ManualCount } from '@ridewatch/contract/fragments';
import { memo, type ReactNode, useMemo } from 'react';
import { isDeleted } from '../../fragment/deleted-hint.ts';
import { FragmentRows, TimeCell } from '../../fragment/fragment-rows.tsx';
import { AttentionMark, ReviewedMark, StateTag } from '../../fragment/state-tag.tsx';
import { clockText } from '../../player/clock-text.ts';
import { tileAt } from '../../player/thumbnail.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { drawn, ImageIcon } from '../../ui/icons.tsx';
import { KeyHints } from '../manual-counts/key-hints.tsx';
import type { TypedCounts } from '../manual-counts/manual-edits.ts';
import { ManualInputs, SaveMark } from '../manual-counts/manual-inputs.tsx';
import { useDrafts } from '../manual-counts/use-manual-edits.ts';
import styles from './fragment-list.module.css';
import { passes } from './list-filters.ts';
import { useDayText } from './use-day-text.ts';

interface FragmentListProps {
  fragments: readonly Fragment[];
  cameras: ReadonlyMap<number, Camera>;
  zone: string;
  selectedId: number | undefined;
  mayEdit: boolean;
  /** Whether children are shown; those who count by hand can always type them. */
  hasKids: boolean;
  /** Content beside the title; on a phone the sheet has the title. */
  tools: ReactNode;
  /** On a phone the rows have a picture each; until then there is room for it. */
  hasPictures: boolean;
  /** The list shows this in place of rows if there are none. */
  empty: ReactNode;
  /** Whether the page may scroll to the selected row. */
  movesPage: () => boolean;
  /** The page opened the selected fragment by itself. */
  isUnasked: boolean;
  onSelect: (fragment: Fragment) => void;
  /** An input of its counts got the focus. */
  onEdit: (fragment: Fragment) => void;
}

/** The list of the day's fragments, with inputs for their counts. */
export function FragmentList(props: FragmentListProps) {
  const { fragments, cameras, zone, mayEdit, onEdit } = props;
  const text = useDayText();
  const isPhone = useIsPhone();
  const drafts = useDrafts();
  const hasInputs = mayEdit && !isPhone;
  const hasKids = hasInputs || props.hasKids;
  const ofPhone = props.hasPictures ? 'shown' : 'kept';
  const picture = isPhone ? ofPhone : 'none';
  const hasStops = useMemo(() => fragments.some(({ stop }) => stop !== undefined), [fragments]);
  // The only door need not be named in every row.
  const hasDoors = cameras.size > 1 || !hasStops;
  return (
    <FragmentRows
      items={fragments}
      idOf={({ id }) => id}
      selectedId={props.selectedId}
      label={isPhone ? undefined : text.fragments(fragments.length)}
      look={[styles.list, hasStops && hasDoors && styles.withBoth, !hasKids && styles.withoutKids]
        .filter(Boolean)
        .join(' ')}
      title={
        !isPhone && (
          <>
            <h2>{text.fragmentsTitle}</h2>
            {props.tools}
            <span className="visually-hidden" aria-live="polite">
              {text.fragments(fragments.length)}
            </span>
          </>
        )
      }
      empty={props.empty}
      foot={!isPhone && <KeyHints mayCount={mayEdit} />}
      head={
        <>
          <span>{text.time}</span>
          <span>{text.duration}</span>
          {hasDoors && <span>{text.camera}</span>}
          {hasStops && <span>{text.stop}</span>}
          <span className={styles.counts}>
            {text.adults} <small>{text.inOut}</small>
          </span>
          {hasKids && (
            <span className={styles.counts}>
              {text.kids} <small>{text.inOut}</small>
            </span>
          )}
          <span className={styles.counts}>{text.total}</span>
          <span>{text.state}</span>
        </>
      }
      movesPage={props.movesPage}
      isUnasked={props.isUnasked}
      onSelect={props.onSelect}
      row={(fragment) => (
        <Row
          fragment={fragment}
          camera={cameras.get(fragment.cameraId)}
          zone={zone}
          typed={drafts.get(fragment.id)?.value}
          mayEdit={mayEdit}
          hasInputs={hasInputs}
          hasKids={hasKids}
          picture={picture}
          hasDoors={hasDoors}
          hasStops={hasStops}
        />
      )}
      over={
        hasInputs
          ? (fragment) => (
              <>
                <ManualInputs
                  fragment={fragment}
                  draft={drafts.get(fragment.id)}
                  onFocus={() => onEdit(fragment)}
                />
                <span className={styles.saved}>
                  <SaveMark fragmentId={fragment.id} draft={drafts.get(fragment.id)} />
                </span>
              </>
            )
          : undefined
      }
    />
  );
}

interface RowProps {
  fragment: Fragment;
  camera: Camera | undefined;
  zone: string;
  /** Counts on their way to the server. */
  typed: TypedCounts | undefined;
  mayEdit: boolean;
  /** Inputs over the row show the counts. */
  hasInputs: boolean;
  hasKids: boolean;
  /** A picture of the video: shown, or only its room kept. */
  picture: 'none' | 'kept' | 'shown';
  hasDoors: boolean;
  /** Whether the stop of any fragment is known. */
  hasStops: boolean;
}

// Memoized: formatting the times of all rows was most of the cost of a selection.
const Row = memo(function Row(props: RowProps) {
  const { fragment, camera, zone, typed = fragment, mayEdit, hasInputs } = props;
  const text = useDayText();
  const startMs = Date.parse(fragment.start_time);
  const seconds = (Date.parse(fragment.end_time) - startMs) / 1000;
  const entered = effectiveCount(fragment.entered, wholeOf(typed.entered_manual));
  const exited = effectiveCount(fragment.exited, wholeOf(typed.exited_manual));
  const isOffline = camera?.status === 'offline';
  const isPhone = props.picture !== 'none';
  // A row of a phone has little room, and says of children only where there are any.
  const hasKids = isPhone ? entered.kids + exited.kids > 0 : props.hasKids;
  const isReviewed = mayEdit && fragment.reviewed_at !== null;
  const isWhole = !isDeleted(fragment) && !fragment.video?.truncated;
  // One tag a row: a fragment that is ready and whole says what is to be done with it, or that it is done.
  const isReady = fragment.status === 'PROCESSED' && isWhole && !isOffline;
  const isToReview = mayEdit && isReady && passes(fragment, 'review');
  return (
    <>
      {isPhone && (
        <Picture video={fragment.video} seconds={seconds} isShown={props.picture === 'shown'} />
      )}
      <TimeCell ms={startMs} zone={zone} />
      <span className={styles.duration}>{clockText(seconds)}</span>
      <span className={styles.place}>
        {props.hasDoors && (
          <span className={styles.door} title={camera?.name}>
            {camera?.name}
          </span>
        )}
        {props.hasStops && (
          <span className={styles.stop} title={fragment.stop}>
            {fragment.stop ?? '—'}
          </span>
        )}
      </span>
      {!hasInputs && (
        <>
          <Pair className={styles.adults} entered={entered.adult} exited={exited.adult} />
          {hasKids && (
            <Pair
              className={styles.kids}
              label={isPhone ? text.kidsShort : undefined}
              entered={entered.kids}
              exited={exited.kids}
            />
          )}
        </>
      )}
      {!isPhone && (
        <Pair
          className={styles.total}
          entered={entered.adult + entered.kids}
          exited={exited.adult + exited.kids}
        />
      )}
      <span className={styles.state}>
        {isToReview && <AttentionMark people={fragment.max_objects_count} />}
        {!(isToReview || (isReady && isReviewed)) && (
          <StateTag fragment={fragment} isCameraOffline={isOffline} zone={zone} isQuiet />
        )}
        {isReviewed && (
          <ReviewedMark
            fragment={fragment}
            zone={zone}
            word={isReady ? text.reviewed : undefined}
          />
        )}
      </span>
    </>
  );
});

const PICTURE_PX = 56;
const NoVideoIcon = drawn('M3 7h12v10H3zM15 11l6-3v8l-6-3M5 21L19 3');

interface PictureProps {
  video: Fragment['video'];
  seconds: number;
  isShown: boolean;
}

/** A moment in the middle of a video; an icon until it is shown, and without a video. */
function Picture({ video, seconds, isShown }: PictureProps) {
  const sheet = video?.preview;
  if (!sheet || !isShown) {
    return <span className={styles.picture}>{video ? <ImageIcon /> : <NoVideoIcon />}</span>;
  }
  const { leftPx, topPx } = tileAt(sheet, (seconds * 1000) / 2);
  const scale = PICTURE_PX / sheet.tile_width;
  return (
    <span
      className={styles.picture}
      data-picture
      style={{
        backgroundImage: `url("${sheet.uri}")`,
        backgroundPosition: `-${leftPx * scale}px -${topPx * scale}px`,
        backgroundSize: `${sheet.columns * PICTURE_PX}px auto`,
      }}
    />
  );
}

/** Keeps the typed counts that are numbers, because a refused one must change no sum. */
function wholeOf(count: TypedCounts['entered_manual']): ManualCount {
  const whole = (typed: number | string | null) => (typeof typed === 'number' ? typed : null);
  return { adult: whole(count.adult), kids: whole(count.kids) };
}

interface PairProps {
  className: string | undefined;
  /** For a phone, which has no column headings. */
  label?: string | undefined;
  entered: number;
  exited: number;
}

function Pair({ className, label, entered, exited }: PairProps) {
  return (
    <span className={`${styles.counts} ${className ?? ''}`}>
      {label && <small>{label}</small>}
      <span data-side="entered" data-zero={entered === 0 || undefined}>
        +{entered}
      </span>
      <span data-side="exited" data-zero={exited === 0 || undefined}>
        −{exited}
      </span>
    </span>
  );
}
