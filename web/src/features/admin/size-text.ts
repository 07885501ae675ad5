import { formatNumber } from '../../i18n/format.ts';
import type { AdminTexts } from './texts-ru.ts';

const GIB = 1024 ** 3;

/** A size in megabytes, or gigabytes with a tenth. */
export const sizeText = (bytes: number, { storage }: AdminTexts): string =>
  bytes >= GIB
    ? storage.gib(formatNumber(Math.round((bytes / GIB) * 10) / 10))
    : storage.mib(formatNumber(Math.round(bytes / 1024 ** 2)));
