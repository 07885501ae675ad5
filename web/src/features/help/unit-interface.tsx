import { blocks } from '../../../../docs/unit-interface.md';
import { Blocks } from './blocks.tsx';
import styles from './help-screen.module.css';
import { useHelpText } from './use-help-text.ts';

/** The unit interface, for authors of firmware; in other languages with a note that it is in English. */
export function UnitInterface() {
  const { unitsNote } = useHelpText();
  return (
    <>
      {unitsNote && <p className={styles.note}>{unitsNote}</p>}
      <div lang="en">
        <Blocks blocks={blocks} />
      </div>
    </>
  );
}
