import { findSecondFactor } from '@ridewatch/contract/second-factor';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './account.module.css';
import { momentText } from './moment-text.ts';
import { Part } from './part.tsx';
import { ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';
import { useAccountText } from './use-account-text.ts';

/** The step that the user takes now, if any. */
type Step =
  | { readonly name: 'none' | 'set-up' | 'renew' | 'remove' }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

/** Whether sign-in asks for a code, and what changes it. */
export function SecondFactorPart() {
  const { loading } = useText().common;
  const { factor: text } = useAccountText();
  const answer = useEndpoint(findSecondFactor, {});
  const locked = useLock();
  const [step, setStep] = useState<Step>({ name: 'none' });
  const end = () => setStep({ name: 'none' });
  const showCodes = (codes: readonly string[]) => {
    setStep({ name: 'codes', codes });
    void answer.refetch();
  };
  const { data } = answer;
  return (
    <Part title={text.title} note={text.note}>
      <FailedRead answer={answer} what={text.title} />
      {answer.isPending && <p>{loading}</p>}
      {data && (
        <p className={styles.state}>
          <StatusBadge status={data.since === null ? undefined : 'COMPLETE'}>
            {data.since === null ? text.off : text.on(momentText(data.since))}
          </StatusBadge>
          {data.since !== null && <span>{text.left(data.recovery_codes_left)}</span>}
          {data.required && <span>{text.required}</span>}
        </p>
      )}
      {step.name === 'none' && data?.since === null && (
        <div>
          <Button kind="primary" locked={locked} onClick={() => setStep({ name: 'set-up' })}>
            {text.begin}
          </Button>
        </div>
      )}
      {step.name === 'none' && data && data.since !== null && (
        <div className={styles.actions}>
          <Button locked={locked} onClick={() => setStep({ name: 'renew' })}>
            {text.renew}
          </Button>
          {!data.required && (
            <Button kind="danger" locked={locked} onClick={() => setStep({ name: 'remove' })}>
              {text.remove}
            </Button>
          )}
        </div>
      )}
      {step.name === 'set-up' && <SetUp onDone={showCodes} onCancel={end} />}
      {(step.name === 'renew' || step.name === 'remove') && (
        <ProofForm
          key={step.name}
          what={step.name}
          onCodes={showCodes}
          onRemoved={() => {
            end();
            void answer.refetch();
          }}
          onCancel={end}
        />
      )}
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onDone={end} />}
    </Part>
  );
}
