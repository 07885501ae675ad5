import { findFirstSteps, type FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../../../calls/api.ts';
import { textsOf } from '../../../i18n/texts-of.ts';
import { FailedRead } from '../../../page/failed-read.tsx';
import { DoneIcon } from '../../../ui/icons.tsx';
import styles from './first-steps.module.css';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

const useFirstStepsText = textsOf({ ru_RU: ru, en_US: en });

/** The list is asked again after this while it is visible and not done, ms. */
const REFRESH_MS = 5_000;

const isDone = {
  customer: ({ customer }: Steps) => customer !== null,
  bus: ({ bus }: Steps) => bus !== null,
  unit: ({ unit }: Steps) => unit !== null,
  camera: ({ camera }: Steps) => camera !== null,
  position: ({ has_position }: Steps) => has_position,
  count: ({ has_count }: Steps) => has_count,
} as const;
const steps = ['customer', 'bus', 'unit', 'camera', 'position', 'count'] as const;
type Step = (typeof steps)[number];

const sections = { customer: 'customers', bus: 'buses', unit: 'units', camera: 'cameras' } as const;

/**
 * The way of a new installation from the first customer to the first count, as what is stored says; nothing once it is
 * done. For administrators.
 */
export function FirstSteps() {
  const text = useFirstStepsText();
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
  if (hasAll(data) || (data === undefined && !answer.isError)) return null;
  const done = steps.filter((step) => data && isDone[step](data));
  const next = steps.find((step) => !done.includes(step));
  return (
    <section className={styles.steps} aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{text.title}</h2>
        {data && <p>{text.text(done.length, steps.length)}</p>}
        <Link to="/help/{-$page}" params={{ page: 'connect' }}>
          {text.guide}
        </Link>
      </header>
      <FailedRead answer={answer} what={text.failed} />
      {data && (
        <ol>
          {steps.map((step, index) => (
            <StepItem
              key={step}
              {...{ step, number: index + 1 }}
              isDone={done.includes(step)}
              isNext={step === next}
              steps={data}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

function hasAll(data: Steps | undefined): boolean {
  return data !== undefined && steps.every((step) => isDone[step](data));
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
  const { title, text: explained } = text.steps[step];
  return (
    <li data-done={isStepDone || undefined} data-next={isNext || undefined}>
      <i aria-hidden="true">{isStepDone ? <DoneIcon /> : number}</i>
      <div>
        <h3>
          {title}
          {isStepDone && <small> · {text.done}</small>}
        </h3>
        <p>{explained}</p>
      </div>
      {!isStepDone && <StepAction {...{ step, isNext, stored }} />}
    </li>
  );
}

interface StepActionProps extends Pick<StepItemProps, 'step' | 'isNext'> {
  stored: Steps;
}

function StepAction({
  step,
  isNext,
  stored: { bus, unit, unfinished_unit: begun },
}: StepActionProps) {
  const text = useFirstStepsText();
  const lookOf = (action: string, about: string) => ({
    className: styles.action,
    'data-next': isNext || undefined,
    'aria-label': `${action}: ${about}`,
    children: action,
  });
  const { title, action } = text.steps[step];
  if (step === 'position' || step === 'count') {
    return (
      <Link
        to="/connect"
        search={unit === null ? {} : { unit: `${unit.id}` }}
        {...lookOf(action, title)}
      />
    );
  }
  if (step === 'unit' && begun !== null && bus !== null) {
    const look = lookOf(text.finish[begun.lacks], begun.name);
    return begun.lacks === 'credential' ? (
      <Link to="/connect" search={{ unit: `${begun.id}` }} {...look} />
    ) : (
      <Link
        to="/admin/{-$section}/{-$id}"
        params={{ section: 'units', id: `${begun.id}` }}
        search={{ edit: `${begun.id}` }}
        {...look}
      />
    );
  }
  return (
    <Link
      to="/admin/{-$section}/{-$id}"
      params={{ section: sections[step], id: 'new' }}
      search={{}}
      {...lookOf(action, title)}
    />
  );
}
