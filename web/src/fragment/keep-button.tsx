import {
  type Fragment,
  findFragment,
  listDayFragments,
  listPeriods,
} from '@ridewatch/contract/fragments';
import { keepFragment } from '@ridewatch/contract/retention';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../calls/api.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { IconButton } from '../ui/button.tsx';
import { drawn } from '../ui/icons.tsx';
import { useLock } from '../ui/use-lock.ts';
import styles from './keep-button.module.css';

/** These texts are separate, because they load with the first video. */
const useKeepText = textsOf({
  ru_RU: { on: 'Хранить видео без срока', off: 'Больше не хранить без срока' },
  en_US: { on: 'Keep the video whatever its age', off: 'Keep no longer than usual' },
});

const PinIcon = drawn('M9 4h6l-1 6 4 4H6l4-4zM12 14v6');

/** Marks a fragment's video as kept, so that retention spares it; pressed if it is. */
export function KeepButton({ fragment }: { fragment: Fragment }) {
  const text = useKeepText();
  const queries = useQueryClient();
  const locked = useLock();
  const keep = useAction(keepFragment, {
    onSettled: () =>
      Promise.all(
        [listDayFragments, listPeriods, findFragment].map(({ path }) =>
          queries.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  });
  // While the call runs, show the requested state.
  const isKept = keep.isPending ? keep.variables.body.keep : fragment.kept;
  return (
    <IconButton
      label={isKept ? text.off : text.on}
      aria-pressed={isKept}
      className={styles.keep}
      locked={locked}
      disabled={keep.isPending}
      onClick={() =>
        keep.mutate({ params: { segmentId: fragment.id }, body: { keep: !fragment.kept } })
      }
    >
      <PinIcon />
    </IconButton>
  );
}
