import {
  type AttentionSettings,
  findAttentionSettings,
  setAttentionSettings,
} from '@ridewatch/contract/attention';
import { type SubmitEvent, useId, useState } from 'react';
import { cacheAnswer, queryClient, useAction } from '../../calls/api.ts';
import type { ApiError } from '../../core/api-error.ts';
import { useMayEdit } from '../../core/session.ts';
import { TextField } from '../../forms/text-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './alerts.module.css';
import { ChannelPart } from './channel-part.tsx';
import { changesOf, type AlertsForm as Form, kindsOf, problemsOf } from './form-values.ts';
import { useAlertsForm } from './use-alerts-form.ts';
import { useAlertsText } from './use-alerts-text.ts';

/** Whether somebody else has stored other settings meanwhile. */
const isOfOther = ({ status }: ApiError): boolean => status === 409;

/** The form of the settings; nothing is stored before the button. */
export function AlertsForm({ stored }: { stored: AttentionSettings }) {
  const text = useAlertsText();
  const { problems: messages } = useFormText();
  const canEdit = useMayEdit();
  const locked = useLock();
  const mailId = useId();
  const { form, base, put, take } = useAlertsForm(stored);
  const [isTried, setTried] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const { client_id: clientId } = stored;
  const query = clientId === null ? {} : { clientId };
  const readAgain = () => queryClient.invalidateQueries({ queryKey: [findAttentionSettings.path] });
  const save = useAction(setAttentionSettings, {
    onError: async (error) => {
      if (!isOfOther(error)) return;
      await readAgain();
      setConflict(true);
    },
  });
  const found = problemsOf(form, text, messages);
  const shown = isTried ? found : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(found).every((problem) => problem === undefined)) {
      setConflict(false);
      save.mutate(
        { query, body: changesOf(form, base), isQuiet: isOfOther },
        {
          onSuccess: ({ webhook_secret: _, ...answer }) => {
            setTried(false);
            take(answer, form);
            cacheAnswer(findAttentionSettings, { query }, answer);
            showToast({ kind: 'done', text: text.saved });
          },
        },
      );
    }
  };
  const field = (
    key: TextKey,
    label: string,
    more: Partial<Parameters<typeof TextField>[0]> = {},
  ) => (
    <TextField
      label={label}
      problem={shown[key]}
      value={form[key]}
      onChange={(event) => put({ [key]: event.target.value })}
      {...more}
    />
  );
  const channel = { query, canTest: canEdit };
  return (
    <form noValidate onSubmit={submit}>
      {!canEdit && <p className={styles.note}>{locked ?? text.readOnly}</p>}
      {isConflict && (
        <p role="alert" className={styles.conflict}>
          {text.conflict}
        </p>
      )}
      <fieldset className={styles.fields} disabled={!canEdit}>
        <Part title={text.limits}>
          <div className={styles.row}>
            {field('silentMinutes', text.silentMinutes, { inputMode: 'numeric' })}
            {field('cameraMinutes', text.cameraMinutes, { inputMode: 'numeric' })}
            {field('imbalancePercent', text.imbalancePercent, { inputMode: 'numeric' })}
          </div>
        </Part>
        <Part title={text.sent} hint={text.sentHint}>
          <div className={styles.kinds}>
            {kindsOf(clientId).map((kind) => (
              <Check
                key={kind}
                label={text.kinds[kind]}
                isOn={form.kinds.includes(kind)}
                onChange={(isOn) => {
                  const others = form.kinds.filter((one) => one !== kind);
                  put({ kinds: isOn ? [...others, kind] : others });
                }}
              />
            ))}
          </div>
        </Part>
        <Part title={text.quiet} hint={text.quietHint}>
          <Check
            label={text.hasQuiet}
            isOn={form.hasQuiet}
            onChange={(hasQuiet) => put({ hasQuiet })}
          />
          <div className={styles.row}>
            {field('quietFrom', text.quietFrom, { disabled: !form.hasQuiet })}
            {field('quietTo', text.quietTo, { disabled: !form.hasQuiet })}
            {field('timezone', text.timezone, { autoComplete: 'off' })}
          </div>
        </Part>
        <Part title={text.webhook}>
          {field('webhookUrl', text.webhookUrl, {
            ...{ type: 'url', placeholder: 'https://', autoComplete: 'off' },
            hint: stored.has_webhook && !canEdit ? text.webhookHidden : text.webhookHint,
          })}
          {stored.webhook_url !== null && (
            <Check
              label={text.newSecret}
              isOn={form.newSecret}
              onChange={(newSecret) => put({ newSecret })}
            />
          )}
          {form.newSecret && <p className={styles.note}>{text.newSecretHint}</p>}
          {save.data?.webhook_secret && <Secret secret={save.data.webhook_secret} />}
          {stored.has_webhook && (
            <ChannelPart {...channel} channel="webhook" state={stored.webhook} />
          )}
        </Part>
        <Part title={text.mail}>
          {!stored.mail_available && <p className={styles.note}>{text.noMail}</p>}
          <div className={styles.area}>
            <label htmlFor={mailId}>{text.mailTo}</label>
            <textarea
              id={mailId}
              rows={3}
              value={form.mailTo}
              aria-invalid={shown.mailTo !== undefined || undefined}
              aria-describedby={shown.mailTo && `${mailId}-note`}
              onChange={(event) => put({ mailTo: event.target.value })}
            />
            {shown.mailTo && (
              <small id={`${mailId}-note`} role="alert">
                {shown.mailTo}
              </small>
            )}
          </div>
          <Choice
            label={text.language}
            value={form.language}
            options={[
              { value: 'ru_RU', label: 'Русский' },
              { value: 'en_US', label: 'English' },
            ]}
            onChange={(language) => put({ language })}
          />
          {stored.mail_available && stored.mail_to.length > 0 && (
            <ChannelPart {...channel} channel="mail" state={stored.mail} />
          )}
        </Part>
        <div className={styles.save}>
          <Button kind="primary" type="submit" isBusy={save.isPending}>
            {text.save}
          </Button>
        </div>
      </fieldset>
    </form>
  );
}

type TextKey = Exclude<
  { [Key in keyof Form]: Form[Key] extends string ? Key : never }[keyof Form],
  'language'
>;

interface PartProps {
  title: string;
  hint?: string;
  children: React.ReactNode;
}

function Part({ title, hint, children }: PartProps) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {hint && <p className={styles.note}>{hint}</p>}
      {children}
    </section>
  );
}

interface CheckProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

function Secret({ secret }: { secret: string }) {
  const text = useAlertsText();
  return (
    <div role="status" className={styles.secret}>
      <strong>{text.secretTitle}</strong>
      <p>{text.secretText}</p>
      <span>
        <code>{secret}</code>
        <CopyButton value={secret} />
      </span>
    </div>
  );
}
