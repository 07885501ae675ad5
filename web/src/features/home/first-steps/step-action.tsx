import type { FirstSteps as Steps } from '@ridewatch/contract/first-steps';
import { Link } from '@tanstack/react-router';
import styles from './first-steps.module.css';
import type { Step } from './steps.ts';
import { useFirstStepsText } from './use-first-steps-text.ts';

const sections = { customer: 'customers', bus: 'buses', unit: 'units', camera: 'cameras' } as const;

interface StepActionProps {
  step: Step;
  /** It is the step to take now. */
  isNext: boolean;
  stored: Steps;
}

/** Leads to where a step is taken. */
export function StepAction({
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
