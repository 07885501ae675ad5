import { useState } from 'react';
import { ApiError } from '../../../core/api-error.ts';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { useFormText } from '../../../forms/use-form-text.ts';
import { useAddress } from '../../../page/use-address.ts';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { orFar } from '../far-stops.ts';
import { problemText } from '../problem.ts';
import { invalidateRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import { fileProblem } from './file-problem.ts';
import { losesParts } from './loses-parts.ts';
import type { FileReading } from './use-file-reading.ts';

/**
 * Makes or updates a route from a file that was read; asks first if stops would be removed.
 * @param ownId the route of the page's bus
 */
export function useFileSaving(reading: FileReading, ownId: number | undefined) {
  const text = useRouteText();
  const { problems } = useFormText();
  const { go } = useAddress<RouteAddress>();
  const [isAsking, setAsking] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const { mode, file, proposal, isUnusable, name, replaces, setProblem } = reading;
  const save = async () => {
    setAsking(false);
    if (!file || !proposal || isUnusable) return;
    const nameProblem = fieldProblem(name, { isRequired: true }, problems);
    if (mode === 'create' && nameProblem !== undefined) {
      setProblem({ at: 'name', text: nameProblem });
      return;
    }
    setSaving(true);
    setProblem(undefined);
    try {
      const answer = await orFar((confirm_far) => reading.send(file, confirm_far));
      if (!answer?.group) return;
      const said = mode === 'create' ? text.created : text.updated;
      showToast({ kind: 'done', text: said(answer.group.name) });
      await invalidateRoutes();
      const { id } = answer.group;
      go({ part: undefined, act: undefined, route: id === ownId ? undefined : String(id) });
    } catch (error) {
      const isName = error instanceof ApiError && error.field === 'name';
      setProblem(
        isName
          ? { at: 'name', text: problemText(error, text) }
          : { at: 'file', text: fileProblem(error, text) },
      );
    } finally {
      setSaving(false);
    }
  };
  return {
    isSaving,
    isAsking,
    save,
    ask: () => {
      if (replaces && losesParts(replaces)) setAsking(true);
      else void save();
    },
    cancel: () => setAsking(false),
  };
}
