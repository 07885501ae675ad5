import type { DocumentPage } from './address.ts';
import type { Block } from './markdown.ts';

/** Loads the documents for authors of programs, each by the name of its page. All are in English. */
export const documents: Readonly<
  Record<DocumentPage, () => Promise<{ readonly blocks: readonly Block[] }>>
> = {
  'unit-interface': () => import('../../../../docs/unit-interface.md'),
  egts: () => import('../../../../docs/egts.md'),
  jt808: () => import('../../../../docs/jt808.md'),
  osmand: () => import('../../../../docs/osmand.md'),
  'egts-out': () => import('../../../../docs/egts-out.md'),
};

/** The pages of the guide that say the same in short, in the language of the user. */
export const shortPages: Readonly<Partial<Record<DocumentPage, string>>> = {
  ...{ egts: 'connect-egts', jt808: 'connect-jt808', osmand: 'connect-osmand' },
  'egts-out': 'other-systems',
};
