import type { Fragment } from '@ridewatch/contract/fragments';
import { useText } from '../i18n/language.ts';
import { useIsPhone, useIsWide } from '../ui/breakpoints.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { BackIcon, CloseIcon, DownloadIcon, ForwardIcon } from '../ui/icons.tsx';
import styles from './fragment-panel.module.css';
import { useFragmentText } from './use-fragment-text.ts';

interface PanelActionsProps {
  fragment: Fragment;
  /** The current view if there are a video and a map; undefined if there is no choice. */
  view: 'video' | 'map' | undefined;
  onView: (view: 'video' | 'map') => void;
  autoplay: boolean;
  onAutoplay: (on: boolean) => void;
  onStep: (step: 1 | -1) => void;
  onClose?: (() => void) | undefined;
}

/** Actions on the selected fragment: next, previous, video or map, downloads. */
export function PanelActions(props: PanelActionsProps) {
  const { fragment, view, onView, onStep } = props;
  const text = useFragmentText();
  const common = useText().common;
  const isPhone = useIsPhone();
  // The whole word has no room beside the map and both files.
  const autoplay = useIsWide() ? text.autoplay : text.autoplayShort;
  return (
    <div className={styles.actions}>
      <IconButton label={text.previousFragment} onClick={() => onStep(-1)}>
        <BackIcon />
      </IconButton>
      <IconButton label={text.nextFragment} onClick={() => onStep(1)}>
        <ForwardIcon />
      </IconButton>
      <label className={styles.autoplay} title={text.autoplay}>
        <input
          type="checkbox"
          aria-label={text.autoplay}
          checked={props.autoplay}
          onChange={(event) => props.onAutoplay(event.target.checked)}
        />
        {autoplay}
      </label>
      {view && (
        <Button kind="quiet" onClick={() => onView(view === 'map' ? 'video' : 'map')}>
          {view === 'map' ? text.showVideo : text.showMap}
        </Button>
      )}
      <span className={styles.downloads}>
        <Download
          href={fragment.download_playable}
          name={text.downloadPlayable}
          short={text.playableShort}
        />
        <Download href={fragment.download} name={text.download} short={text.sourceShort} />
      </span>
      {isPhone && props.onClose && (
        <IconButton label={common.close} className={styles.close} onClick={props.onClose}>
          <CloseIcon />
        </IconButton>
      )}
    </div>
  );
}

function Download({ href, name, short }: { href: string | null; name: string; short: string }) {
  if (href === null) return null;
  return (
    <a className={styles.download} href={href} download title={name}>
      <DownloadIcon />
      <small>{short}</small>
    </a>
  );
}
