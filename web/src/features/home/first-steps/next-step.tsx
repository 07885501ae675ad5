import { findFirstSteps } from '@ridewatch/contract/first-steps';
import { useEndpoint } from '../../../calls/api.ts';
import styles from './first-steps.module.css';
import { StepAction } from './step-action.tsx';
import { explain, openSteps } from './steps.ts';
import { useFirstStepsText } from './use-first-steps-text.ts';

/**
 * Leads on to the next step of a new installation, from the row that somebody has just created; nothing once all are
 * done. A unit counts without a camera, too: beside that step the one after it is offered.
 */
export function NextStep() {
  const text = useFirstStepsText();
  const { data, isFetchedAfterMount } = useEndpoint(findFirstSteps, {});
  // An answer of before does not know the row that was created.
  if (data === undefined || !isFetchedAfterMount) return null;
  const open = openSteps(data);
  const offered = open.slice(0, open[0] === 'camera' ? 2 : 1);
  if (offered.length === 0) return null;
  return (
    <section className={styles.next} aria-label={text.next}>
      {offered.map((step, at) => (
        <div key={step}>
          <p>
            <b>
              {at === 0 ? text.next : text.or}: {text.steps[step].title}
            </b>
            <br />
            {explain(step, text, data)}
          </p>
          <StepAction {...{ step, stored: data }} isNext={at === 0} />
        </div>
      ))}
    </section>
  );
}
