import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { findClient } from './client.ts';
import {
  asEditable,
  type Editable,
  isOfVisibleClient,
  isVisibleBus,
  type Visible,
  viewerBeforeChoice,
} from './visible.ts';

/**
 * Whether a cause (a row of attention_causes) is visible: its customer is, and its bus still. Causes of the installation
 * and of buses without a customer are the administrators'. A user who has chosen a customer sees those of its buses of
 * today: on the day on which a bus passes to others, its causes are already theirs.
 */
export function isVisibleCause(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  const client = sql.ref('attention_causes.client_id');
  return sql<boolean>`(case when attention_causes.workplace_id is null
    then ${isOfVisibleClient(viewer, client)}
    else ${isOfVisibleClient(viewerBeforeChoice(viewer), client)}
      and ${isVisibleBus(viewer, sql.ref('attention_causes.workplace_id'))} end)`;
}

/** The owner of attention settings: a customer, or with null the installation. */
export interface SettingsOwner {
  readonly clientId: number | null;
}

/**
 * @param clientId undefined: the installation, for administrators
 * @throws AppError not_found for a foreign customer, no_right for the installation
 */
export async function findSettingsOwner(
  db: Db,
  viewer: Viewer,
  clientId: number | undefined,
): Promise<Visible<SettingsOwner>> {
  if (clientId !== undefined) {
    const { id } = await findClient(db, viewer, clientId);
    return { clientId: id } as Visible<SettingsOwner>;
  }
  if (viewer.role === 'ADMIN') return { clientId: null } as Visible<SettingsOwner>;
  throw new AppError('no_right', 'The settings of the installation are for administrators.');
}

/** @throws AppError as findSettingsOwner, and no_right for a user without the edit right */
export async function findEditableSettingsOwner(
  db: Db,
  viewer: Viewer,
  clientId: number | undefined,
): Promise<Editable<SettingsOwner>> {
  return asEditable(viewer, await findSettingsOwner(db, viewer, clientId));
}
