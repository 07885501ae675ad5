import { findFirstSteps, type FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { protocolNames, UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import { FailedRead } from '../../../page/failed-read.tsx';
import { usePortFaults } from '../../../page/port-faults.ts';
import { protocolPages } from '../../../page/protocol-pages.ts';
import { DoneIcon } from '../../../ui/icons.tsx';
import styles from './first-steps.module.css';
import { StepAction } from './step-action.tsx';
import { explain, openSteps, protocolsOf, type Step, steps } from './steps.ts';
import { useFirstStepsText } from './use-first-steps-text.ts';

/** The list is asked again after this while it is visible and not done, ms. */
const REFRESH_MS = 5_000;

interface FirstStepsProps {
  /** Stands below the steps, and is shown once they are known or done. */
  children?: ReactNode;
}

/**
 * The way of a new installation from the first customer to the first count, as what is stored says; nothing once it is
 * done. For administrators.
 */
export function FirstSteps({ children }: FirstStepsProps) {
  const text = useFirstStepsText();
  const faults = usePortFaults();
  const answer = useEndpoint(
    findFirstSteps,
    {},
    {
      refetchInterval: ({ state }) => (hasAll(state.data) ? false : REFRESH_MS),
      refetchOnWindowFocus: true,
    },
  );
  const { data } = answer;
  // An installation that works must not see the list for a moment.
  if (hasAll(data)) return children;
  if (data === undefined && !answer.isError) return null;
  const open = data === undefined ? steps : openSteps(data);
  return (
    <>
      <section className={styles.steps} aria-labelledby="first-steps">
        <header>
          <h2 id="first-steps">{text.title}</h2>
          {data && <p>{text.text(steps.length - open.length, steps.length)}</p>}
          <Link to="/help/{-$page}" params={{ page: 'connect' }}>
            {text.guide}
          </Link>
        </header>
        <FailedRead answer={answer} what={text.failed} />
        {data?.closed_ports.map(({ listener, port, reason }) => (
          <p key={`${listener} ${port}`} className={styles.warning} role="alert">
            {text.closedPort(nameOf(listener), port, faults[reason])}
          </p>
        ))}
        <p className={styles.protocols}>
          {text.protocols}
          {protocolsOf(data).map((protocol) => (
            <Link key={protocol} to="/help/{-$page}" params={{ page: protocolPages[protocol] }}>
              {protocolNames[protocol]}
            </Link>
          ))}
        </p>
        {data && (
          <ol>
            {steps.map((step, index) => (
              <StepItem
                key={step}
                {...{ step, number: index + 1 }}
                isDone={!open.includes(step)}
                isNext={step === open[0]}
                steps={data}
              />
            ))}
          </ol>
        )}
      </section>
      {children}
    </>
  );
}

function nameOf(listener: string): string {
  const { data } = UnitProtocol.safeParse(listener);
  return data === undefined ? listener : protocolNames[data];
}

function hasAll(data: Steps | undefined): boolean {
  return data !== undefined && openSteps(data).length === 0;
}

interface StepItemProps {
  step: Step;
  number: number;
  isDone: boolean;
  isNext: boolean;
  steps: Steps;
}

function StepItem({ step, number, isDone: isStepDone, isNext, steps: stored }: StepItemProps) {
  const text = useFirstStepsText();
  return (
    <li data-done={isStepDone || undefined} data-next={isNext || undefined}>
      <i aria-hidden="true">{isStepDone ? <DoneIcon /> : number}</i>
      <div>
        <h3>
          {text.steps[step].title}
          {isStepDone && <small> · {text.done}</small>}
        </h3>
        <p>{explain(step, text, stored)}</p>
      </div>
      {!isStepDone && <StepAction {...{ step, isNext, stored }} />}
    </li>
  );
}
