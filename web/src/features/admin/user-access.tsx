import { type AdminUser, VIEW_MINUTES, viewAsUser } from '@ridewatch/contract/admin-users';
import { type Me, publicSettings, type Tokens } from '@ridewatch/contract/auth';
import { unlinkOpenid } from '@ridewatch/contract/openid';
import { makePasswordLink } from '@ridewatch/contract/password-links';
import { removeSecondFactorOfUser } from '@ridewatch/contract/second-factor';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { reportFailure } from '../../calls/failures.ts';
import { endSession, findOwner } from '../../calls/request.ts';
import { useSingle } from '../../calls/use-single.ts';
import type { ApiError } from '../../core/api-error.ts';
import { currentSession, startView } from '../../core/session.ts';
import { fieldProblem } from '../../forms/field-problem.ts';
import { SecretNote } from '../../forms/secret-note.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { DrawerPart } from './drawer-part.tsx';
import styles from './edit-form.module.css';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { Sure } from './sure.tsx';
import { useAdminText } from './use-admin-text.ts';
import { readAgain } from './use-rows.ts';
import { useStillHere } from './use-still-here.ts';

/** The user, or its customer, may not sign in. */
const isClosed = ({ error }: ApiError): boolean => error === 'conflict';

const MAIL = /^\S+@\S+\.\S+$/;

interface UserAccessProps {
  row: AdminUser;
  /** The user who administers the other one. */
  user: Me;
}

/** How a user gets in again, with a new password or without a lost second factor; and what the user sees. */
export function UserAccess({ row, user }: UserAccessProps) {
  const { access: text } = useAdminText();
  const form = useFormText();
  const [mailTo, setMailTo] = useState(MAIL.test(row.login) ? row.login : '');
  const { data: settings } = useEndpoint(publicSettings, {});
  const isMailed = settings?.mail_available === true;
  const params = { userId: row.id };
  const locked = useLock();
  const make = useSingle(useRowAction(makePasswordLink));
  const remove = useRowAction(removeSecondFactorOfUser, { onSuccess: () => readAgain() });
  const problem = fieldProblem(mailTo, { mostLength: 255 }, form.problems);
  const isRefused = make.error?.field === 'mail_to';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (problem === undefined)
      make.mutate({
        params,
        body: { mail_to: (isMailed && mailTo.trim()) || null },
        isQuiet: isClosed,
      });
  };
  const link = make.data && `${location.origin}${make.data.path}`;
  return (
    <>
      {user.role === 'ADMIN' && row.role !== 'ADMIN' && <UserView {...{ row, user }} />}
      <DrawerPart title={text.title}>
        <p>{text.note}</p>
        {make.data && link && (
          <SecretNote
            title={text.shown}
            text={text.once}
            secret={link}
            note={`${text.until(momentText(make.data.expires_at))} ${text.mails[make.data.mail]}`}
          />
        )}
        <form className={styles.form} onSubmit={submit} noValidate>
          {settings && !isMailed && <p>{text.mails.unavailable}</p>}
          {isMailed && (
            <TextField
              label={text.mail}
              type="email"
              autoComplete="off"
              maxLength={255}
              value={mailTo}
              onChange={(event) => setMailTo(event.target.value)}
              hint={text.mailHint}
              problem={problem ?? (isRefused ? form.problems.mail : undefined)}
            />
          )}
          {make.error && isClosed(make.error) && <p role="alert">{text.closed}</p>}
          <div>
            <Button type="submit" isBusy={make.isPending} locked={locked}>
              {text.make}
            </Button>
          </div>
        </form>
      </DrawerPart>
      {row.openid && <UserOpenid row={row} />}
      {row.second_factor && (
        <DrawerPart title={text.factor}>
          <div>
            <Sure
              label={text.remove}
              text={text.removeText}
              isBusy={remove.isPending}
              onSure={() => remove.mutate({ params })}
            />
          </div>
        </DrawerPart>
      )}
    </>
  );
}

/** Forgets who the user is for the provider of OpenID Connect. */
function UserOpenid({ row }: { row: AdminUser }) {
  const { access: text } = useAdminText();
  const unlink = useRowAction(unlinkOpenid, { onSuccess: () => readAgain() });
  return (
    <DrawerPart title={text.openid}>
      <div>
        <Sure
          label={text.unlink}
          text={text.unlinkText}
          isBusy={unlink.isPending}
          onSure={() => unlink.mutate({ params: { userId: row.id } })}
        />
      </div>
    </DrawerPart>
  );
}

/** Opens the product as the user sees it. */
function UserView({ row, user }: UserAccessProps) {
  const { access: text } = useAdminText();
  const navigate = useNavigate();
  const isHere = useStillHere();
  const begin = async (tokens: Tokens): Promise<boolean> => {
    const viewed = await findOwner(tokens.access_token);
    if (!isHere()) return false;
    // First, because the user may not see this screen.
    await navigate({ to: '/' });
    // The administrator may have signed out while the screen loaded.
    if (currentSession()?.user.id !== user.id) return false;
    startView(tokens, viewed);
    return true;
  };
  const view = useRowAction(viewAsUser, {
    onSuccess: async (tokens) => {
      let hasBegun = false;
      try {
        hasBegun = await begin(tokens);
      } catch (error) {
        reportFailure(error, 'a view', false);
        throw error;
      } finally {
        // Nobody uses the session of a view that does not begin.
        if (!hasBegun)
          await endSession({ access: tokens.access_token, refresh: tokens.refresh_token });
      }
    },
  });
  return (
    <DrawerPart title={text.view}>
      <p>{text.viewText(VIEW_MINUTES)}</p>
      {view.error && isClosed(view.error) && <p role="alert">{text.viewClosed}</p>}
      <div>
        <Button
          isBusy={view.isPending}
          onClick={() => view.mutate({ params: { userId: row.id }, isQuiet: isClosed })}
        >
          {text.viewBegin}
        </Button>
      </div>
    </DrawerPart>
  );
}
