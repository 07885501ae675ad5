import { CopyIcon, DoneIcon } from '../../ui/icons.tsx';
import styles from './bus-admin.module.css';
import type { BusShownProps } from './row-props.ts';

/** For administrators: the device id, which can be copied, and the button of the menu of routes. */
export function BusAdmin({ bus, text, own, isCopied, canMove }: BusShownProps) {
  const rid = bus.group_device_id;
  const copyLabel = isCopied ? text.common.copied : `${text.common.copy} ${rid}`;
  return (
    <>
      {rid && (
        <button
          type="button"
          className={styles.rid}
          data-rid={rid}
          aria-label={`rid ${rid}`}
          title={copyLabel}
        >
          <span>
            <i>rid </i>
            {rid}
          </span>
          {isCopied ? <DoneIcon /> : <CopyIcon />}
        </button>
      )}
      {canMove && (
        <button
          type="button"
          className={styles.menu}
          data-move={bus.id}
          aria-haspopup="dialog"
          aria-label={own.move(bus.name)}
          title={own.move(bus.name)}
        />
      )}
    </>
  );
}
