import {
  type Fragment,
  findFragment,
  listDayFragments,
  listPeriods,
} from '@ridewatch/contract/fragments';
import { keepFragment } from '@ridewatch/contract/retention';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { IconButton } from '../ui/button.tsx';
import { drawn } from '../ui/icons.tsx';
import styles from './keep-button.module.css';

/** Apart from the other texts: it is loaded with the first video. */
const useKeepText = textsOf({
  ru_RU: { on: 'Хранить видео без срока', off: 'Больше не хранить без срока' },
  en_US: { on: 'Keep the video whatever its age', off: 'Keep no longer than usual' },
});

const PinIcon = drawn('M9 4h6l-1 6 4 4H6l4-4zM12 14v6');

/** Has the video of a fragment kept, whatever its age; pressed while it is. */
export function KeepButton({ fragment }: { fragment: Fragment }) {
  const text = useKeepText();
  const queries = useQueryClient();
  const keep = useAction(keepFragment, {
    onSettled: () =>
      Promise.all(
        [listDayFragments, listPeriods, findFragment].map(({ path }) =>
          queries.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  });
  // Pressed at once; the answer, or the day as it is, says how it stands.
  const isKept = keep.isPending ? keep.variables.body.keep : fragment.kept;
  return (
    <IconButton
      label={isKept ? text.off : text.on}
      aria-pressed={isKept}
      className={styles.keep}
      disabled={keep.isPending}
      onClick={() =>
        keep.mutate({ params: { segmentId: fragment.id }, body: { keep: !fragment.kept } })
      }
    >
      <PinIcon />
    </IconButton>
  );
}
