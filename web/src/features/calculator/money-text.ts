// From text to text, so that no amount becomes a float, and the count tab needs no computation of money.

/** Formats an amount of the API without the currency, in Russian form in all languages: `−1 234,50`. */
export function amountText(roubles: string): string {
  return roubles
    .replace('-', '−')
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '\u00a0');
}

/** Formats an amount of the API: `1 234,50 ₽`. */
export function moneyText(roubles: string): string {
  return `${amountText(roubles)}\u00a0₽`;
}

/** A percentage as people write it: `18`, `18,5`. */
export function percentText(percent: string): string {
  return percent
    .replace(/\.00$/, '')
    .replace(/(\.\d)0$/, '$1')
    .replace('.', ',');
}
