import type { BusInfo } from '@ridewatch/contract/buses';
import { useState } from 'react';
import { Popover } from '../forms/popover.tsx';
import { useAddress } from '../page/use-address.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import { showToast } from '../ui/toast-store.ts';
import styles from './day-header.module.css';
import type { BusTool } from './tools.ts';
import { usePageText } from './use-page-text.ts';

interface ToolButtonProps {
  tool: BusTool;
  info: BusInfo;
  zoneName: string;
  /** Why it cannot be used now. */
  refusal: string | undefined;
}

/** The button of a tool, with the dialog or panel that it opens. */
export function ToolButton({ tool, info, zoneName, refusal }: ToolButtonProps) {
  const { Icon } = tool;
  const text = usePageText();
  const title = tool.title(text);
  const [isOpen, setOpen] = useState(false);
  const { search, go } = useAddress();
  const isPhone = useIsPhone();
  const isNamed = tool.isNamed || tool.word !== undefined;
  const name = isPhone ? tool.word?.(text) : isNamed && title;
  const face = (
    <>
      <Icon /> {name && <span>{name}</span>}
    </>
  );
  if (refusal !== undefined) {
    // A phone shows no hint, so a press says it.
    return (
      <button
        type="button"
        className={styles.tool}
        aria-label={title}
        aria-disabled
        title={refusal}
        onClick={() => showToast({ kind: 'error', text: refusal })}
      >
        {face}
      </button>
    );
  }
  if (tool.opens === 'panel') {
    return (
      <Popover label={title} buttonClass={styles.tool} button={face}>
        {() => <tool.Content info={info} />}
      </Popover>
    );
  }
  const { addressKey } = tool;
  const addressed = addressKey && search[addressKey];
  const address = (value: string | undefined) => addressKey && go({ [addressKey]: value });
  const close = () => {
    setOpen(false);
    if (addressed) address(undefined);
  };
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={title}
        title={title}
        onClick={() => setOpen(true)}
      >
        {face}
      </button>
      {(isOpen || addressed) && (
        <tool.Content
          info={info}
          zoneName={zoneName}
          addressed={addressed}
          onAddress={address}
          onClose={close}
        />
      )}
    </>
  );
}

/** The outline of a panel until its code has loaded. */
export function PanelOutline() {
  return <span className={styles.waiting} />;
}
