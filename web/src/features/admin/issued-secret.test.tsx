import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { admin } from '../../test/made.ts';
import { freshServer, showPart } from '../../test/open.tsx';
import { noteSecret, useSecret } from './issued-secret.ts';

function Secret() {
  return <output>{useSecret('units', 3) ?? 'none'}</output>;
}

it('an issued secret is shown to the user to whom it was issued, and not to the next one', async () => {
  freshServer();
  const first = await showPart(<Secret />, { user: admin });
  noteSecret('units', 3, 'rwu_secret');
  expect(await screen.findByText('rwu_secret')).toBeVisible();
  first.unmount();
  await showPart(<Secret />, { user: { ...admin, id: admin.id + 1 } });
  expect(screen.getByText('none')).toBeVisible();
});
