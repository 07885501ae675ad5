import type { AttentionSettings } from '@ridewatch/contract/attention';
import { useEffect, useState } from 'react';
import { type AlertsForm, formOf } from './form-values.ts';

/** The form of stored settings. What the user typed stays when others change them; all else follows. */
export function useAlertsForm(stored: AttentionSettings) {
  const [state, setState] = useState(() => ({ base: formOf(stored), form: formOf(stored) }));
  useEffect(() => setState((before) => follow(before, stored)), [stored]);
  return {
    ...state,
    put: (change: Partial<AlertsForm>) =>
      setState((before) => ({ ...before, form: { ...before.form, ...change } })),
    /** Takes over what the server stored. @param sent the form as it was sent; what was typed since stays */
    take: (answer: AttentionSettings, sent: AlertsForm) =>
      setState((before) => follow({ ...before, base: sent }, answer)),
  };
}

interface State {
  /** The stored settings that the form began with. */
  readonly base: AlertsForm;
  readonly form: AlertsForm;
}

function follow({ base, form }: State, stored: AttentionSettings): State {
  const next = formOf(stored);
  const isTyped = (key: keyof AlertsForm): boolean =>
    JSON.stringify(form[key]) !== JSON.stringify(base[key]);
  const typed = Object.entries(form).filter(([key]) => isTyped(key as keyof AlertsForm));
  return { base: next, form: { ...next, ...Object.fromEntries(typed) } };
}
