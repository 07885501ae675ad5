import type { BusInfo } from '@ridewatch/contract/buses';
import { later } from '../later.tsx';
import { drawn } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import styles from './day-header.module.css';
import { usePageText } from './use-page-text.ts';

const RecalculateIcon = drawn('M20 12a8 8 0 1 1-2.3-5.7M20 3v4h-4');
/** Loaded when an administrator opens it. */
const RecalculateForm = later(
  async () => (await import('../recalculation/recalculate-form.tsx')).RecalculateForm,
  () => <span className={styles.waiting} />,
);

/** Opens what counts the bus's video anew; administrators only. */
export function RecalculateButton({ info }: { info: BusInfo }) {
  const text = usePageText();
  return (
    <Popover
      label={text.recalculate}
      buttonClass={styles.tool}
      button={
        <>
          <RecalculateIcon /> <span>{text.recalculate}</span>
        </>
      }
    >
      {() => <RecalculateForm info={info} />}
    </Popover>
  );
}
