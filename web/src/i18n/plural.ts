const russian = new Intl.PluralRules('ru');
const english = new Intl.PluralRules('en');

/** Selects the Russian form for a number: 1 автобус, 2 автобуса, 5 автобусов. */
export function ruForm(count: number, one: string, few: string, many: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few, many };
  return forms[russian.select(count)] ?? few;
}

/** Selects the English form for a number: 1 bus, 2 buses. */
export function enForm(count: number, one: string, other: string): string {
  return english.select(count) === 'one' ? one : other;
}
