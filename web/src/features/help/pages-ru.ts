import type { PageFiles } from './guide.ts';

/** The pages of the guide in Russian, by file. */
export const files: PageFiles = import.meta.glob('../../../../docs/guide/ru/*.md', { eager: true });
