/** Kopecks of an amount as the server says it, `1234.50` or `-0.05`; digit by digit, exact. */
export function kopecksOf(roubles: string): number {
  const [whole = '0', part = ''] = roubles.replace('-', '').split('.');
  const kopecks = Number(whole) * 100 + Number(part.padEnd(2, '0').slice(0, 2));
  return roubles.startsWith('-') && kopecks !== 0 ? -kopecks : kopecks;
}

/** Kopecks as people read money, in Russian form: `1 234,50 ₽`. */
export function showKopecks(kopecks: number): string {
  const whole = String(Math.floor(Math.abs(kopecks) / 100)).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  const part = String(Math.abs(kopecks) % 100).padStart(2, '0');
  return `${kopecks < 0 ? '−' : ''}${whole},${part}\u00a0₽`;
}

/** A difference with its sign: `+120,00 ₽`, `0,00 ₽`. */
export function showDifference(kopecks: number): string {
  return kopecks > 0 ? `+${showKopecks(kopecks)}` : showKopecks(kopecks);
}
