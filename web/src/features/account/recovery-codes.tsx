import { useEffect, useRef, useState } from 'react';
import { saveFile } from '../../charts/save-chart.ts';
import { useLeaveQuestion } from '../../forms/use-leave-question.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/toast-store.ts';
import styles from './account.module.css';
import { useAccountText } from './use-account-text.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows recovery codes this once, to be copied or saved. Asks before somebody leaves them unsaved. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { factor: text } = useAccountText();
  const { copied } = useText().common;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const [isSaved, setSaved] = useState(false);
  const { dialog, release } = useLeaveQuestion(!isSaved, {
    title: text.unsavedTitle,
    text: text.unsavedText,
    stay: text.stay,
    leave: text.leaveCodes,
  });
  const lines = `${codes.join('\n')}\n`;
  const copy = async () => {
    if (!(await copyText(lines))) return;
    setSaved(true);
    showToast({ kind: 'done', text: copied });
  };
  const save = () => {
    saveFile(new Blob([lines], { type: 'text/plain' }), text.fileName);
    setSaved(true);
  };
  return (
    <div className={styles.step}>
      <h3 ref={title} tabIndex={-1}>
        {text.codesTitle}
      </h3>
      <p>{text.codesText}</p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{text.copyAll}</Button>
        <Button onClick={save}>{text.saveAll}</Button>
        <Button
          kind="primary"
          onClick={() => {
            release();
            onDone();
          }}
        >
          {text.written}
        </Button>
      </div>
      {dialog}
    </div>
  );
}
