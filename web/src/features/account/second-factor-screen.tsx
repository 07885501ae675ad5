import { me } from '@ridewatch/contract/auth';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { changeCached, useEndpoint } from '../../calls/api.ts';
import { signOut } from '../../calls/sign-out.ts';
import { destinationOr } from '../../core/after-sign-in.ts';
import { currentSession, updateUser, useSession } from '../../core/session.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { GuestFoot } from '../../ui/guest-foot.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useTitle } from '../../ui/use-title.ts';
import styles from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';
import { useAccountText } from './use-account-text.ts';

/** The one page of a user whose role needs a second factor: it sets it up, and leads to where the user wanted to go. */
export function SecondFactorScreen() {
  const { factor: text } = useAccountText();
  const { loading } = useText().common;
  const navigate = useNavigate();
  const company = useSession()?.user.company.name;
  const answer = useEndpoint(me, {}, { staleTime: 0 });
  const [codes, setCodes] = useState<readonly string[]>();
  useTitle(text.requiredTitle);
  const { data } = answer;
  // Another tab has set it up, or the rule is gone. An answer from before this page may be older than the rule.
  const isNew = answer.isSuccess && answer.isFetchedAfterMount;
  const isOver = codes === undefined && isNew && !answer.data.must_set_up_second_factor;
  useEffect(() => {
    if (isOver) goOn(navigate);
  }, [isOver, navigate]);
  return (
    <main className={`${styles.page} ${styles.alone}`}>
      <Logo name={company} />
      <section className={styles.part}>
        <h1>{text.requiredTitle}</h1>
        <p className={styles.note}>{text.requiredNote}</p>
        <FailedRead answer={answer} what={text.requiredTitle} />
        {answer.isPending && <p>{loading}</p>}
        {data && !codes && <SetUp onDone={setCodes} cancelText={text.leave} onCancel={signOut} />}
        {codes && <RecoveryCodes codes={codes} onDone={() => goOn(navigate)} />}
      </section>
      <GuestFoot page="second-factor" />
    </main>
  );
}

function goOn(navigate: ReturnType<typeof useNavigate>): void {
  const set = { must_set_up_second_factor: false };
  const user = currentSession()?.user;
  if (user) updateUser({ ...user, ...set });
  // The screens begin with the user that was read last, who would be led back here.
  changeCached(me, {}, (before) => ({ ...before, ...set }));
  void navigate({ ...destinationOr('/'), replace: true });
}
