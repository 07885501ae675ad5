import { expect, it } from 'vitest';
import { zoneName } from './zone-name.ts';

it("the bus's zone is named with its offset", () => {
  const moment = Date.UTC(2026, 10, 20);
  expect(zoneName('Europe/Moscow', moment, 'ru-RU')).toBe('Москва, UTC+3');
  expect(zoneName('Asia/Yekaterinburg', moment, 'en-GB')).toBe('Yekaterinburg, UTC+5');
});
