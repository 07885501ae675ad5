import styles from './legend.module.css';

/** The colour of a series; hollow while the series is off. */
export function Swatch({ colour, isOff }: { colour: string; isOff: boolean }) {
  return (
    <i
      className={styles.swatch}
      data-off={isOff || undefined}
      style={isOff ? undefined : { borderColor: colour, background: colour }}
    />
  );
}
